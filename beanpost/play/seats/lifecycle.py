"""The life of a match until it begins: plan, open, join, confirm, begin, or decline, call off, expire."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import games
from beanpost.database import batches
from beanpost.play import signals
from beanpost.play.deadlines import waits
from beanpost.play.log import append, load
from beanpost.play.models import Event, Match, Place, Proposal, Vault, Voice, card
from beanpost.play.pace import check_pace, parse_pace
from beanpost.play.random_codes import new_code, new_secret, new_word
from beanpost.play.seats import names
from beanpost.play.tickets import OpenTicket
from beanpost.play.turns import follow_up
from beanpost.players import accounts, confirming
from beanpost.players.models import Player
from games.contract.dice import compute_commitment
from games.contract.house_lines import Forfeit
from games.contract.seats import HOUSE

INVITATIONS_A_DAY = 20
FILLS_WITHIN = timedelta(days=21)  # a table that is not full by then is called off
BOTS = ("Bean Bot", "Broad Bot", "Black-eyed Bot", "Butter Bot", "Borlotti Bot", "Bamboo Bot", "Bush Bot")


def plan(
    keeper: Player,
    *,
    game: str,
    variant: str,
    seats: int,
    pace: str,
    open_to_all: bool,
    bots: int,
    addresses: Iterable[str],
    listed: bool = True,
) -> OpenTicket:
    """Check the plan of a new match and return its ticket. The match is opened when the link is pressed."""
    games.open(game, seats=seats, variant=variant)
    guests = tuple(dict.fromkeys(map(accounts.tidy_address, addresses)))
    if keeper.address in guests:
        raise ValidationError(_("You already have a seat. Just list the other players."))
    free = seats - 1 - bots - len(guests)
    if free < 0:
        raise ValidationError(
            ngettext("That’s one person too many.", "That’s %(count)d people too many.", -free) % {"count": -free}
        )
    if free and not open_to_all:
        raise ValidationError(
            ngettext(
                "One seat is still free. Invite a player, add a bot or open the table to anyone.",
                "%(count)d seats are still free. Invite players, add bots or open the table to anyone.",
                free,
            )
            % {"count": free}
        )
    check_pace(pace)
    number = new_code()
    return OpenTicket(keeper.pk, game, variant, seats, pace, open_to_all, bots, guests, number, listed)


@transaction.atomic
def open_match(planned: OpenTicket, keeper: Player, *, now: datetime) -> Match:
    """Open the planned match with its keeper in the first seat. Pressing twice returns the same match.

    Its secret is drawn only now, and no word may be older than the commitment to it: the keeper adds theirs afterwards.
    """
    accounts.hold(keeper.pk)  # so that two matches opened at once do not exceed the limit of invitations
    if match := Match.objects.filter(code=planned.number).first():
        return match
    check_invitations(keeper, len(planned.addresses), now)
    confirming.confirm(keeper, now=now)
    match, is_new = create_match(planned, keeper, now)
    if not is_new:
        return match
    seat_player(match, keeper, now=now)
    for n in range(planned.bots):
        seat_bot(match, n, now=now)
    for address in planned.addresses:
        invite(match, address, now=now)
    confirm(match, match.places.get(player=keeper), word="", now=now)
    return match


def create_match(planned: OpenTicket, keeper: Player, now: datetime) -> tuple[Match, bool]:
    """Return the match and whether it is new: the second of two concurrent presses waits and gets the first's match."""
    secret = new_secret()
    laid_out = {
        "game": planned.game,
        "edition": games.get(planned.game).edition,
        "variant": planned.variant,
        "seats": planned.seats,
        "pace": planned.pace,
        "allowance": parse_pace(planned.pace).allowance,
        "open_to_all": planned.open_to_all,
        "listed": planned.listed,
        "keeper": keeper,
        "commitment": compute_commitment(secret),
        "opened_at": now,
        "practice": keeper.guest,
        "watchable": not keeper.guest,
        "expires_at": now + FILLS_WITHIN,
    }
    match, is_new = Match.objects.get_or_create(code=planned.number, defaults=laid_out)
    if is_new:
        Vault.objects.create(match=match, secret=secret)
    return match, is_new


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
    place = seat_player(match, accounts.welcome(address, language=match.keeper.language, now=now), now=now)
    signals.invited.send(Match, place=place, now=now)
    return place


@transaction.atomic
def invite_instead(match_id: int, address: str, *, now: datetime) -> Place:
    """Invite somebody to a seat that has become free."""
    keeper = Player.objects.get(kept=match_id)
    accounts.hold(keeper.pk)  # lock order: the player before the match
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
        accounts.hold(place.player_id)
    match = load.lock_seat(place)
    if place.player:
        confirming.confirm(place.player, now=now)
    if place.player and place.player.name != name:
        place.player.name = name
        place.player.save(update_fields=["name"])
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
    begin_if_ready(match, now)


def begin_if_ready(match: Match, now: datetime) -> None:
    if match.places.filter(confirmed_at__isnull=False).count() == match.seats:
        begin(match, now)


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
    if place.keeps:
        call_off(match, now=now)
        signals.called_off.send(Match, match=match, now=now)
        return
    place.delete()
    names.make_names_distinct(match)
    signals.declined.send(Match, match=match, place=place, now=now)


def call_off(match: Match, *, now: datetime) -> None:
    """Call off a match that has not begun. If it is a rematch, clear the link, so that another one can be opened."""
    match.phase, match.ended_at, match.expires_at, match.follows = Match.Phase.CALLED_OFF, now, None, None
    match.save(update_fields=["phase", "ended_at", "expires_at", "follows"])


def expire(now: datetime) -> int:
    """Call off the tables that never filled, and tell the players who waited."""
    old = Match.objects.filter(expires_at__lte=now).order_by("expires_at").values_list("pk")
    return batches.run_each(old, expire_one, now)


@transaction.atomic
def expire_one(match_id: int, now: datetime) -> bool:
    match = load.lock_match(match_id)
    if match.expires_at is None or match.expires_at > now or match.phase != Match.Phase.GATHERING:
        return False
    match.ending = "expired"
    match.save(update_fields=["ending"])
    call_off(match, now=now)
    signals.expired.send(Match, match=match, now=now)
    return True


def begin(match: Match, now: datetime) -> None:
    """Begin a match: fill in missing words, fix the card, and let the dealer deal."""
    vault = Vault.objects.get(match=match)
    places = list(match.places.all())
    for place in places:
        if not place.word:
            place.word, place.word_of_house = new_word(), True
            place.save(update_fields=["word", "word_of_house"])
    match.phase, match.started_at, match.head = Match.Phase.RUNNING, now, card(match, places).digest
    match.expires_at = None
    match.save(update_fields=["phase", "started_at", "head", "expires_at"])
    match.places.update(excuses=match.parsed_pace.excuses)
    match.places.filter(player__isnull=False, stand_in=False).update(nudge_at=now + waits.SILENCE)
    gave_up = [place.seat for place in places if place.resigned_at]
    lines = [append.NewLine(HOUSE, str(Forfeit(seat)), Event.Origin.ORGANISER) for seat in gave_up]
    follow_up.follow_up(match, vault, load.open_table(match), lines, mover=None, now=now)
    signals.started.send(Match, match=match, now=now)
