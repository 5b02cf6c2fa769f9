"""What somebody at a table may do about their own seat, besides moving."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F

from beanpost.play import signals
from beanpost.play.models import Match, Note, Place


def renew(place: Place) -> None:
    """Void every link that was ever sent for this seat. Pressing twice renews once."""
    Place.objects.filter(pk=place.pk, occupant=place.occupant).update(occupant=F("occupant") + 1)
    place.refresh_from_db(fields=["occupant"])


def hear_notes(place: Place, hears: bool) -> None:
    Place.objects.filter(pk=place.pk).update(hears_notes=hears)
    place.hears_notes = hears


def stop_reminding(place: Place) -> None:
    """No more reminders of this match; its questions still come by letter."""
    Place.objects.filter(pk=place.pk).update(wants_reminders=False)


@transaction.atomic
def report(place: Place, note_id: int, *, now: datetime) -> bool:
    """Tell the keeper of a note that should not have been written; each note once."""
    note = Note.objects.filter(pk=note_id, match=place.match_id, reported_at=None).exclude(seat=place.seat)
    if not note.update(reported_at=now):
        return False
    signals.reported.send(Match, match=place.match, note=Note.objects.get(pk=note_id), now=now)
    return True
