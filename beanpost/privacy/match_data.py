"""Erase a player from their matches: the seats stay, under a pseudonym; notes and standing orders are deleted."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from beanpost.play.models import Departure, Match, Note, Order, Place, build_card
from beanpost.play.tickets import make_fingerprint
from beanpost.players.models import Player
from beanpost.players.names import SEAT_LETTER, shorten_name

NOT_OVER = (Match.Phase.GATHERING, Match.Phase.RUNNING)


def make_pseudonym(player: Player) -> str:
    """Return a name that reveals nothing, the same at all tables."""
    return f"Bean {make_fingerprint('pseudonym', player.pk)[:6].upper()}"


def find_names(player: Player) -> set[str]:
    """Return all names of a player: present, hidden, former and at tables, and each as leagues shorten it."""
    seats = (rows.exclude(name="").values_list("name", flat=True) for rows in (player.places, player.departures))
    former = player.former_names.values_list("name", flat=True)
    names = {player.name, player.nickname, *former}.union(*seats)
    plain = {SEAT_LETTER.sub("", name) for name in names}
    return names | plain | set(map(shorten_name, plain))


def has_open_seat(player: Player) -> bool:
    """Return whether the player has a seat or an open table that they must give up before their data is erased."""
    seats = Place.objects.filter(player=player, resigned_at=None, match__phase__in=NOT_OVER)
    return seats.exists() or player.kept.filter(phase=Match.Phase.GATHERING).exists()


def find_own(kind: Any, player: Player, *, match: str = "match", line: str = "seq") -> QuerySet[Any]:
    """Return the rows of seats from the lines at which the player sat there, without those of other occupants."""
    here: dict[str, Any] = {"match": OuterRef(match), "seat": OuterRef("seat")}
    sits = Place.objects.filter(**here, player=player, seated__lt=OuterRef(line))
    sooner = Departure.objects.filter(match=OuterRef("match"), seat=OuterRef("seat"), seq__lt=OuterRef("seq"))
    others = sooner.filter(seq__gte=OuterRef(OuterRef(line)))
    left = Departure.objects.filter(~Exists(others), **here, player=player, seq__gte=OuterRef(line))
    matches = Match.objects.filter(Q(places__player=player) | Q(departures__player=player)).values("pk")
    rows: QuerySet[Any] = kind.objects.filter(Exists(sits) | Exists(left), **{f"{match}__in": matches})
    return rows


def find_orders(player: Player) -> QuerySet[Order]:
    """Return the orders of the seats a player has now, without those of earlier occupants."""
    here = {"match": OuterRef("match"), "seat": OuterRef("seat")}
    before = Departure.objects.filter(**here, left_at__gt=OuterRef("given_at"))
    sits = Place.objects.filter(**here, player=player)
    return Order.objects.filter(Exists(sits), ~Exists(before), match__in=player.places.values("match"))


def erase_player(player: Player) -> None:
    """Erase a player from all matches. The caller opens the transaction."""
    name = make_pseudonym(player)
    find_own(Note, player).delete()
    find_orders(player).delete()
    for place in Place.objects.filter(player=player).select_related("match"):
        keep_digest(place.match)
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
        if not Departure.objects.filter(match=left.match, seat=left.seat, seq__lt=left.seq).exists():
            Place.objects.filter(match=left.match, seat=left.seat).update(card_name=name)
        Departure.objects.filter(pk=left.pk).update(name=name)


def keep_digest(match: Match) -> None:
    """Store the digest of the match's card: the hash chain starts with it, and the card's names are about to change."""
    if match.started_at and not match.card_digest:
        match.card_digest = build_card(match, list(match.places.all())).digest
        match.save(update_fields=["card_digest"])
