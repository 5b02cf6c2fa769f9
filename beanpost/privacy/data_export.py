"""Export everything that is stored about a player, as plain values."""

from __future__ import annotations

from typing import Any

from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.privacy import match_data

OWN = (
    "address",
    "name",
    "name_shown",
    "nickname",
    "language",
    "zone",
    "joined_at",
    "unwanted_at",
    "unreached_at",
    "confirmed_at",
    "how_often",
    "digest_hour",
    "text_only",
    "without_pictures",
    "calendar",
    "hears_notes",
    "weekly",
    "league_news",
    "follows_rounds",
)

SEAT = (
    "match__code",
    "match__game",
    "seat",
    "name",
    "word",
    "invited_at",
    "confirmed_at",
    "resigned_at",
    "may_be_watched",
    "here_at",
)

SEAT_LEFT = ("match__code", "match__game", "seat", "name", "left_at")

LETTER = ("kind", "address", "created_at", "sent_at", "subject")

ENTRY = ("season__league__name", "season__name", "state", "typed_name", "typed_address")

# Kinds of letters whose links prove that the reader controls the mailbox.
MAILBOX_PROOFS = ("sign_in", "settings", "address", "moved_address", "moving_address", "erase", "never")

CHANGE = ("old", "new", "asked_at", "effective_at", "stopped_at", "done_at")


def export_data(player: Player) -> dict[str, Any]:
    """Return the player's data as plain values. Data about other people is left out."""
    return {
        "format": "beanpost-player/1",
        "player": {name: getattr(player, name) for name in OWN},
        "address_changes": list(player.address_changes.order_by("pk").values(*CHANGE)),
        "former_addresses": list(player.former_addresses.values("address", "until")),
        "organiser_accounts": list(player.organiser_accounts.values_list("user__username", flat=True)),
        "absences": list(player.absences.values("first", "last", "announced_at")),
        "seats": export_seats(player),
        "seats_left": list(player.departures.order_by("pk").values(*SEAT_LEFT)),
        "notes": export_notes(player),
        "orders": export_orders(player),
        "letters": export_letters(player),
        "seasons": list(player.entries.order_by("pk").values(*ENTRY)),
        "leagues_offered": list(player.leagues_offered.values_list("name", flat=True)),
        "ratings": list(player.ratings.order_by("game").values("game", "mu", "sigma", "matches")),
    }


def export_seats(player: Player) -> list[dict[str, Any]]:
    """Return the player's seats. If they took one over, its word for the shuffle is someone else's and left out."""
    seats = player.places.order_by("pk").values(*SEAT, "seated")
    return [seat | {"word": ""} if seat.pop("seated") else seat for seat in seats]


def export_letters(player: Player) -> list[dict[str, Any]]:
    """Return all letters to the player.

    The text of letters that prove control of a mailbox is left out, since a session does not prove it.
    """
    letters = Letter.objects.filter(recipient=player).select_related("body").order_by("pk")
    return [
        {name: getattr(letter, name) for name in LETTER}
        | {"text": "" if letter.kind in MAILBOX_PROOFS else letter.text}
        for letter in letters.iterator()
    ]


def export_notes(player: Player) -> list[dict[str, Any]]:
    """Return the notes that the player wrote at present and former seats."""
    present = [match_data.find_notes(place) for place in player.places.all()]
    former = [match_data.find_former_notes(left) for left in player.departures.all()]
    return [
        {"match": code, "line": seq, "text": text, "said_at": said_at}
        for notes in (*present, *former)
        for code, seq, text, said_at in notes.values_list("match__code", "seq", "text", "said_at")
    ]


def export_orders(player: Player) -> list[dict[str, Any]]:
    """Return the standing orders that the player gave."""
    return [
        {"match": code, "order": line, "given_at": given_at}
        for place in player.places.all()
        for code, line, given_at in match_data.find_orders(place).values_list("match__code", "line", "given_at")
    ]
