"""The letters that ask people into a season, and what became of them: told by the newest one to each.

Which entry a letter is about stands in its key, "entry/7" or "entry/7/…": the post room knows no entries.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import CharField, Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Concat
from django.utils.translation import gettext as _

from beanpost.leagues.holding import hold_in
from beanpost.leagues.models import Entry, Season
from beanpost.post import outbox
from beanpost.post.models import Fate, Letter

KIND = "league_invite"
RETURNED = [fate for fate in Fate if fate.is_return]
OPEN = (Season.Phase.PLANNED, Season.Phase.ENTERING)


def write(entry: Entry, *, now: datetime, nth: str = "", **more: Any) -> None:
    """Ask somebody; the same letter is queued once."""
    key = f"entry/{entry.pk}/{nth}" if nth else f"entry/{entry.pk}"
    outbox.queue(entry.player, KIND, key, {"entry": entry.pk, **more}, now=now)


def key_of(entry: Any) -> Concat:
    return Concat(Value("entry/"), Cast(entry, CharField()), Value("/"), output_field=CharField())


def whole(key: Any) -> Concat:
    """With an end: "entry/7" is no part of "entry/77"."""
    return Concat(key, Value("/"), output_field=CharField())


def in_leagues(leagues: QuerySet[Any]) -> Q:
    """For letters: those that ask into a season of these leagues, to people whom its organisers know."""
    return asking(Entry.objects.filter(~Entry.hidden(), season__league__in=leagues))


def asking(entries: QuerySet[Entry]) -> Q:
    """For letters: those that ask these people into their seasons."""
    asked = entries.filter(player=OuterRef("recipient"))
    about = asked.annotate(letter=whole(OuterRef("key"))).filter(letter__startswith=key_of(F("pk")))
    return Q(kind=KIND) & Q(Exists(about))


def with_post(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Each with the state and the fate of the letter that asked them last."""
    theirs = Letter.objects.filter(kind=KIND, match=None, recipient=OuterRef("player")).annotate(about=whole("key"))
    newest = theirs.filter(about__startswith=key_of(OuterRef("pk"))).order_by("-pk")
    return entries.annotate(post=Subquery(newest.values("state")[:1]), fate=Subquery(newest.values("fate")[:1]))


def not_delivered(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Those who could still enter, and do not know that they were asked."""
    by_name = ~Q(on_acceptance="") & ~Q(season__phase=Season.Phase.ENDED)
    asked = with_post(entries).filter(Q(season__phase__in=OPEN) | by_name, state=Entry.State.INVITED)
    return asked.filter(Q(post=Letter.State.FAILED) | Q(fate__in=RETURNED))


def is_lost(entry: Any) -> bool:
    """Whether to write to somebody anew; of one that is not `with_post` nothing is known."""
    can_enter = entry.season.phase in OPEN or (entry.on_acceptance and entry.season.phase != Season.Phase.ENDED)
    asked = entry.state == Entry.State.INVITED and bool(can_enter)
    return asked and hasattr(entry, "post") and is_return(entry)


def what_became_of(entry: Any) -> str:
    """What became of the letter, for one `with_post`: what its mail server says, or how far it got with us.

    Of somebody the organisers don't know they read that it came back, or that it was sent: anything else could tell
    that the address wants no letters from us, and so that it is known here.
    """
    if entry.is_hidden and entry.invited_at and not is_return(entry):
        return str(Letter.State.SENT.label)
    return str(Fate(entry.fate).label if entry.fate else Letter.State(entry.post).label if entry.post else "—")


def is_return(entry: Any) -> bool:
    return entry.post == Letter.State.FAILED or entry.fate in RETURNED


@transaction.atomic
def write_again(entry: Entry, *, now: datetime) -> None:
    """A fresh letter, to where they are written to now, where the last one did not arrive."""
    hold_in(entry.season, entry)  # who presses in the same moment finds it on its way
    if entry.player.unwanted_at and not entry.is_hidden:
        raise ValidationError(_("%(name)s wants no more letters.") % {"name": entry.called})
    if not not_delivered(Entry.objects.filter(pk=entry.pk)).exists():
        raise ValidationError(_("The last letter has not come back. Who is silent is asked once more after a while."))
    entry.invited_at = now
    entry.save(update_fields=["invited_at"])
    write(entry, now=now, nth=f"{now:%y%m%d%H%M%S}")
