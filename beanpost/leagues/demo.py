"""The demo's league, in mid-season (seeds/demo.toml)."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth import get_user_model
from django.db import transaction

from beanpost.leagues import organiser_accounts
from beanpost.leagues.models import Division, League, Round, Season
from beanpost.leagues.people import entries
from beanpost.leagues.seasons import phases, rounds
from beanpost.play.demo import DEMO, ORGANISER, play_out
from beanpost.play.models import Match
from beanpost.players import accounts as player_accounts

LEAGUE = DEMO["league"]
WEEK = timedelta(days=7)


@transaction.atomic
def create_demo_league(now: datetime) -> League | None:
    """Create the demo league and play its first round. Return None if the league exists."""
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
    rounds.close_round(Round.objects.get(pk=first.pk), now=now)
    begin_round(second, now)
    return league


def create_league(now: datetime) -> League:
    keeper = player_accounts.get_or_create_player(**LEAGUE["keeper"], now=now)
    described = {name: LEAGUE[name] for name in ("name", "slug", "about", "games")}
    league = League.objects.create(keeper=keeper, sign_up=True, **described)
    league.organisers.set(get_user_model().objects.filter(username=ORGANISER[0]))
    return league


def create_season(league: League, now: datetime) -> Division:
    """Create a season with closed entries and drawn rounds."""
    season = Season.objects.create(league=league, name=LEAGUE["season"], size=3, rounds=len(league.games))
    for name in LEAGUE["people"]:
        entry = entries.add_entry(season, f"{name.lower()}@example.org", name=name, now=now)
        entries.accept(entry, now=now)
    phases.close_entries(season)
    division = season.divisions.get()
    rounds.draw(division, by=None, now=now)
    return division


def begin_round(round_: Round, now: datetime) -> None:
    rounds.publish(round_, now=now)
    rounds.begin_tables(round_, now=now)
