"""When people look in. Two habits, both fixed: a goal that is missed is no reason to change them.

*By mail*: a look every 12 hours, give or take 40 %, at hours of their own, day and night.
*Evenings*: a live page from 20:00 to 22:00, answers within a minute, and nothing outside these hours.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, time, timedelta
from typing import Protocol

BETWEEN_LOOKS = timedelta(hours=12)
SPREAD = 0.4
TIME_PER_PRESS = timedelta(seconds=30)  # from one press to the next in the same sitting

EVENING = time(20), time(22)  # everybody lives in UTC
TO_ANSWER = timedelta(seconds=40)
TO_ANSWER_SPREAD = 0.5


class Habit(Protocol):
    needs_letters: bool  # whether people notice a question by its letter alone

    def first_look(self, now: datetime) -> datetime:
        """Return when a person looks in for the first time after the start of the match."""

    def next_look(self, now: datetime) -> datetime:
        """Return when a person who leaves now looks in again."""

    def next_press(self, now: datetime) -> datetime:
        """Return when a person who sees a page now presses a button."""


class ByMail:
    needs_letters = True

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.last = datetime.min.replace(tzinfo=UTC)

    def first_look(self, now: datetime) -> datetime:
        self.last = now + self.chance.random() * BETWEEN_LOOKS
        return self.last

    def next_look(self, now: datetime) -> datetime:
        """Count from the last look, so that a long sitting does not delay the next one."""
        self.last += BETWEEN_LOOKS * self.chance.uniform(1 - SPREAD, 1 + SPREAD)
        return max(self.last, now)

    def next_press(self, now: datetime) -> datetime:
        return now + TIME_PER_PRESS


class Evenings:
    needs_letters = False

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def first_look(self, now: datetime) -> datetime:
        return self.next_press(now)

    def next_look(self, now: datetime) -> datetime:
        return self.next_press(now)

    def next_press(self, now: datetime) -> datetime:
        """Return when a question that is seen now is answered: within a minute, if the evening is long enough."""
        takes = TO_ANSWER * self.chance.uniform(1 - TO_ANSWER_SPREAD, 1 + TO_ANSWER_SPREAD)
        at = find_next_opening(now) + takes
        return at if is_seated(at) else find_next_opening(at) + takes


def is_seated(now: datetime) -> bool:
    begins, ends = EVENING
    return begins <= now.time() < ends


def find_next_opening(now: datetime) -> datetime:
    """Return now during an evening, otherwise when the next one begins."""
    if is_seated(now):
        return now
    begins = datetime.combine(now.date(), EVENING[0], now.tzinfo)
    return begins if now < begins else begins + timedelta(days=1)
