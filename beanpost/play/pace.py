"""The pace of a match: one line of text, stored with the match and chosen by the player who opens it.

>>> print(parse_pace("36h bank 2d gain 6h days 12345 quiet 22-6 at 20"))
36h bank 2d gain 6h days 12345 quiet 22-6 at 20
>>> str(parse_pace("daily")) == str(PACES["daily"])
True
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

EVERY_DAY = "1234567"  # Monday is 1
SHORTEST, LONGEST = timedelta(minutes=10), timedelta(days=60)
LONGEST_SITTING = timedelta(days=120)  # with the reserve and the days that do not count
MIN_WAKING_HOURS = 6  # hours of a day that must not be quiet
QUIET_MORNING_HOURS = 2  # hours after the quiet ones that are free of deadlines too, so that players can get up
UNITS = {"d": timedelta(days=1), "h": timedelta(hours=1), "m": timedelta(minutes=1)}


class BadPace(ValueError):
    """The text is not a pace, or one that nobody could play at."""


@dataclass(frozen=True)
class Pace:
    """The time that a match grants each seat."""

    allowance: timedelta  # for one sitting: from when the table waits for a seat until it waits for another
    bank: timedelta = timedelta()  # the most that can be saved
    gain: timedelta = timedelta()  # saved by every sitting that needed no more than the allowance
    window: timedelta | None = None  # for a market, in which others may speak too; None: a third of the allowance
    excuses: int = 2  # how often per match a late player gets more time
    days: str = EVERY_DAY  # days that count; on the others the clock stands still
    quiet: tuple[int, int] | None = None  # hours, in the player's time zone, without deadlines
    hour: int | None = None  # the only hour, in the player's time zone, for deadlines

    @property
    def counts_every_day(self) -> bool:
        return self.days == EVERY_DAY

    def is_counted(self, day: date) -> bool:
        return str(day.isoweekday()) in self.days

    def is_quiet(self, hour: int, *, morning: int = 0) -> bool:
        """Return whether an hour of the day is quiet, counting `morning` more hours after the quiet ones.

        >>> [hour for hour in range(24) if PACES["daily"].is_quiet(hour, morning=2)]
        [0, 1, 2, 3, 4, 5, 6, 7, 22, 23]
        """
        if self.quiet is None:
            return False
        first, end = self.quiet
        return (hour - first) % 24 < (end - first) % 24 + morning

    @property
    def market(self) -> timedelta:
        """The time limit of a question in which others may speak too.

        >>> str(PACES["daily"].market), str(parse_pace("1d window 12h").market)
        ('8:00:00', '12:00:00')
        """
        return self.window or max(self.allowance / 3, SHORTEST)

    @property
    def extension(self) -> timedelta:
        """The extra time of a player who is excused."""
        return max(self.allowance / 2, SHORTEST)

    def __str__(self) -> str:
        parts = [format_span(self.allowance)]
        parts += [f"{name} {format_span(span)}" for name in ("bank", "gain") if (span := getattr(self, name))]
        parts += [f"window {format_span(self.window)}"] if self.window else []
        parts += [f"excuses {self.excuses}"] if self.excuses != Pace.excuses else []
        parts += [f"days {self.days}"] if not self.counts_every_day else []
        parts += [f"quiet {self.quiet[0]}-{self.quiet[1]}"] if self.quiet else []
        parts += [f"at {self.hour}"] if self.hour is not None else []
        return " ".join(parts)


def format_span(span: timedelta) -> str:
    """Return a span in its largest whole unit: `36h`, `2d`."""
    unit = next(unit for unit in UNITS if span % UNITS[unit] == timedelta())
    return f"{span // UNITS[unit]}{unit}"


def parse_pace(text: str) -> Pace:
    """Return the pace that a text names or spells out, or raise BadPace."""
    if text in PACES:
        return PACES[text]
    return parse_terms(text)


def parse_terms(text: str) -> Pace:
    first, *words = text.split() or [""]
    if len(words) % 2 or len(text) > 100:
        raise BadPace(text)
    parts = dict(zip(words[::2], words[1::2], strict=True))
    values = {"hour" if name == "at" else name: find_parser(name)(value) for name, value in parts.items()}
    return check_limits(Pace(parse_span(first), **values))


def find_parser(name: str) -> Callable[[str], Any]:
    if name not in PARSERS:
        raise BadPace(name)
    return PARSERS[name]


def parse_span(text: str) -> timedelta:
    found = re.fullmatch(r"([0-9]{1,5})([dhm])", text, re.A)
    if not found:
        raise BadPace(text)
    return int(found[1]) * UNITS[found[2]]


def parse_digit(text: str) -> int:
    if not re.fullmatch("[0-9]", text, re.A):
        raise BadPace(text)
    return int(text)


def parse_days(text: str) -> str:
    if not text or not set(text) <= set(EVERY_DAY):
        raise BadPace(text)
    return "".join(sorted(set(text)))


def parse_hour(text: str) -> int:
    if not re.fullmatch("[0-9]{1,2}", text, re.A) or int(text) > 23:
        raise BadPace(text)
    return int(text)


def parse_hours(text: str) -> tuple[int, int]:
    first, _, end = text.partition("-")
    return parse_hour(first), parse_hour(end)


PARSERS: dict[str, Callable[[str], Any]] = {
    "bank": parse_span,
    "gain": parse_span,
    "window": parse_span,
    "excuses": parse_digit,
    "days": parse_days,
    "quiet": parse_hours,
    "at": parse_hour,
}


def check_limits(pace: Pace) -> Pace:
    """Return the pace if its limits are neither too short nor too long, or raise BadPace."""
    limits = [pace.allowance, pace.market]
    if not all(SHORTEST <= limit <= LONGEST for limit in limits) or pace.bank > LONGEST:
        raise BadPace(str(pace.allowance))
    if pace.quiet and (pace.quiet[1] - pace.quiet[0]) % 24 not in range(1, 24 - MIN_WAKING_HOURS + 1):
        raise BadPace(f"{pace.quiet[0]}-{pace.quiet[1]}")
    return pace


PACES: dict[str, Pace] = {}
PACES |= {
    "brisk": parse_terms("12h bank 12h gain 3h quiet 22-6"),
    "daily": parse_terms("1d bank 2d gain 6h quiet 22-6"),
    "relaxed": parse_terms("3d bank 4d gain 12h quiet 22-6"),
    "weekly": parse_terms("7d bank 7d gain 1d quiet 22-6"),
    "weekend-free": parse_terms("1d bank 2d gain 6h days 12345 quiet 22-6"),
}


def check_pace(pace: str) -> None:
    """Refuse a pace with which nobody may start a match. Matches that already have such a pace continue."""
    try:
        check_promise(parse_pace(pace))
    except BadPace:
        raise ValidationError(
            _(
                "We can’t read that pace. Follow the example, and leave at least six hours of the day outside quiet "
                "time."
            )
        ) from None


def check_promise(pace: Pace) -> None:
    """Refuse a pace that would not keep what it says, and say why."""
    if pace.quiet and pace.hour is not None and pace.is_quiet(pace.hour, morning=QUIET_MORNING_HOURS):
        why = _(
            "Time can’t run out at %(hour)d: no deadline falls into the quiet hours or the two hours after them. "
            "Choose an hour from %(first)d to %(last)d."
        )
        first, end = pace.quiet
        hours = {"hour": pace.hour, "first": (end + QUIET_MORNING_HOURS) % 24, "last": (first - 1) % 24}
        raise ValidationError(why % hours)
    longest = max(pace.allowance + pace.bank, pace.market) * len(EVERY_DAY) / len(pace.days)
    if longest > LONGEST_SITTING:
        why = _(
            "One move could take %(days)d days, with reserve time and the days that don’t count. The most is %(most)d."
        )
        raise ValidationError(why % {"days": longest.days, "most": LONGEST_SITTING.days})
