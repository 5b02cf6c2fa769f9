"""Players and their seats before a match begins: invite, join, confirm, decline."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from beanpost.play import load, signals
from beanpost.play.models import Match, Place, Proposal, Voice
from beanpost.play.seats import lifecycle, names
from beanpost.players import accounts, confirming
from beanpost.players.models import Player
from beanpost.players.names import BOTS

INVITATIONS_A_DAY = 20


def check_invitations(player: Player, more: int, now: datetime) -> None:
    """Limit invitations per day, so that nobody can flood strangers' mailboxes. The caller holds the player's lock."""
    if count_invitations(player, now - timedelta(days=1)) + more > INVITATIONS_A_DAY:
        raise ValidationError(
            _("You can invite up to %(most)d people a day. Please try again tomorrow.") % {"most": INVITATIONS_A_DAY}
        )


def count_invitations(player: Player, since: datetime) -> int:
    """Count the people a player has invited to their tables, and their votes to offer somebody a seat."""
    kept = Place.objects.filter(match__keeper=player, match__placed=False, seated=0, invited_at__gt=since)
    voices = Voice.objects.filter(
        proposal__about=Proposal.About.GIVE,
        proposal__opened_at__gt=since,
        proposal__match__places__player=player,
        seat=F("proposal__match__places__seat"),
    )
    return kept.filter(player__isnull=False).exclude(player=player).count() + voices.count()


def find_free_seat(match: Match) -> int:
    taken = set(match.places.values_list("seat", flat=True))
    free = [seat for seat in range(match.seats) if seat not in taken]
    if not free or match.phase != Match.Phase.GATHERING:
        raise ValidationError(_("This table is full."))
    return free[0]


def check_open(match: Match) -> None:
    """Raise unless the table is open to everybody and has a free seat."""
    if not match.open_to_all:
        raise ValidationError(_("This table isn’t open to everyone."))
    find_free_seat(match)


def seat_player(match: Match, player: Player, *, now: datetime) -> Place:
    if match.places.filter(player=player).exists():
        raise ValidationError(_("That person already has a seat at this table."))
    occupant = make_occupant_number(match, now)
    place = match.places.create(
        seat=find_free_seat(match),
        player=player,
        name=names.choose_name(match, player),
        occupant=occupant,
        invited_at=now,
    )
    names.make_names_distinct(match)
    place.refresh_from_db(fields=["name"])
    return place


def make_occupant_number(match: Match, now: datetime) -> int:
    """Return an occupant number that no earlier occupant had: links of players who declined must not work again."""
    return 1 + int((now - match.opened_at).total_seconds())


def seat_bot(match: Match, number: int, *, now: datetime) -> Place:
    return match.places.create(seat=find_free_seat(match), name=BOTS[number], invited_at=now, confirmed_at=now)


def invite(match: Match, address: str, *, now: datetime) -> Place:
    """Reserve a seat for the player with this address, and announce the invitation."""
    place = seat_player(match, accounts.get_or_create_player(address, language=match.keeper.language, now=now), now=now)
    signals.invited.send(Match, place=place, now=now)
    return place


@transaction.atomic
def invite_instead(match_id: int, address: str, *, now: datetime) -> Place:
    """Invite somebody to a seat that has become free."""
    keeper = Player.objects.get(kept=match_id)
    accounts.lock_player(keeper.pk)  # lock order: the player before the match
    match = load.lock_match(match_id)
    check_invitations(keeper, 1, now)
    return invite(match, address, now=now)


@transaction.atomic
def join(match_id: int, player: Player, *, word: str = "", now: datetime) -> Place:
    """Seat a player at an open table, confirmed at once."""
    confirming.confirm(player, now=now)
    match = load.lock_match(match_id)
    place = match.places.filter(player=player).first()
    if place is None:
        check_open(match)
        place = seat_player(match, player, now=now)
    confirm(match, place, word=word, now=now)
    return place


@transaction.atomic
def accept_invitation(place: Place, *, name: str, word: str, now: datetime) -> Match:
    """Accept an invitation."""
    if place.player_id:  # lock order: the player before the match, as when a bounce is recorded
        accounts.lock_player(place.player_id)
    match = load.lock_seat(place)
    if place.player:
        confirming.confirm(place.player, now=now)
    if place.player and place.player.name != name:
        accounts.change(place.player, name=name)
    confirm(match, place, word=word, now=now)
    return match


def confirm(match: Match, place: Place, *, word: str, now: datetime) -> None:
    """Confirm a seat, and begin the match once all are confirmed. The caller holds the match's lock."""
    if match.phase != Match.Phase.GATHERING or place.confirmed_at:
        return
    assert place.player is not None
    place.name, place.confirmed_at = names.choose_name(match, place.player), now
    place.word = accounts.tidy_text(word) or place.word
    place.save(update_fields=["name", "word", "confirmed_at"])
    names.make_names_distinct(match)
    place.refresh_from_db(fields=["name"])
    lifecycle.begin_if_ready(match, now)


@transaction.atomic
def set_word(place: Place, word: str) -> None:
    """Set a player's word for the shuffle, confirmed or not, as long as the match has not begun."""
    match = load.lock_seat(place)
    if match.phase != Match.Phase.GATHERING:
        raise ValidationError(_("The match has started."))
    place.word = accounts.tidy_text(word) or place.word
    place.save(update_fields=["word"])


@transaction.atomic
def decline(place: Place, *, now: datetime) -> None:
    """Free the seat and tell the keeper. If the keeper declines, call off the match and tell the confirmed players."""
    match = load.lock_seat(place)
    if match.phase != Match.Phase.GATHERING:
        raise ValidationError(_("The match has started, so you can’t decline now. You can resign instead."))
    if place.is_keeper:
        lifecycle.call_off(match, now=now)
        signals.called_off.send(Match, match=match, now=now)
        return
    place.delete()
    names.make_names_distinct(match)
    signals.declined.send(Match, match=match, place=place, now=now)
