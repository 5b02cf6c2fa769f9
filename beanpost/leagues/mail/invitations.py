"""The letters that invite people to a season, and whether they arrived. Only the newest to each person counts."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from beanpost.leagues.locks import lock_row
from beanpost.leagues.models import Entry, Season
from beanpost.post.models import Fate, Letter
from beanpost.post.outbox import queue

KIND = "league_invite"
RETURNED_FATES = [fate for fate in Fate if fate.is_return]
OPEN_PHASES = (Season.Phase.PLANNED, Season.Phase.ENTERING)


def queue_invitation(entry: Entry, *, now: datetime, nth: str = "", **more: Any) -> None:
    """Queue an invitation. The same key is queued only once."""
    queue.queue(entry.player, KIND, f"entry/{entry.pk}/{nth}", {"entry": entry.pk, **more}, now=now, about=entry)


def is_invitation_of(leagues: QuerySet[Any]) -> Q:
    """Match invitations to seasons of these leagues, if their organisers know the recipient."""
    return Q(kind=KIND, about_id__in=Entry.objects.filter(~Entry.hidden(), season__league__in=leagues).values("pk"))


def annotate_delivery(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Annotate entries with the state and the fate of their newest invitation."""
    newest = Letter.objects.filter(kind=KIND, about_id=OuterRef("pk")).order_by("-pk")
    return entries.annotate(post=Subquery(newest.values("state")[:1]), fate=Subquery(newest.values("fate")[:1]))


def find_undelivered(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Return entries that could still be accepted, but whose invitation did not arrive."""
    by_name = ~Q(on_acceptance="") & ~Q(season__phase=Season.Phase.ENDED)
    asked = annotate_delivery(entries).filter(Q(season__phase__in=OPEN_PHASES) | by_name, state=Entry.State.INVITED)
    return asked.filter(Q(post=Letter.State.FAILED) | Q(fate__in=RETURNED_FATES))


def is_lost(entry: Any) -> bool:
    """Whether to send a new invitation. False for entries that `annotate_delivery` has not annotated."""
    can_enter = entry.season.phase in OPEN_PHASES or (entry.on_acceptance and entry.season.phase != Season.Phase.ENDED)
    asked = entry.state == Entry.State.INVITED and bool(can_enter)
    return asked and hasattr(entry, "post") and is_return(entry)


def describe_delivery(entry: Any) -> str:
    """Say what became of an invitation, by the mail server's report or our own state. Needs `annotate_delivery`.

    For people whom the organisers don't know, say only "returned" or "sent": anything else could reveal that the
    address wants no letters from us, and therefore that it is known here.
    """
    if entry.is_hidden and entry.invited_at and not is_return(entry):
        return str(Letter.State.SENT.label)
    return str(Fate(entry.fate).label if entry.fate else Letter.State(entry.post).label if entry.post else "—")


def is_return(entry: Any) -> bool:
    return entry.post == Letter.State.FAILED or entry.fate in RETURNED_FATES


@transaction.atomic
def resend(entry: Entry, *, now: datetime) -> None:
    """Send a new invitation to the player's current address, if the last one did not arrive."""
    lock_row(entry.season, entry)  # a second press in the same moment finds the first one's letter queued
    if entry.player.unwanted_at and not entry.is_hidden:
        raise ValidationError(_("%(name)s has unsubscribed from all letters.") % {"name": entry.called})
    if not find_undelivered(Entry.objects.filter(pk=entry.pk)).exists():
        raise ValidationError(
            _("The last letter didn’t bounce. People who don’t answer are reminded once, after a while.")
        )
    entry.invited_at = now
    entry.save(update_fields=["invited_at"])
    queue_invitation(entry, now=now, nth=f"{now:%y%m%d%H%M%S}")
