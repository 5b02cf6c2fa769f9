"""All that the house has of one player: to be handed over, or to be erased."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from beanpost.leagues import remarks, seasons, seats
from beanpost.leagues.models import Entry, League, Season
from beanpost.play import forgetting
from beanpost.play.models import Departure, Match, Place, Proposal
from beanpost.players import book
from beanpost.players.models import Player
from beanpost.post import keeping, outbox
from beanpost.post.models import Letter

OWN = ("address", "name", "language", "zone", "joined_at", "unwanted_at", "unreached_at", "confirmed_at")
SEAT = ("match__code", "match__game", "seat", "name", "word", "invited_at", "confirmed_at", "resigned_at")
SEAT_LEFT = ("match__code", "match__game", "seat", "name", "left_at")
LETTER = ("kind", "address", "created_at", "sent_at", "subject")
ENTRY = ("season__league__name", "season__name", "state", "typed_name", "typed_address")
# Their links prove that one reads that mailbox.
KEYS = ("sign_in", "settings", "address", "moved_address", "moving_address", "erase", "never")
CHANGE = ("old", "new", "asked_at", "effective_at", "stopped_at", "done_at")


def of(player: Player) -> dict[str, Any]:
    """Everything, as plain values. What lies in others' hands is no part of it."""
    return {
        "format": "beanpost-player/1",
        "player": {name: getattr(player, name) for name in OWN},
        "address_changes": list(player.address_changes.order_by("pk").values(*CHANGE)),
        "former_addresses": list(player.former_addresses.values("address", "until")),
        "organiser_accounts": list(player.organiser_accounts.values_list("user__username", flat=True)),
        "absences": list(player.absences.values("first", "last", "announced_at")),
        "seats": seats_of(player),
        "seats_left": list(player.departures.order_by("pk").values(*SEAT_LEFT)),
        "notes": notes(player),
        "orders": orders(player),
        "letters": letters_to(player),
        "seasons": list(player.entries.order_by("pk").values(*ENTRY)),
        "leagues_offered": list(player.leagues_offered.values_list("name", flat=True)),
        "ratings": list(player.ratings.order_by("game").values("game", "mu", "sigma", "matches")),
    }


def seats_of(player: Player) -> list[dict[str, Any]]:
    """Who has taken over a seat gave no word for the shuffle: that of the seat is another's."""
    seats = player.places.order_by("pk").values(*SEAT, "seated")
    return [seat | {"word": ""} if seat.pop("seated") else seat for seat in seats]


def letters_to(player: Player) -> list[dict[str, Any]]:
    """All that was written to them. Of what proves that one reads a mailbox, only the envelope: a visit proves less."""
    written = Letter.objects.filter(recipient=player).select_related("body").order_by("pk")
    return [
        {name: getattr(letter, name) for name in LETTER} | {"text": "" if letter.kind in KEYS else letter.text}
        for letter in written.iterator()
    ]


def notes(player: Player) -> list[dict[str, Any]]:
    where_they_sit = [forgetting.notes(place) for place in player.places.all()]
    where_they_sat = [forgetting.notes_before(left) for left in player.departures.all()]
    return [
        {"match": code, "line": seq, "text": text, "said_at": said_at}
        for written in (*where_they_sit, *where_they_sat)
        for code, seq, text, said_at in written.values_list("match__code", "seq", "text", "said_at")
    ]


def orders(player: Player) -> list[dict[str, Any]]:
    return [
        {"match": code, "order": line, "given_at": given_at}
        for place in player.places.all()
        for code, line, given_at in forgetting.orders(place).values_list("match__code", "line", "given_at")
    ]


def hindrance(player: Player) -> str:
    """What has to be done before they can be erased, if anything has."""
    if forgetting.sits(player):
        return _("You sit at a table that is not over. Please give up your seats first: “My games” leads to them.")
    if player.leagues_kept.exists():
        return _("You look after a league. Please ask an organiser to name somebody else first.")
    return ""


def check_can_be_erased(player: Player) -> None:
    if first := hindrance(player):
        raise ValidationError(first)


@transaction.atomic
def erase(player: Player, *, now: datetime) -> None:
    """Forget a player for good. Their seats stay in the logs under a pseudonym; nothing is written to them any more.

    Locks are taken in the order that everybody keeps: seasons, replies, letters by their numbers, players, matches.
    """
    leave_seasons(player, now=now)  # seasons are held before players, as where places are filled
    keeping.hold_all(player.pk)  # letters are held before their readers, as by who notes that one came back
    outbox.write_anew(now)
    player = Player.objects.select_for_update().get(pk=player.pk)
    check_can_be_erased(player)
    remarks.forget(player, forgetting.pseudonym(player))
    forget(player, now)


def forget(player: Player, now: datetime) -> None:
    """All of them but what organisers have said. The caller holds them."""
    keeping.forget(player)
    forgetting.forget(player)
    past: Any = Entry.history
    for entries in (player.entries.all(), past.filter(player=player.pk)):
        entries.update(typed_name="", typed_address="")
    player.leagues_offered.update(asked_keeper=None, typed_keeper="")
    book.forget(player, forgetting.pseudonym(player), now=now)


def leave_seasons(player: Player, *, now: datetime) -> None:
    """Say no where one still can, and leave elsewhere. In seasons that are over, what one did stays."""
    going_on = player.entries.exclude(season__phase=Season.Phase.ENDED)
    for entry in going_on.select_related("season__league").order_by("season"):
        seasons.decline(entry, now=now)
        if entry.state in {Entry.State.ENTERED, Entry.State.SUBSTITUTE}:
            seats.withdraw(entry)


# ── who never came ──


def strangers(now: datetime) -> QuerySet[Player]:
    """Whose address others gave us, or somebody mistyped, and who has come in nowhere. Some time after the last letter.

    Who wants no more letters stays known: else they could be written to again.
    """
    old = now - keeping.KEPT
    who = OuterRef("pk")
    asked_or_more = Q(confirmed_at__isnull=False) | Q(match__phase__in=forgetting.NOT_OVER)
    silent = Q(state__in=(Entry.State.INVITED, Entry.State.DECLINED)) | Q(state=Entry.State.LEFT, answered_at=None)
    ties: tuple[QuerySet[Any], ...] = (
        Place.objects.filter(asked_or_more, player=who),
        Departure.objects.filter(player=who),
        Proposal.objects.filter(player=who, closed_at=None, match__phase=Match.Phase.RUNNING),
        Match.objects.filter(keeper=who),
        League.objects.filter(keeper=who),
        Entry.objects.filter(player=who).exclude(silent, season__phase=Season.Phase.ENDED),
        Letter.objects.filter(Q(created_at__gt=old) | Q(state__in=Letter.ON_THE_WAY), recipient=who),
    )
    never_in = Player.objects.filter(guest=False, unwanted_at=None, visits=0, sessions=0, joined_at__lt=old)
    return never_in.filter(*(~Exists(tie) for tie in ties))


@transaction.atomic
def forget_stranger(player_id: int, *, now: datetime) -> bool:
    """False: they have come in meanwhile, or somebody has asked them anew."""
    keeping.hold_all(player_id)
    player = Player.objects.select_for_update().get(pk=player_id)  # nobody asks them from here on
    if not strangers(now).filter(pk=player_id).exists():
        return False
    remarks.forget_stranger(player, forgetting.pseudonym(player))
    forget(player, now)
    return True
