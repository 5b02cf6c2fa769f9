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


def build_object(**fields: Schema) -> Schema:
    return {"type": "object", "required": list(fields), "properties": fields}


def build_list(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


GAME = build_object(
    slug=TEXT,
    title=TEXT,
    edition=NUMBER,
    variants=build_list(TEXT),
    seats=build_object(fewest=NUMBER, most=NUMBER),
    rules=TEXT,
)
MATCH = build_object(
    format=TEXT,
    card={"type": "object"},
    entries=build_list({"type": "object"}),
    head=build_object(seq=NUMBER, digest=TEXT),
    result={"type": ["object", "null"]},
    ended=MAYBE_TEXT,
    url=TEXT,
    started_at=TIME,
    ended_at={"type": ["string", "null"], "format": "date-time"},
)
LISTED = build_object(code=TEXT, game=TEXT, variant=TEXT, seats=NUMBER, started_at=TIME, url=TEXT)
VERIFICATION = build_object(
    match=TEXT,
    holds=YES_OR_NO,
    fault=TEXT,
    lines=MAYBE_NUMBER,
    digest=TEXT,
    name_erased={"type": ["boolean", "null"]},
)
LEAGUE = build_object(slug=TEXT, name=TEXT, about=TEXT, language=TEXT, games={"type": "object"}, url=TEXT)
SEASON = build_object(
    number=NUMBER, name=TEXT, format=TEXT, phase=TEXT, cancelled=YES_OR_NO, starts_on=DAY, ends_on=DAY
)
STANDING = build_object(
    division=TEXT,
    rank=NUMBER,
    name=TEXT,
    points=REAL,
    played=NUMBER,
    wins=NUMBER,
    byes=NUMBER,
    forfeits=NUMBER,
)
CHAIR = build_object(name=TEXT, entry=TEXT, rank=MAYBE_NUMBER, score=MAYBE_NUMBER)
FIXTURE = build_object(
    division=TEXT,
    round=NUMBER,
    table=NUMBER,
    game=TEXT,
    variant=TEXT,
    ending=TEXT,
    match=MAYBE_TEXT,
    players=build_list(CHAIR),
)
PARAMETERS: dict[str, Schema] = {"code": TEXT, "slug": TEXT, "number": NUMBER}


def build_get(name: str, summary: str, schema: Schema, *parameters: str) -> Schema:
    refused = {
        "description": "A sentence that says why.",
        "content": {"application/json": {"schema": build_object(error=TEXT)}},
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
        "/games/": build_get("games", "The games of this site.", build_object(games=build_list(GAME))),
        "/matches/": build_get(
            "matches", "The latest matches that anybody may watch.", build_object(matches=build_list(LISTED))
        ),
        "/matches/{code}/": build_get("match", "A match with its log, as bystanders hear it.", MATCH, "code"),
        "/matches/{code}/verification/": build_get("verification", "Whether its log holds.", VERIFICATION, "code"),
        "/leagues/": build_get("leagues", "The leagues of this site.", build_object(leagues=build_list(LEAGUE))),
        "/leagues/{slug}/": build_get(
            "league",
            "A league with its seasons.",
            {"allOf": [LEAGUE, build_object(seasons=build_list(SEASON))]},
            "slug",
        ),
        f"/{SEASON_AT}/standings/": build_get(
            "standings",
            "The standings of a season.",
            build_object(season=SEASON, standings=build_list(STANDING)),
            "slug",
            "number",
        ),
        f"/{SEASON_AT}/fixtures/": build_get(
            "fixtures",
            "The tables of the rounds that have started.",
            build_object(season=SEASON, fixtures=build_list(FIXTURE)),
            "slug",
            "number",
        ),
    },
}
