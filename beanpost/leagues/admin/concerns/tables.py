"""Tables that wait for a player, or have a seat to fill. Seasons come with their rows, read by `facts`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from django.template.defaultfilters import date as in_words
from django.utils.translation import gettext as _

from beanpost.leagues.actions.next_step import OVERDUE_AFTER, is_before
from beanpost.leagues.admin.concerns.concern import Concern, lead_to, lead_to_substitutes
from beanpost.leagues.mail import round_deadlines
from beanpost.leagues.models import Fixture, Season
from beanpost.leagues.seasons import facts, tables
from beanpost.play.models import Match, Wait
from games.contract.house_lines import Remind

Seasons = Iterable[Season]
Phase = Match.Phase


def late_seats(seasons: Seasons, now: datetime) -> Iterator[Concern]:
    """Yield seats that keep their table waiting after a reminder, the longest wait first."""
    late = [
        (wait.due_at, wait, table, season)
        for season in seasons
        for table, match in facts.list_tables(season, Phase.RUNNING)
        for wait in match.waits.all()
        if wait.due_at and wait.remind_at is None
    ]
    reminded = list_reminded([wait for _due_at, wait, _table, _season in late], now)
    for _due_at, wait, table, season in sorted(late, key=lambda found: found[0]):
        what = _("%(fixture)s is waiting for %(name)s.") % {"fixture": table, "name": name_sitter(table, wait.seat)}
        ways = (
            *(() if (wait.match_id, str(Remind(wait.seat))) in reminded else (lead_to(table, "remind", _("Remind")),)),
            lead_to(table, "extend", _("Give more time")),
            lead_to(table, "bot", _("Let a bot play")),
            lead_to_substitutes(table, season),
        )
        yield Concern(what, ways, wait.asked_at, season)


def list_reminded(waits: list[Wait], now: datetime) -> set[tuple[int, str]]:
    """Return the reminders of the last day, by match and line: an organiser reminds nobody twice a day."""
    if not waits:
        return set()
    found = tables.find_recent_reminders(now).filter(match__in={wait.match_id for wait in waits})
    return set(found.values_list("match", "line"))


def name_sitter(table: Fixture, seat: int) -> str:
    """Return the whole name of the player in a seat. Other players may see a shorter one."""
    return next(chair.sitter_name for chair in table.chairs.all() if chair.seat == seat)


def empty_seats(seasons: Seasons) -> Iterator[Concern]:
    """Yield gathering tables with a declined seat: they can't begin until another player takes it."""
    for season in seasons:
        for table, match in facts.list_tables(season, Phase.GATHERING):
            if facts.has_empty_seat(match):
                what = _("%(fixture)s has an empty seat.") % {"fixture": table}
                yield Concern(what, (lead_to_substitutes(table, season),), about=season)


def seats_left(seasons: Seasons) -> Iterator[Concern]:
    """Yield seats of people who have left the season, unless a bot already plays there."""
    for season in seasons:
        for phase in (Phase.GATHERING, Phase.RUNNING):
            for table, match, chair in facts.list_chairs_left(season, phase):
                if any(place.seat == chair.seat and not place.stand_in for place in match.places.all()):
                    values = {"fixture": table, "name": chair.sitter_name}
                    what = _("%(fixture)s: %(name)s has left the season but still has a seat.") % values
                    yield Concern(what, (lead_to_substitutes(table, season),), about=season)


def seats_offered(seasons: Seasons, now: datetime) -> Iterator[Concern]:
    """Yield seats that were offered to a substitute some time ago and are still played by a bot."""
    for season in seasons:
        for table, match in facts.list_tables(season, Phase.RUNNING):
            for proposal in facts.list_offers(match):
                if is_before(proposal.passed_at, now - OVERDUE_AFTER):
                    what = _("%(fixture)s: %(name)s was asked to substitute and hasn’t accepted yet.")
                    what %= {"fixture": table, "name": proposal.player}
                    ways = (lead_to_substitutes(table, season),)
                    yield Concern(what, ways, proposal.passed_at, season)


def tables_not_filled(seasons: Seasons, now: datetime) -> Iterator[Concern]:
    """Yield rounds with a table that could begin. Empty and left seats are listed separately."""
    for season in seasons:
        rounds = dict.fromkeys(table.round for table in facts.list_tables_to_begin(season))
        for round_ in (each for each in rounds if is_before(each.published_at, now - OVERDUE_AFTER)):
            what = _("%(round)s: some players haven’t answered yet.") % {"round": round_}
            ways = (lead_to(round_, "begin", _("Start without waiting")),)
            yield Concern(what, ways, round_.published_at, season)


def unanswered_seats(seasons: Seasons) -> Iterator[Concern]:
    """Yield the players whom a gathering table still waits for."""
    for season in seasons:
        can_begin = {table.pk for table in facts.list_tables_to_begin(season)}
        for table, match in facts.list_tables(season, Phase.GATHERING):
            begin = (lead_to(table.round, "begin", _("Start without waiting")),) if table.pk in can_begin else ()
            ways = (*begin, lead_to_substitutes(table, season))
            for place in match.places.all():
                if place.player_id and place.confirmed_at is None:
                    values = {"name": name_sitter(table, place.seat), "table": table}
                    what = _("%(name)s hasn’t answered the invitation to %(table)s yet.") % values
                    yield Concern(what, ways, place.invited_at, season)


def overdue_tables(seasons: Seasons, now: datetime) -> Iterator[Concern]:
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
        yield Concern(what, (lead_to(table, "adjudicate", _("Set the result")),), about=season)
