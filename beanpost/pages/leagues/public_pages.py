"""Public pages of leagues."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from icalendar import Calendar, Event

import games
from beanpost.leagues.mail import organiser_letters
from beanpost.leagues.models import Chair, Division, Entry, League, Rating, Round, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.people import sign_up_facts
from beanpost.leagues.records import head_to_head as meetings
from beanpost.leagues.records import knock_out_progress, round_results, season_records
from beanpost.leagues.records.namesakes import Names, load_public_names
from beanpost.leagues.standings.chart import draw_chart
from beanpost.pages import letter_requests
from beanpost.pages.access import (
    choose_status,
    render_page,
    show_refusals_on,
)
from beanpost.pages.forms.seat import JoinForm
from beanpost.pages.leagues.readers import requires_league_reader
from beanpost.pages.sessions import shown_to_anybody
from beanpost.play import clock
from beanpost.players.models import Player

MAX_NEWS = 5  # shown on a league's page
MAX_LEADERS = 6  # running seasons shown with their leaders, and past ones with their winners


@require_safe
@shown_to_anybody
def leagues(request: HttpRequest) -> HttpResponse:
    seasons = Prefetch("seasons", Season.objects.filter(cancelled_at=None))
    found = League.objects.filter(visibility=League.Visibility.PUBLIC).order_by("name").prefetch_related(seasons)
    return render_page(request, "leagues/all", leagues=found)


@require_http_methods(["GET", "HEAD", "POST"])
@shown_to_anybody
@requires_league_reader
def league(request: HttpRequest, found: League) -> HttpResponse:
    """Show a league's seasons and, if its organisers allow it, a form to sign up."""
    open_season = found.seasons.filter(phase=Season.Phase.ENTERING).first() if found.sign_up else None
    if request.method != "POST" or "code" in request.POST:
        return render_page(request, "leagues/home", form=JoinForm(), **build_league_context(found, open_season))
    if open_season is None:
        raise Http404
    form = JoinForm(request.POST)
    if form.is_valid():
        with show_refusals_on(form):
            typed, now = form.cleaned_data, clock.now()
            letter_requests.check_stranger(request, now)
            season_entries.sign_up(open_season, typed["address"], name=typed["name"], now=now)
            return render_page(request, "look_in_your_mail", address=typed["address"])
    return render_page(
        request, "leagues/home", status=choose_status(form), form=form, **build_league_context(found, open_season)
    )


def build_league_context(league: League, open_season: Season | None) -> dict[str, Any]:
    """Return running seasons with their leaders, then past ones with their winners."""
    over = league.seasons.filter(phase=Season.Phase.ENDED, cancelled_at=None)
    going_on = league.seasons.exclude(phase=Season.Phase.ENDED)
    names = load_public_names(league)
    return {
        "league": league,
        "open_season": open_season,
        **sign_up_facts.describe_season(open_season),
        "news": organiser_letters.find_public_news(league)[:MAX_NEWS],
        "offered": [(rules, league.games[slug]) for slug, rules in games.GAMES.items() if slug in league.games],
        "now": [(row, list_leaders(row, names)) for row in going_on[:MAX_LEADERS]]
        + [(row, []) for row in going_on[MAX_LEADERS:]],
        "past": [(row, season_records.find_leaders(row, names)) for row in over[:MAX_LEADERS]]
        + [(row, []) for row in over[MAX_LEADERS:]],
    }


def list_leaders(season: Season, names: Names) -> list[tuple[Division, list[season_records.StandingsLine]]]:
    """Return the leaders of each division of a running season."""
    divisions = season.divisions.all() if season.phase == Season.Phase.RUNNING else ()
    return [(division, season_records.compute_standings(division, names=names)[:3]) for division in divisions]


@require_safe
@shown_to_anybody
@requires_league_reader
def season(request: HttpRequest, league: League, pk: int) -> HttpResponse:
    found = get_object_or_404(Season.objects.select_related("league__keeper"), pk=pk, league=league)
    names = load_public_names(found.league)
    shown = [build_division(division, names) for division in found.divisions.select_related("season")]
    won = [(each["division"], season_records.list_leader_names(each["lines"])) for each in shown]
    winners = [(division, first) for division, first in won if first and found.phase == Season.Phase.ENDED]
    context: dict[str, Any] = {
        "season": found,
        "league": found.league,
        "divisions": shown,
        "winners": winners,
        "names": names,
    }
    return render_page(request, "leagues/season", **context)


def build_division(division: Division, names: Names) -> dict[str, Any]:
    lines = season_records.compute_standings(division, names=names)
    rounds = round_results.public_rounds(division).prefetch_related(
        "fixtures__chairs__sitter", "fixtures__chairs__entry__player", "fixtures__match__places", "byes__entry__player"
    )
    labels = {line.entry.pk: line.name for line in lines}
    return {
        "division": division,
        "lines": lines,
        "rounds": [build_round(round_) for round_ in rounds],
        "draws": round_results.public_draws(division),
        "plot": draw_chart(season_records.compute_course(division), labels),
    }


def build_round(round_: Round) -> dict[str, Any]:
    """Return a round's tables, each with the winner first, and in a knock-out the entries that go on."""
    tables = [
        (fixture, sorted(fixture.chairs.all(), key=lambda chair: (chair.rank or 99, chair.seat)))
        for fixture in round_.fixtures.all()
    ]
    is_cut = round_.division.season.format == Season.Format.KNOCK_OUT and round_.phase == Round.Phase.CLOSED
    through = knock_out_progress.find_entries_through(round_) if is_cut and not round_.is_final else ()
    return {"round": round_, "tables": tables, "through": through}


@require_safe
@shown_to_anybody
@requires_league_reader
def player(request: HttpRequest, found: League, pk: int) -> HttpResponse:
    """Show a player's record in a league."""
    who = find_player(found, pk)
    chairs = Chair.objects.filter(fixture__round__division__season__league=found)
    return render_page(
        request,
        "leagues/player",
        league=found,
        player=who,
        names=load_public_names(found),
        record=season_records.load_record(who, chairs),
        ratings=Rating.objects.filter(player=who).order_by("game"),
        met=meetings.list_opponents(who, chairs),
    )


def find_player(league: League, pk: int) -> Player:
    """Return a player who is or was in one of the league's seasons. People who were only invited have no page."""
    entries = Entry.objects.filter(season__league=league)
    there = entries.filter(~Entry.hidden() | Exists(Chair.objects.filter(entry=OuterRef("pk"))))
    return get_object_or_404(Player, pk=pk, pk__in=there.values("player"))


@require_safe
@shown_to_anybody
@requires_league_reader
def head_to_head(request: HttpRequest, found: League, pk: int, other: int) -> HttpResponse:
    one, two = find_player(found, pk), find_player(found, other)
    chairs = Chair.objects.filter(fixture__round__division__season__league=found)
    against = meetings.compare_players(one, two, chairs)
    names = load_public_names(found)
    return render_page(request, "leagues/against", league=found, one=one, other=two, against=against, names=names)


@require_safe
@requires_league_reader
def calendar(request: HttpRequest, found: League) -> HttpResponse:
    """Publish the league's dates as a calendar to subscribe to."""
    days = Calendar()
    days.add("prodid", "-//Beanpost//leagues//EN")
    days.add("version", "2.0")
    for row in found.seasons.filter(cancelled_at=None).exclude(starts_on=None):
        event = Event()
        event.add("uid", f"season-{row.pk}@{settings.SITE_HOST}")
        event.add("dtstamp", clock.now())
        event.add("summary", f"{found.name}: {row.name}")
        event.add("dtstart", row.starts_on)
        if row.ends_on:
            event.add("dtend", row.ends_on + timedelta(days=1))  # exclusive: the day after the last
        days.add_component(event)
    rounds = Round.objects.filter(division__season__league=found, published_at__isnull=False)
    for round_ in rounds.select_related("division__season__league"):
        event = Event()
        event.add("uid", f"round-{round_.pk}@{settings.SITE_HOST}")
        event.add("dtstamp", round_.published_at)
        event.add("dtstart", round_.published_at)
        event.add("summary", f"{round_.division.season}, {round_}")
        days.add_component(event)
        if round_.due_on:
            days.add_component(build_deadline_event(round_))
    return HttpResponse(days.to_ical(), content_type="text/calendar")


def build_deadline_event(round_: Round) -> Event:
    event = Event()
    event.add("uid", f"round-{round_.pk}-ends@{settings.SITE_HOST}")
    event.add("dtstamp", clock.now())
    event.add("dtstart", round_.due_on)
    ends = _("%(round)s ends") % {"round": round_}
    event.add("summary", f"{round_.division.season}, {ends}")
    return event
