"""Tables that wait for a player, or have a seat to fill. Seasons come with their rows, read by `facts`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from django.template.defaultfilters import date as in_words
from django.utils.translation import gettext as _

from beanpost.leagues.actions.next_step import OVERDUE_AFTER, is_before
from beanpost.leagues.admin.dashboard.items import Item, action_url
from beanpost.leagues.mail import round_deadlines
from beanpost.leagues.models import Season
from beanpost.leagues.seasons import facts
from beanpost.play.models import Match

Seasons = Iterable[Season]
Phase = Match.Phase


def late_seats(seasons: Seasons) -> Iterator[Item]:
    """Yield seats that keep their table waiting after a reminder, the longest wait first."""
    late = [
        (wait.due_at, wait, table, season)
        for season in seasons
        for table, match in facts.list_tables(season, Phase.RUNNING)
        for wait in match.waits.all()
        if wait.due_at and wait.remind_at is None
    ]
    for _due_at, wait, table, season in sorted(late, key=lambda found: found[0]):
        name = next(chair.sitter_name for chair in table.chairs.all() if chair.seat == wait.seat)
        what = _("%(fixture)s is waiting for %(name)s.") % {"fixture": table, "name": name}
        yield Item(what, _("Give more time"), action_url(table, "extend"), season, table)


def empty_seats(seasons: Seasons) -> Iterator[Item]:
    """Yield gathering tables with a declined seat: they can't begin until another player takes it."""
    for season in seasons:
        for table, match in facts.list_tables(season, Phase.GATHERING):
            if facts.has_empty_seat(match):
                what = _("%(fixture)s has an empty seat.") % {"fixture": table}
                yield Item(what, _("Substitute"), action_url(table, "substitute"), season, table)


def seats_left(seasons: Seasons) -> Iterator[Item]:
    """Yield seats of people who have left the season, unless a bot already plays there."""
    for season in seasons:
        for phase in (Phase.GATHERING, Phase.RUNNING):
            for table, match, chair in facts.list_chairs_left(season, phase):
                if any(place.seat == chair.seat and not place.stand_in for place in match.places.all()):
                    values = {"fixture": table, "name": chair.sitter_name}
                    what = _("%(fixture)s: %(name)s has left the season but still has a seat.") % values
                    yield Item(what, _("Substitute"), action_url(table, "substitute"), season, table)


def seats_offered(seasons: Seasons, now: datetime) -> Iterator[Item]:
    """Yield seats that were offered to a substitute some time ago and are still played by a bot."""
    for season in seasons:
        for table, match in facts.list_tables(season, Phase.RUNNING):
            for proposal in facts.list_offers(match):
                if is_before(proposal.passed_at, now - OVERDUE_AFTER):
                    what = _("%(fixture)s: %(name)s was asked to substitute and hasn’t accepted yet.")
                    what %= {"fixture": table, "name": proposal.player}
                    yield Item(what, _("Substitute"), action_url(table, "substitute"), season, table)


def tables_not_filled(seasons: Seasons, now: datetime) -> Iterator[Item]:
    """Yield rounds with a table that could begin. Empty and left seats are listed separately."""
    for season in seasons:
        rounds = dict.fromkeys(table.round for table in facts.list_tables_to_begin(season))
        for round_ in (each for each in rounds if is_before(each.published_at, now - OVERDUE_AFTER)):
            what = _("%(round)s: some players haven’t answered yet.") % {"round": round_}
            yield Item(what, _("Start without waiting"), action_url(round_, "begin"), season)


def overdue_tables(seasons: Seasons, now: datetime) -> Iterator[Item]:
    """Yield tables without a result after the deadline of their round, each to be decided."""
    today = round_deadlines.find_day(now)
    late = [
        (table.round.due_on, table, season)
        for season in seasons
        for table in facts.list_undecided(season)
        if table.round.due_on and table.round.due_on < today
    ]
    for due_on, table, season in sorted(late, key=lambda found: found[0]):
        values = {"fixture": table, "day": in_words(due_on)}
        what = _("%(fixture)s has no result, and the round ended on %(day)s.") % values
        yield Item(what, _("Set the result"), action_url(table, "adjudicate"), season, table)
