"""Tables that wait for a player, or have a seat to fill."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, F, OuterRef
from django.template.defaultfilters import date as in_words
from django.utils.translation import gettext as _

from beanpost.leagues.actions.next_step import OVERDUE_AFTER
from beanpost.leagues.admin.dashboard.items import MAX_ITEMS, Item, action_url, limit_to_own
from beanpost.leagues.mail import round_deadlines
from beanpost.leagues.models import Chair, Fixture, Round
from beanpost.leagues.seasons import rounds, substitutes
from beanpost.play.models import Match, Place, Proposal, Wait


def late_seats(user: Any, now: datetime) -> Iterator[Item]:
    """Yield seats that keep their table waiting after a reminder."""
    matches = limit_to_own(Match.objects.filter(phase=Match.Phase.RUNNING), user).values("pk")
    waits = Wait.objects.filter(match__in=matches, due_at__isnull=False, remind_at=None, match__fixture__isnull=False)
    for wait in waits.select_related("match__fixture__round__division__season__league").order_by("due_at")[:MAX_ITEMS]:
        fixture = wait.match.fixture
        chair = fixture.chairs.select_related("sitter").get(seat=wait.seat)
        what = _("%(fixture)s is waiting for %(name)s.") % {"fixture": fixture, "name": chair.sitter_name}
        yield Item(what, _("Give more time"), action_url(fixture, "extend"), fixture.round.division.season)


def empty_seats(user: Any) -> Iterator[Item]:
    """Yield gathering tables with a declined seat: they can't begin until another player takes it."""
    gathering = limit_to_own(Fixture.objects.filter(match__phase=Match.Phase.GATHERING), user)
    short = gathering.annotate(seated=Count("match__places")).filter(seated__lt=F("match__seats"))
    for fixture in short.select_related("round__division__season__league")[:MAX_ITEMS]:
        what = _("%(fixture)s has an empty seat.") % {"fixture": fixture}
        yield Item(what, _("Substitute"), action_url(fixture, "substitute"), fixture.round.division.season)


def seats_left(user: Any) -> Iterator[Item]:
    """Yield seats of people who have left the season, unless a bot already plays there."""
    fixtures = limit_to_own(Fixture.objects.filter(match__phase__in=(Match.Phase.GATHERING, Match.Phase.RUNNING)), user)
    taken = Place.objects.filter(match=OuterRef("fixture__match"), seat=OuterRef("seat"), stand_in=False)
    chairs = Chair.objects.filter(substitutes.has_left(), Exists(taken), fixture__in=fixtures.values("pk"))
    for chair in chairs.select_related("sitter", "fixture__round__division__season__league")[:MAX_ITEMS]:
        fixture = chair.fixture
        values = {"fixture": fixture, "name": chair.sitter_name}
        what = _("%(fixture)s: %(name)s has left the season but still has a seat.") % values
        yield Item(what, _("Substitute"), action_url(fixture, "substitute"), fixture.round.division.season)


def seats_offered(user: Any, now: datetime) -> Iterator[Item]:
    """Yield seats that were offered to a substitute some time ago and are still played by a bot."""
    fixtures = limit_to_own(Fixture.objects.filter(match__phase=Match.Phase.RUNNING), user)
    offered = Proposal.objects.filter(about=Proposal.About.GIVE, passed_at__lt=now - OVERDUE_AFTER, closed_at=None)
    offered = offered.filter(match__fixture__in=fixtures.values("pk")).order_by("pk")
    for proposal in offered.select_related("player", "match__fixture__round__division__season__league")[:MAX_ITEMS]:
        fixture = proposal.match.fixture
        what = _("%(fixture)s: %(name)s was asked to substitute and hasn’t accepted yet.")
        what %= {"fixture": fixture, "name": proposal.player}
        yield Item(what, _("Substitute"), action_url(fixture, "substitute"), fixture.round.division.season)


def tables_not_filled(user: Any, now: datetime) -> Iterator[Item]:
    """Yield rounds with a table that could begin. Empty and left seats are listed separately."""
    waiting = rounds.find_tables_to_begin().filter(round=OuterRef("pk"))
    published = limit_to_own(
        Round.objects.filter(phase=Round.Phase.PUBLISHED, published_at__lt=now - OVERDUE_AFTER), user
    )
    for round_ in published.filter(Exists(waiting)).select_related("division__season__league")[:MAX_ITEMS]:
        what = _("%(round)s: some players haven’t answered yet.") % {"round": round_}
        yield Item(what, _("Start without waiting"), action_url(round_, "begin"), round_.division.season)


def overdue_tables(user: Any, now: datetime) -> Iterator[Item]:
    """Yield tables without a result after the deadline of their round, each to be decided."""
    for fixture in round_deadlines.find_overdue_tables(limit_to_own(Round.objects.all(), user), now)[:MAX_ITEMS]:
        values = {"fixture": fixture, "day": in_words(fixture.round.due_on)}
        what = _("%(fixture)s has no result, and the round ended on %(day)s.") % values
        yield Item(what, _("Set the result"), action_url(fixture, "adjudicate"), fixture.round.division.season)
