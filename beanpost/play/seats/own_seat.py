"""A player's own seat, besides moving: new links, notes, reports, reminders."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q

from beanpost.play import signals
from beanpost.play.display import scene
from beanpost.play.log import load
from beanpost.play.models import Match, Note, Place
from beanpost.players import accounts
from beanpost.players.models import Player

HERE = timedelta(minutes=2)  # how long somebody counts as being at the page
SEEN_AGAIN = timedelta(minutes=1)  # stored at most this often


@transaction.atomic
def renew(place: Place) -> None:
    """Void every link that was ever sent for this seat. Pressing twice does it once.

    Also sign the player out everywhere: if somebody else reads their letters, that person can get a sign-in link too.
    """
    if place.player_id:  # lock order: the player before the match and the seat, as when a bounce is recorded
        accounts.hold(place.player_id)
    load.lock(place.match_id)  # lock order: the match before the seat, as for a move
    renewed = Place.objects.filter(pk=place.pk, occupant=place.occupant).update(occupant=F("occupant") + 1)
    place.refresh_from_db(fields=["occupant"])
    if renewed and place.player:
        accounts.sign_out_everywhere(place.player)


@transaction.atomic
def renew_all(player: Player, session: int) -> bool:
    """Void the links of all of a player's seats, for players who forwarded a letter about all. Once per session."""
    if not accounts.end_sessions(player, session):
        return False
    player.places.exclude(match__phase__in=(Match.Phase.ENDED, Match.Phase.CALLED_OFF)).update(
        occupant=F("occupant") + 1
    )
    return True


def hear_notes(place: Place, hears: bool) -> None:
    Place.objects.filter(pk=place.pk).update(hears_notes=hears)
    place.hears_notes = hears


def stop_reminding(place: Place) -> None:
    """Send no more reminders of this match; letters about its questions still go out."""
    Place.objects.filter(pk=place.pk).update(wants_reminders=False)


def see(place: Place, *, now: datetime) -> None:
    """Note that the seat's player is looking at the table right now. Nobody is shown this."""
    old = Q(here_at=None) | Q(here_at__lte=now - SEEN_AGAIN)
    Place.objects.filter(old, pk=place.pk, occupant=place.occupant).update(here_at=now)


def is_here(place: Place, now: datetime) -> bool:
    """Return whether the seat's player was at the table within the last two minutes."""
    return place.here_at is not None and now - place.here_at < HERE


def notes_for(place: Place) -> list[tuple[str, Note]]:
    """Return the notes that a player can read, the newest first, each with the author's name."""
    if place.match.started_at is None:
        return []
    shown = scene.of(place.match, place.seat)
    notes = sorted(shown.notes.values(), key=lambda note: -note.pk)
    return [(shown.names_at(note.seq)[note.seat], note) for note in notes]


@transaction.atomic
def report(place: Place, note_id: int, *, now: datetime) -> bool:
    """Report an offensive note to the keeper, once per note, if the player can read it."""
    if note_id not in (note.pk for _, note in notes_for(place)):
        return False
    note = Note.objects.filter(pk=note_id, reported_at=None).exclude(seat=place.seat)
    if not note.update(reported_at=now):
        return False
    signals.reported.send(Match, match=place.match, note=Note.objects.get(pk=note_id), now=now)
    return True
