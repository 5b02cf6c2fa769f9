"""Forgetting a player at the tables where they sat: their seats stay, under a pseudonym; what they wrote goes."""

from __future__ import annotations

from django.db.models import F, Max, QuerySet

from beanpost.play.models import Departure, Match, Note, Order, Place, card
from beanpost.play.tickets import mark
from beanpost.players.models import Player
from beanpost.players.names import SEAT_LETTER

NOT_OVER = (Match.Phase.GATHERING, Match.Phase.RUNNING)


def pseudonym(player: Player) -> str:
    """A name that tells nothing, the same at all tables."""
    return f"Bean {mark('pseudonym', player.pk)[:6].upper()}"


def names(player: Player) -> set[str]:
    """What they are called, and were when they sat down somewhere."""
    seats = (rows.exclude(name="").values_list("name", flat=True) for rows in (player.places, player.departures))
    called = {player.name}.union(*seats)
    return called | {SEAT_LETTER.sub("", name) for name in called}


def sits(player: Player) -> bool:
    """Whether others still play with them, or wait for it: first the seat has to be given up."""
    seats = Place.objects.filter(player=player, resigned_at=None, match__phase__in=NOT_OVER)
    return seats.exists() or player.kept.filter(phase=Match.Phase.GATHERING).exists()


def notes(place: Place) -> QuerySet[Note]:
    """What the present occupant of a seat has added to their moves; who sat there before is somebody else."""
    return Note.objects.filter(match=place.match_id, seat=place.seat, seq__gt=place.seated)


def notes_before(left: Departure) -> QuerySet[Note]:
    """What somebody had added to their moves who has left a seat, where others may have sat before them."""
    others = Departure.objects.filter(match=left.match_id, seat=left.seat, seq__lt=left.seq)
    seated = others.aggregate(seq=Max("seq"))["seq"] or 0
    return Note.objects.filter(match=left.match_id, seat=left.seat, seq__gt=seated, seq__lte=left.seq)


def orders(place: Place) -> QuerySet[Order]:
    before = Departure.objects.filter(match=place.match_id, seat=place.seat).order_by("-left_at").first()
    own = Order.objects.filter(match=place.match_id, seat=place.seat)
    return own.filter(given_at__gte=before.left_at) if before else own


def forget(player: Player) -> None:
    """Called inside a transaction."""
    name = pseudonym(player)
    for place in Place.objects.filter(player=player).select_related("match"):
        keep_digest(place.match)
        notes(place).delete()
        orders(place).delete()
        Place.objects.filter(pk=place.pk).update(name=name, occupant=F("occupant") + 1)  # their links open nothing
    for left in Departure.objects.filter(player=player).select_related("match"):
        keep_digest(left.match)
        notes_before(left).delete()
        Place.objects.filter(match=left.match, seat=left.seat, card_name=left.name).update(card_name=name)
        Departure.objects.filter(pk=left.pk).update(name=name)


def keep_digest(match: Match) -> None:
    """The chain of a match begins with its card, names and all: what it began with is kept, so that it still holds."""
    if match.started_at and not match.card_digest:
        match.card_digest = card(match, list(match.places.all())).digest
        match.save(update_fields=["card_digest"])
