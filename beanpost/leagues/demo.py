"""The demo's league, in mid-season: its organiser has three things to do (seeds/demo.toml)."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth import get_user_model
from django.db import transaction

from beanpost.leagues import organiser_accounts
from beanpost.leagues.models import Division, Entry, League, Round, Season
from beanpost.leagues.people import entries
from beanpost.leagues.seasons import phases, rounds
from beanpost.play.demo import DEMO, ORGANISER, play_out
from beanpost.play.models import Match
from beanpost.play.timekeeping import reminders
from beanpost.players import accounts as player_accounts

LEAGUE = DEMO["league"]
WEEK = timedelta(days=7)
NEARLY_A_DAY = timedelta(hours=20)  # so a player of the second round is late: their table waits for one day


@transaction.atomic
def create_demo_league(now: datetime) -> League | None:
    """Create the demo league, play its first round and half of the second. Return None if the league exists."""
    for organiser in get_user_model().objects.filter(username=ORGANISER[0]):
        organiser_accounts.record_no(organiser, now=now)
    if League.objects.filter(slug=LEAGUE["slug"]).exists():
        return None
    league = create_league(now)
    division = create_season(league, now)
    first, second, *_rest = division.rounds.all()
    begin_round(first, now - WEEK)
    for match in Match.objects.filter(fixture__round=first):
        play_out(match, now - WEEK)
    rounds.close_round(Round.objects.get(pk=first.pk), now=now - NEARLY_A_DAY)
    begin_round(second, now - NEARLY_A_DAY)
    play_out(Match.objects.filter(fixture__round=second).latest("fixture"), now - NEARLY_A_DAY)
    reminders.remind_players(now)
    list_people(Season.objects.create(league=league, name=LEAGUE["next_season"]), now)
    return league


def create_league(now: datetime) -> League:
    keeper = player_accounts.get_or_create_player(**LEAGUE["keeper"], now=now)
    described = {name: LEAGUE[name] for name in ("name", "slug", "about", "games", "pace")}
    league = League.objects.create(keeper=keeper, sign_up=True, **described)
    league.organisers.set(get_user_model().objects.filter(username=ORGANISER[0]))
    return league


def create_season(league: League, now: datetime) -> Division:
    """Create a season with closed entries and drawn rounds."""
    season = Season.objects.create(league=league, name=LEAGUE["season"], size=3, rounds=len(league.games))
    for entry in list_people(season, now):
        entries.accept(entry, now=now)
    phases.close_entries(season)
    division = season.divisions.get()
    rounds.draw(division, by=None, now=now)
    return division


def list_people(season: Season, now: datetime) -> list[Entry]:
    return [entries.add_entry(season, f"{name.lower()}@example.org", name=name, now=now) for name in LEAGUE["people"]]


def begin_round(round_: Round, now: datetime) -> None:
    rounds.publish(round_, now=now)
    rounds.begin_tables(round_, now=now)
