"""Erase a player from their matches: the seats stay, under a pseudonym; notes and standing orders are deleted."""

from __future__ import annotations

from django.db.models import F, Max, QuerySet

from beanpost.play.models import Departure, Match, Note, Order, Place, build_card
from beanpost.play.tickets import make_fingerprint
from beanpost.players.models import Player
from beanpost.players.names import SEAT_LETTER

NOT_OVER = (Match.Phase.GATHERING, Match.Phase.RUNNING)


def make_pseudonym(player: Player) -> str:
    """Return a name that reveals nothing, the same at all tables."""
    return f"Bean {make_fingerprint('pseudonym', player.pk)[:6].upper()}"


def find_names(player: Player) -> set[str]:
    """Return the player's present name, also as public pages show it, and all names under which they have played."""
    seats = (rows.exclude(name="").values_list("name", flat=True) for rows in (player.places, player.departures))
    names = {player.name, player.public_name}.union(*seats)
    return names | {SEAT_LETTER.sub("", name) for name in names}


def has_open_seat(player: Player) -> bool:
    """Return whether the player has a seat or an open table that they must give up before their data is erased."""
    seats = Place.objects.filter(player=player, resigned_at=None, match__phase__in=NOT_OVER)
    return seats.exists() or player.kept.filter(phase=Match.Phase.GATHERING).exists()


def find_notes(place: Place) -> QuerySet[Note]:
    """Return the notes of a seat's present occupant, without those of earlier occupants."""
    return Note.objects.filter(match=place.match_id, seat=place.seat, seq__gt=place.seated)


def find_former_notes(left: Departure) -> QuerySet[Note]:
    """Return the notes of a player who has left a seat, without those of earlier occupants."""
    others = Departure.objects.filter(match=left.match_id, seat=left.seat, seq__lt=left.seq)
    since = others.aggregate(seq=Max("seq"))["seq"] or 0
    return Note.objects.filter(match=left.match_id, seat=left.seat, seq__gt=since, seq__lte=left.seq)


def find_orders(place: Place) -> QuerySet[Order]:
    """Return the orders of a seat's present occupant, without those of earlier occupants."""
    before = Departure.objects.filter(match=place.match_id, seat=place.seat).order_by("-left_at").first()
    own = Order.objects.filter(match=place.match_id, seat=place.seat)
    return own.filter(given_at__gte=before.left_at) if before else own


def erase_player(player: Player) -> None:
    """Erase a player from all matches. The caller opens the transaction."""
    name = make_pseudonym(player)
    for place in Place.objects.filter(player=player).select_related("match"):
        keep_digest(place.match)
        find_notes(place).delete()
        find_orders(place).delete()
        Place.objects.filter(pk=place.pk).update(
            name=name,
            occupant=F("occupant") + 1,  # voids their links
            may_be_watched=False,
            here_at=None,
        )
        if not place.seated:  # their name is on the match's card
            Place.objects.filter(pk=place.pk).exclude(card_name="").update(card_name=name)
    for left in Departure.objects.filter(player=player).select_related("match"):
        keep_digest(left.match)
        find_former_notes(left).delete()
        if not Departure.objects.filter(match=left.match, seat=left.seat, seq__lt=left.seq).exists():
            Place.objects.filter(match=left.match, seat=left.seat).update(card_name=name)
        Departure.objects.filter(pk=left.pk).update(name=name)


def keep_digest(match: Match) -> None:
    """Store the digest of the match's card: the hash chain starts with it, and the card's names are about to change."""
    if match.started_at and not match.card_digest:
        match.card_digest = build_card(match, list(match.places.all())).digest
        match.save(update_fields=["card_digest"])
