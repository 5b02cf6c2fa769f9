"""The letters of leagues: invitations to a season or an office, announcements, and the weekly letter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Model, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

import games
from beanpost.leagues.models import Entry, Fixture, League, Season
from beanpost.leagues.records import season_records
from beanpost.leagues.records.namesakes import load_public_names
from beanpost.play.models import Match, Wait
from beanpost.play.tickets import TicketForSession, sign
from beanpost.players.models import Player
from beanpost.post import unsubscribe
from beanpost.post.compose import contents
from beanpost.post.kinds import Kind
from beanpost.post.models import Letter
from beanpost.post.outbox import queue

LazySentence = Callable[[], str]  # a sentence in the reader's language and time zone

WEEK = timedelta(days=7)


@dataclass(frozen=True)
class EntryTicket(TicketForSession):
    """Enters a season, or declines."""

    purpose = "entry"
    entry: int


def build_invitation(letter: Letter) -> contents.Contents | None:
    entry = Entry.objects.filter(pk=letter.values["entry"]).select_related("season__league__keeper").first()
    state = letter.values.get("after", Entry.State.INVITED)
    if entry is None or entry.state != state or entry.player_id != letter.recipient_id:
        return None
    season = entry.season
    if season.phase == Season.Phase.ENDED:  # cancelled, say, while the letter waited
        return None
    return {
        "entry": entry,
        "season": season,
        "league": season.league,
        "titles": [rules.title for slug, rules in games.GAMES.items() if slug in season.league.games],
        "ticket": sign(EntryTicket(letter.recipient_id, letter.recipient.sessions, entry.pk)),
        **find_reply_address(season.league),
    }


def find_reply_address(league: League) -> contents.Contents:
    """Return the address for answers to a league's letters; "" if the organisers have confirmed none."""
    return {"reply_to": league.contact}


@dataclass(frozen=True)
class KeeperTicket(TicketForSession):
    """Becomes the keeper of a league, or declines. With `back`, it only confirms an organiser's address, and leads back
    to that page of the office.
    """

    purpose = "keeper"
    league: int
    back: str = ""


def build_keeper_letter(letter: Letter) -> contents.Contents | None:
    league, back = League.objects.filter(pk=letter.values["league"]).first(), letter.values.get("back", "")
    if league is None or (not back and league.asked_keeper_id != letter.recipient_id):
        return None
    ticket = sign(KeeperTicket(letter.recipient_id, letter.recipient.sessions, league.pk, back))
    asks_contact = league.asked_contact == letter.recipient.address
    return {"league": league, "ticket": ticket, "asks_contact": asks_contact, "back": back}


def build_announcement(letter: Letter) -> contents.Contents | None:
    league = League.objects.filter(pk=letter.values["league"]).first()
    if league is None:
        return None
    return {"code": None, "season": None, **letter.values, "league": league, **find_reply_address(league)}


def announce(
    league: League,
    to: Iterable[Player],
    sentence: LazySentence,
    reason: str,
    *,
    page: Mapping[str, Any],
    key: str,
    now: datetime,
    about: Model | None = None,
    nth: str = "",
) -> int:
    """Tell people, each in their language, what an organiser has done and why. Return how many letters are queued.

    `page` holds the code of a match or the key of a season, to which the letter links. The same news is queued once
    per second, unless `nth` numbers it.
    """
    nth = nth or f"{now:%y%m%d%H%M%S}"
    people = {player.pk: player for player in to}
    for player in people.values():
        with translation.override(player.language), timezone.override(player.tz):
            values = {"league": league.pk, "headline": sentence(), "reason": reason, **page}
        queue.queue(player, "announcement", f"league/{league.pk}/{key}/{nth}"[:80], values, now=now, about=about)
    return len(people)


# ── the weekly letter ──


def build_weekly_letter(letter: Letter) -> contents.Contents | None:
    season = Season.objects.filter(pk=letter.values["season"]).select_related("league").first()
    if season is None or not find_weekly_readers(season).filter(player=letter.recipient_id).exists():
        return None
    until = datetime.fromisoformat(letter.values["until"])
    words = letter.values.get("words", "")
    return {
        "season": season,
        "league": season.league,
        "words": words,
        **summarise_week(season, until),
        **find_reply_address(season.league),
    }


def summarise_week(season: Season, until: datetime) -> dict[str, Any]:
    """Return the past week of a season: standings, the closest games and late players."""
    decided = Fixture.objects.filter(
        round__division__season=season, decided_at__gt=until - WEEK, decided_at__lte=until, ending="played"
    ).select_related("round__division", "match")
    names, divisions = load_public_names(season.league), season.divisions.all()
    return {
        "divisions": [(division, season_records.compute_standings(division, names=names)) for division in divisions],
        "best": sorted(decided.prefetch_related("chairs__sitter"), key=measure_closeness)[:3],
        "late": list_late_names(season, until),
    }


def measure_closeness(fixture: Fixture) -> float:
    """Return how far apart the first two scores are, to list the closest games first."""
    scores = sorted((chair.score or 0 for chair in fixture.chairs.all()), reverse=True)
    return (scores[0] - scores[1]) / (abs(scores[0]) + 1) if len(scores) > 1 else 99


def list_late_names(season: Season, now: datetime) -> list[str]:
    """Return the names of players who keep a running table waiting after their reminder."""
    waits = find_late_waits(season).filter(asked_at__lt=now).values_list("match__fixture", "seat")
    fixtures = Fixture.objects.filter(pk__in=[fixture for fixture, _ in waits]).prefetch_related("chairs__sitter")
    at = {(fixture.pk, chair.seat): chair.public_sitter_name for fixture in fixtures for chair in fixture.chairs.all()}
    return sorted({at[key] for key in waits if key in at})


def find_late_waits(season: Season) -> QuerySet[Wait]:
    """Return the questions that running tables still wait for after a reminder."""
    running = Wait.objects.filter(match__fixture__round__division__season=season, match__phase=Match.Phase.RUNNING)
    return running.filter(due_at__isnull=False, remind_at=None)


def build_week_key(season: Season, now: datetime) -> str:
    return f"league/{season.pk}/week/{now:%G-%V}"


def find_weekly_sent(seasons: Iterable[Season], now: datetime) -> set[int]:
    """Return those of these seasons, by key, whose letter of this week has been sent."""
    keys = {build_week_key(season, now): season.pk for season in seasons}
    sent = Letter.objects.filter(kind="weekly", key__in=list(keys)).values_list("key", flat=True)
    return {keys[key] for key in sent.distinct()}


def is_weekly_sent(season: Season, now: datetime) -> bool:
    """Whether this week's letter has been sent."""
    return season.pk in find_weekly_sent([season], now)


def send_weekly(season: Season, *, now: datetime, words: str = "") -> int:
    """Queue the weekly letter for everybody in the season who wants it, once a week. Return how many."""
    entries = find_weekly_readers(season).select_related("player")
    for entry in entries:
        values = {"season": season.pk, "until": now.isoformat(), "words": words.strip().replace("\r\n", "\n")}
        queue.queue(entry.player, "weekly", build_week_key(season, now), values, now=now, about=season)
    return len(entries)


def find_weekly_readers(season: Season) -> QuerySet[Entry]:
    """Return the entries of people who get the weekly letter. Called again when it is sent: people may have left."""
    return season.entries.filter(state__in=(Entry.State.ENTERED, Entry.State.SUBSTITUTE), player__weekly=True)


def is_in_a_season(player: Player) -> bool:
    """Whether a player is in a season that is not over: they rely on our letters also between rounds."""
    there = (Entry.State.ENTERED, Entry.State.WAITING, Entry.State.SUBSTITUTE)
    return player.entries.filter(state__in=there).exclude(season__phase=Season.Phase.ENDED).exists()


unsubscribe.COMMITTED.append(is_in_a_season)

KINDS = (
    Kind("league_invite", _("An invitation to a season"), build_invitation),
    Kind("keeper", _("A league to look after"), build_keeper_letter),  # also to organisers, to confirm their address
    Kind("announcement", _("League news"), build_announcement),  # to people whom an organiser's action concerns
    Kind("weekly", _("This week in your league"), build_weekly_letter, stops_with=lambda _: {"weekly": False}),
)
