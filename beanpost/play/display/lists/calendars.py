"""Deadlines as calendar entries, in letters and as a feed. People share calendars: entries hold no card, no ticket."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.utils.translation import gettext as _
from icalendar import Alarm, Calendar, Event

from beanpost.play.display.lists.my_games import SeatRow
from beanpost.play.display.scene import Scene
from beanpost.play.display.wording import join_names
from beanpost.play.models import Match
from beanpost.players.models import Player
from beanpost.site.links import link
from games.engine import catalogue

SHOWN_FOR = timedelta(minutes=15)  # an entry needs an end, or many calendars show none


def build_feed(tables: Iterable[SeatRow], now: datetime) -> str:
    """Return a calendar with the deadline of every table that waits for its reader."""
    calendar = Calendar()
    for name, value in {"prodid": "-//Beanpost//deadlines//EN", "version": "2.0", "method": "PUBLISH"}.items():
        calendar.add(name, value)
    calendar.add("x-wr-calname", settings.SITE_NAME)
    for table in tables:
        if table.wait and table.wait.due_at:
            calendar.add_component(build_entry(table, table.wait.due_at, now))
    return str(calendar.to_ical(), "utf-8")


def build_entry(table: SeatRow, due: datetime, now: datetime) -> Event:
    """Return the entry of a seat. Its UID never changes, so it moves with the deadline and with each new question."""
    calendar_entry = Event()
    calendar_entry.add("uid", f"{table.match.code}.{table.place.seat}@{settings.SITE_HOST}")
    calendar_entry.add("sequence", table.match.length)  # every change of a deadline is a line of the log
    calendar_entry.add("dtstamp", now)
    calendar_entry.add("dtstart", due)
    calendar_entry.add("dtend", due + SHOWN_FOR)
    calendar_entry.add("summary", build_summary(table))
    calendar_entry.add("description", _("Your move is due by then. The links are in your letter."))
    calendar_entry.add("url", link("match", table.match.code))
    calendar_entry.add("transp", "TRANSPARENT")
    if table.place.player and table.place.player.alarm_hours:
        calendar_entry.add_component(build_alarm(table.match, table.place.player, due))
    return calendar_entry


def build_alarm(match: Match, player: Player, due: datetime) -> Alarm:
    """Return the alarm that a player wants so many hours before a deadline.

    It rings earlier rather than in quiet hours or on a day that does not count.
    """
    pace, rings = match.parsed_pace, due - timedelta(hours=player.alarm_hours)
    while pace.is_quiet((local := rings.astimezone(player.tz)).hour) or not pace.is_counted(local.date()):
        rings -= timedelta(hours=1)
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("trigger", rings - due)
    alarm.add("description", _("Your move is due soon."))
    return alarm


def build_summary(table: SeatRow) -> str:
    title = catalogue.title(table.match.game)
    return _("%(game)s with %(names)s: your move") % {"game": title, "names": join_names(table.others)}


def build_letter_calendar(scenes: Iterable[Scene], now: datetime) -> str:
    """Return the calendar that goes with a letter about these tables, or "" if none of them has a deadline."""
    tables = [
        SeatRow(scene.place, scene.others, scene.wait)
        for scene in scenes
        if scene.place and scene.wait and scene.wait.due_at
    ]
    return build_feed(tables, now) if tables else ""
