"""Deadlines as calendar entries, in letters and as a feed. People share calendars: entries hold no card, no ticket."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from beanpost.play.display.my_games import Seated
from beanpost.play.display.wording import listed
from beanpost.site.links import link
from games.engine import catalogue


def published(tables: Iterable[Seated], now: datetime) -> str:
    """Return a calendar with the deadline of every table that waits for its reader."""
    calendar = Calendar()
    for name, value in {"prodid": "-//Beanpost//deadlines//EN", "version": "2.0", "method": "PUBLISH"}.items():
        calendar.add(name, value)
    calendar.add("x-wr-calname", "Beanpost")
    for table in tables:
        if table.wait and table.wait.due_at:
            calendar.add_component(entry(table, table.wait.due_at, now))
    return str(calendar.to_ical(), "utf-8")


def entry(table: Seated, due: datetime, now: datetime) -> Event:
    """Return the entry of a seat. Its UID never changes, so it moves with the deadline and with each new question."""
    told = Event()
    told.add("uid", f"{table.match.code}.{table.place.seat}@{settings.SITE_HOST}")
    told.add("sequence", table.match.length)  # every change of a deadline is a line of the log
    told.add("dtstamp", now)
    told.add("dtstart", due)
    told.add("summary", summary(table))
    told.add("description", _("Your move is due by then. The links are in your letter."))
    told.add("url", link("match", table.match.code))
    told.add("transp", "TRANSPARENT")
    return told


def summary(table: Seated) -> str:
    title = catalogue.title(table.match.game)
    return _("%(game)s with %(names)s: your move") % {"game": title, "names": listed(table.others)}


def enclosed(said: Mapping[str, Any], now: datetime) -> str:
    """Return the calendar that goes with a letter, or "" if none of its questions has a deadline."""
    scenes = [one["scene"] for one in said.get("questions", [said]) if one.get("scene")]
    tables = [Seated(scene.place, scene.others, scene.wait) for scene in scenes if scene.wait and scene.wait.due_at]
    return published(tables, now) if tables else ""
