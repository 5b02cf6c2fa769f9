"""The OpenAPI description of the API, which the API serves itself. Paths are relative to its address."""

from __future__ import annotations

from typing import Any

from beanpost.version import __version__

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
REAL: Schema = {"type": "number"}
YES_OR_NO: Schema = {"type": "boolean"}
DAY: Schema = {"type": ["string", "null"], "format": "date"}
TIME: Schema = {"type": "string", "format": "date-time"}
MAYBE_TEXT: Schema = {"type": ["string", "null"]}
MAYBE_NUMBER: Schema = {"type": ["integer", "null"]}


def record(**fields: Schema) -> Schema:
    return {"type": "object", "required": list(fields), "properties": fields}


def many(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


GAME = record(
    slug=TEXT, title=TEXT, edition=NUMBER, variants=many(TEXT), seats=record(fewest=NUMBER, most=NUMBER), rules=TEXT
)
MATCH = record(
    format=TEXT,
    card={"type": "object"},
    entries=many({"type": "object"}),
    head=record(seq=NUMBER, digest=TEXT),
    result={"type": ["object", "null"]},
    ended=MAYBE_TEXT,
    url=TEXT,
    started_at=TIME,
    ended_at={"type": ["string", "null"], "format": "date-time"},
)
LISTED = record(code=TEXT, game=TEXT, variant=TEXT, seats=NUMBER, started_at=TIME, url=TEXT)
VERIFICATION = record(
    match=TEXT,
    holds=YES_OR_NO,
    fault=TEXT,
    lines=MAYBE_NUMBER,
    digest=TEXT,
    name_erased={"type": ["boolean", "null"]},
)
LEAGUE = record(slug=TEXT, name=TEXT, about=TEXT, language=TEXT, games={"type": "object"}, url=TEXT)
SEASON = record(number=NUMBER, name=TEXT, format=TEXT, phase=TEXT, cancelled=YES_OR_NO, starts_on=DAY, ends_on=DAY)
STANDING = record(
    division=TEXT,
    rank=NUMBER,
    name=TEXT,
    points=REAL,
    played=NUMBER,
    wins=NUMBER,
    byes=NUMBER,
    forfeits=NUMBER,
)
CHAIR = record(name=TEXT, entry=TEXT, rank=MAYBE_NUMBER, score=MAYBE_NUMBER)
FIXTURE = record(
    division=TEXT,
    round=NUMBER,
    table=NUMBER,
    game=TEXT,
    variant=TEXT,
    ending=TEXT,
    match=MAYBE_TEXT,
    players=many(CHAIR),
)
PARAMETERS: dict[str, Schema] = {"code": TEXT, "slug": TEXT, "number": NUMBER}


def get(name: str, summary: str, schema: Schema, *parameters: str) -> Schema:
    refused = {
        "description": "A sentence that says why.",
        "content": {"application/json": {"schema": record(error=TEXT)}},
    }
    return {
        "get": {
            "operationId": name,
            "summary": summary,
            "parameters": [
                {"name": each, "in": "path", "required": True, "schema": PARAMETERS[each]} for each in parameters
            ],
            "responses": {
                "200": {"description": summary, "content": {"application/json": {"schema": schema}}},
                "404": refused,
                "429": refused,
            },
        }
    }


SEASON_AT = "leagues/{slug}/seasons/{number}"
DOCUMENT: Schema = {
    "openapi": "3.1.0",
    "info": {
        "title": "Beanpost",
        "version": __version__,
        "description": "Public facts only: matches that are over or may be watched, and leagues. A visitor may ask"
        " 600 times an hour."
        " docs/export.md describes a match's file, and how to verify it.",
    },
    "paths": {
        "/games/": get("games", "The games of this site.", record(games=many(GAME))),
        "/matches/": get("matches", "The latest matches that anybody may watch.", record(matches=many(LISTED))),
        "/matches/{code}/": get("match", "A match with its log, as bystanders hear it.", MATCH, "code"),
        "/matches/{code}/verification/": get("verification", "Whether its log holds.", VERIFICATION, "code"),
        "/leagues/": get("leagues", "The leagues of this site.", record(leagues=many(LEAGUE))),
        "/leagues/{slug}/": get(
            "league",
            "A league with its seasons.",
            {"allOf": [LEAGUE, record(seasons=many(SEASON))]},
            "slug",
        ),
        f"/{SEASON_AT}/standings/": get(
            "standings", "The standings of a season.", record(season=SEASON, standings=many(STANDING)), "slug", "number"
        ),
        f"/{SEASON_AT}/fixtures/": get(
            "fixtures",
            "The tables of the rounds that have started.",
            record(season=SEASON, fixtures=many(FIXTURE)),
            "slug",
            "number",
        ),
    },
}
