"""Links that are torn, tampered with, made for another page, or too old."""

from datetime import timedelta

import pytest
import time_machine

from beanpost.play.tickets import (
    AddressTicket,
    EraseTicket,
    FewerTicket,
    JoinTicket,
    LetterSettingsTicket,
    MoveTicket,
    NeverTicket,
    OpenTicket,
    PlayedTicket,
    PlayerTicket,
    SeatTicket,
    SettingsTicket,
    SignInTicket,
    sign,
)
from tests.friends import gather, seat_friends
from tests.pages.gallery import plan
from tests.pages.table import asked, link

pytestmark = pytest.mark.django_db

DOORS = {
    "opening": OpenTicket,
    "joining": JoinTicket,
    "ready": SeatTicket,
    "keep": SeatTicket,
    "move": MoveTicket,
    "current": MoveTicket,
    "played": PlayedTicket,
    "current-since": PlayedTicket,
    "renew": SeatTicket,
    "notes": SeatTicket,
    "again": SeatTicket,
    "unsubscribe": SeatTicket,
    "never": NeverTicket,
    "fewer": FewerTicket,
    "me": PlayerTicket,
    "settings": SettingsTicket,
    "address": AddressTicket,
    "erase": EraseTicket,
    "wishes": LetterSettingsTicket,
    "enter": SignInTicket,
}


@pytest.fixture
def good():
    """A valid ticket of each kind."""
    match, waiting = seat_friends(), gather()
    ann = match.keeper
    place = asked(match).place
    assert place is not None
    tickets = [
        plan(ann),
        JoinTicket(ann.pk, ann.sessions, waiting.pk),
        SeatTicket(match.pk, place.seat, place.occupant),
        MoveTicket(match.pk, place.seat, place.occupant, match.waits.get().opened, "pass"),
        PlayedTicket(match.pk, place.seat, place.occupant, match.length, match.length),
        PlayerTicket(ann.pk),
        NeverTicket(ann.pk, ann.sessions),
        FewerTicket(ann.pk, ann.sessions, "digest"),
        SettingsTicket(ann.pk, ann.sessions),
        AddressTicket(ann.pk, ann.sessions, ann.address, "anne@beans.example"),
        EraseTicket(ann.pk, ann.sessions),
        LetterSettingsTicket(ann.pk, ann.sessions),
        SignInTicket(ann.pk, ann.visits),
    ]
    return {type(ticket): sign(ticket) for ticket in tickets}


def is_refused(client, address: str, sentence: str = "We can’t read this link") -> bool:
    pages = [client.get(address), client.post(address, {"decline": "1", "line": "pass"})]
    return all(page.status_code == 404 and sentence in page.content.decode() for page in pages)


@pytest.mark.parametrize("door", DOORS)
def test_a_valid_ticket_opens_its_page(door, client, good):
    assert client.get(link(door, good[DOORS[door]])).status_code in (200, 409)


@pytest.mark.parametrize("door", DOORS)
def test_a_torn_or_tampered_ticket_opens_nothing(door, client, good, everything):
    ticket = good[DOORS[door]]
    swapped = "A" if ticket[5] != "A" else "B"
    value, rest = ticket.split(":", 1)
    bad = [ticket[:-1], ticket[: len(ticket) // 2], ticket[1:], ticket + "x", ticket[:5] + swapped + ticket[6:]]
    bad += [ticket.replace(":", ""), f"{value}:{rest}".upper(), "x", "…", ":::", "a\0b", "x" * 10_000]
    before = everything()
    for text in bad:
        assert is_refused(client, link(door, text)), text
    assert everything() == before


@pytest.mark.parametrize("door", DOORS)
def test_a_ticket_for_another_page_opens_nothing(door, client, good, everything):
    before = everything()
    for kind, ticket in good.items():
        if kind is not DOORS[door]:
            assert is_refused(client, link(door, ticket)), kind
    assert everything() == before


@pytest.mark.parametrize("door", DOORS)
def test_an_expired_ticket_opens_nothing(door, client, good, everything):
    kind = DOORS[door]
    before = everything()
    with time_machine.travel(kind.lasts + timedelta(minutes=1)):
        assert is_refused(client, link(door, good[kind]), sentence="This link has expired")
    assert everything() == before


@pytest.mark.parametrize("door", DOORS)
def test_a_ticket_signed_with_another_key_opens_nothing_until_that_key_is_a_fallback(
    door, client, good, settings, everything
):
    address = link(door, good[DOORS[door]])
    before, settings.SECRET_KEY = settings.SECRET_KEY, "another key"
    assert is_refused(client, address)
    settings.SECRET_KEY_FALLBACKS = [before]
    assert client.get(address).status_code in (200, 409)
