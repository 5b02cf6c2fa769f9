"""A player's own seat, besides moving: new links, notes, reports, reminders."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from beanpost.play import load, signals
from beanpost.play.models import Match, Note, Place
from beanpost.play.perspective import Perspective
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.players.names import strip_invisible
from games.contract.seats import Seat

PRESENCE_LASTS = timedelta(minutes=2)  # how long a player counts as being at the page
PRESENCE_STORED_EVERY = timedelta(minutes=1)  # stored at most this often


@transaction.atomic
def renew_links(place: Place) -> None:
    """Void every link that was ever sent for this seat. Pressing twice does it once.

    Also sign the player out everywhere: if somebody else reads their letters, that person can get a sign-in link too.
    """
    if place.player_id:  # lock order: the player before the match and the seat, as when a bounce is recorded
        accounts.lock_player(place.player_id)
    load.lock_match(place.match_id)  # lock order: the match before the seat, as for a move
    renewed = Place.objects.filter(pk=place.pk, occupant=place.occupant).update(occupant=F("occupant") + 1)
    place.refresh_from_db(fields=["occupant"])
    if renewed and place.player:
        accounts.sign_out_everywhere(place.player)


@transaction.atomic
def renew_all_links(player: Player, session: int) -> bool:
    """Void every link that was ever sent to a player, those of ended matches too. Works once per session number."""
    ended = accounts.sign_out_everywhere(player, session)
    if ended:
        player.places.update(occupant=F("occupant") + 1)
    return ended


def set_hears_notes(place: Place, hears: bool) -> None:
    Place.objects.filter(pk=place.pk).update(hears_notes=hears)
    place.hears_notes = hears


def set_may_be_watched(place: Place, may_be_watched: bool) -> None:
    """Give or withdraw the player's consent to list the match for everybody. A withdrawal takes effect at once."""
    Place.objects.filter(pk=place.pk, occupant=place.occupant).update(may_be_watched=may_be_watched)
    place.may_be_watched = may_be_watched


def stop_reminding(place: Place) -> None:
    """Send no more reminders of this match; letters about its questions still go out."""
    Place.objects.filter(pk=place.pk).update(wants_reminders=False)


def note_presence(place: Place, *, now: datetime) -> None:
    """Note that the seat's player is looking at the table right now. This is shown to nobody."""
    old = Q(here_at=None) | Q(here_at__lte=now - PRESENCE_STORED_EVERY)
    Place.objects.filter(old, pk=place.pk, occupant=place.occupant).update(here_at=now)


def find_readable_notes(place: Place) -> list[tuple[str, Note]]:
    """Return the notes that a player can read, the newest first, each with the author's name."""
    if place.match.started_at is None:
        return []
    seen = Perspective(place.match, place.seat)
    with_moves, between = seen.find_notes()
    notes = sorted([*with_moves.values(), *between], key=lambda note: -note.pk)
    return [(seen.find_names_at(note.seq)[note.seat], note) for note in notes]


@transaction.atomic
def write_note(place: Place, text: str, *, now: datetime) -> None:
    """Write a note to the table between moves. The other players read it in their next letters.

    One note per player and line: nobody can flood the others' letters.
    """
    match = load.lock_seat(place)
    seen = strip_invisible(text)
    if not seen:
        raise ValidationError(_("Write a few words first."))
    if match.started_at is None:
        raise ValidationError(_("The match hasn’t started yet."))
    if place.resigned_at or match.length <= place.seated:
        raise ValidationError(_("You can’t write a note now."))
    if Note.objects.filter(match=match, seat=place.seat, seq=match.length).exists():
        raise ValidationError(_("You’ve already written a note since the last move. Write again after the next."))
    Note.objects.create(match=match, seat=place.seat, seq=match.length, text=seen, said_at=now)


def find_caretaker(match: Match, seat: Seat, *, reporter: Player | None = None, now: datetime) -> Player | None:
    """Return the person who looks after a table and hears of a seat; never somebody who plays or has played there.

    That is its keeper, unless they have left, then the keeper of its league, another player than the one who reported
    something, or the host.
    """
    sit_there, sat_there = match.places.filter(seat=seat), match.departures.filter(seat=seat)
    others = Player.objects.filter(unwanted_at=None).exclude(departures__in=sat_there)
    written_to = others.exclude(places__in=sit_there)
    players = written_to.filter(places__in=match.places.filter(resigned_at=None)).order_by("places__seat")
    keepers: list[Any] = [keeper for _receiver, keeper in signals.keeper_sought.send(Match, match=match)]
    silent = players.exclude(pk=reporter.pk) if reporter else players
    ranked = (players.filter(pk=match.keeper_id), written_to.filter(pk__in=keepers), silent)
    found = next((found for people in ranked if (found := people.first())), None)
    host = None if found else find_host(now)
    return found or (host and written_to.filter(pk=host.pk).first())


def find_host(now: datetime) -> Player | None:
    """Return the first superuser with an address as a player, since letters go to players."""
    hosts = User.objects.filter(is_superuser=True, is_active=True).order_by("pk")
    for address in hosts.values_list("email", flat=True):
        with suppress(ValidationError):
            return accounts.get_or_create_player(address, now=now)
    return None


@transaction.atomic
def report_note(place: Place, note_id: int, *, now: datetime) -> bool:
    """Report an offensive note, once per note, if the player can read it."""
    if note_id not in (note.pk for _, note in find_readable_notes(place)):
        return False
    note = Note.objects.filter(pk=note_id, reported_at=None).exclude(seat=place.seat)
    if not note.update(reported_at=now):
        return False
    signals.reported.send(Match, match=place.match, note=Note.objects.get(pk=note_id), by=place.player, now=now)
    return True
