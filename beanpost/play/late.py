"""When time runs out: one reminder, then the game's default is said."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from beanpost.play import history, moves, signals
from beanpost.play.errors import Unplayed
from beanpost.play.models import Event, Match, Place, Vault, Wait

BATCH = 200


def remind(now: datetime) -> int:
    """Remind whoever's time is running out, each once. Safe to run twice."""
    waits = (
        Wait.objects.filter(remind_at__lte=now, due_at__gt=now).order_by("remind_at").select_related("match")[:BATCH]
    )
    return sum(remind_once(wait, now) for wait in waits)


@transaction.atomic
def remind_once(wait: Wait, now: datetime) -> bool:
    claimed = Wait.objects.filter(pk=wait.pk, remind_at=wait.remind_at).update(remind_at=None)
    if claimed:
        place = Place.objects.select_related("player").get(match=wait.match, seat=wait.seat)
        if place.wants_reminders:
            signals.reminded.send(Match, match=wait.match, wait=wait, place=place, now=now)
    return bool(claimed)


def time_out(now: datetime) -> int:
    """Say the default for everybody whose time is up. Safe to run twice, and on several machines at once."""
    due = Wait.objects.filter(due_at__lte=now).order_by("due_at")[:BATCH]
    return sum(answer_for(wait, now) for wait in due)


@transaction.atomic
def answer_for(wait: Wait, now: datetime) -> bool:
    match = moves.lock(wait.match_id)
    # Somebody may have answered, or got more time, since the list was made.
    if not Wait.objects.filter(pk=wait.pk, due_at__lte=now).exists():
        return False
    place = Place.objects.select_related("player").get(match=match, seat=wait.seat)
    origin = Event.Origin.BOT if place.is_bot else Event.Origin.CLOCK
    try:
        line, question = default(match, place), wait.opened
        made = moves.say(match, wait.seat, line, origin=origin, question=question, since=match.length, now=now)
    except Unplayed:
        return False
    if not place.is_bot:
        signals.late.send(Match, match=match, place=place, event=made.events[0], now=now)
    return True


def default(match: Match, place: Place) -> str:
    """What is said for a seat: by the rules' default, or by the bot that sits there."""
    table = history.table(match, Vault.objects.get(match=match))
    ask = table.ask(place.seat)
    assert ask is not None
    answer = table.rules.bot(table.view(place.seat), ask) if place.is_bot else ask.default
    return str(answer or ask.default)
