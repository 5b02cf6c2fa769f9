"""A turn of Bohnanza by post: planting, the market and what follows, all from letters and the pages they lead to."""

from datetime import timedelta

import pytest
import time_machine

from beanpost.play import scene
from beanpost.play.models import Match
from tests.friends import NOON, seat_friends
from tests.house.mailbag import form_on, is_good_mail, own_page, press, read, turns

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)
ANN, BOB, CLEO, DORA = range(4)


@pytest.fixture
def clock():
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def match(clock):
    """Dora begins. Ann holds chili wax red stink eye, Cleo soy wax green chili stink."""
    return seat_friends("bohnanza", "standard", seats=4)


def open_market(client, match: Match):
    """Dora plants two cards in one sitting, and turns up eye and green; the page she sees then."""
    page = press(client, read(match, "Dora", NOON), "plant garden in 1")
    page = client.post(form_on(page), {"line": "plant cocoa in 2"})
    match.refresh_from_db()
    assert scene.of(match, DORA).view.up == ("eye", "green")
    return page


def offer(client, page, **said):
    return client.post(form_on(page), {"compose": "offer", **said})


def offer_from(client, letter, **said):
    return client.post(own_page(client, letter), {"compose": "offer", **said})


def lines(match: Match) -> list[str]:
    return [f"{'ABCD'[seat]}: {line}" for seat, line in match.events.values_list("seat", "line") if seat >= 0]


def test_a_whole_market_is_held_from_letters(client, match, clock):
    page = open_market(client, match)
    page = offer(client, page, gives="*eye", want_red=1, to="A", note="For your red one?")
    offer(client, page, gives="*green", to="all")
    read(match, "Dora", NOON + MINUTE)
    assert not any(turns(match, name) for name in ("Ann", "Bob", "Cleo"))

    # One letter to each of the others, with all that was offered by then.
    ann, bob, cleo = (read(match, name, NOON + 5 * MINUTE) for name in ("Ann", "Bob", "Cleo"))
    assert [len(turns(match, name)) for name in ("Ann", "Bob", "Cleo")] == [1, 1, 1]
    assert [option["line"] for option in ann.options] == ["accept 1", "decline 1", "accept 2", "decline 2", "no deal"]
    assert [option["line"] for option in bob.options] == ["accept 2", "decline 2", "no deal"]
    assert "You may have a say, Ann." in ann.text
    assert "For your red one?" in ann.text
    assert "Nobody waits for you" in ann.text
    assert all(map(is_good_mail, (ann, bob, cleo)))

    # Ann counters, Bob has no deal, Cleo takes what nobody else wants.
    press(client, ann, "decline 1")
    offer_from(client, ann, gives="stink@4", up="*eye", to="D")
    press(client, bob, "no deal")
    assert "You accept offer 2" in press(client, cleo, "accept 2").content.decode()

    # Dora hears of the counter-offer, accepts and closes.
    heard = read(match, "Dora", NOON + 20 * MINUTE)
    assert "accept 3" in [option["line"] for option in heard.options]
    press(client, heard, "accept 3")
    press(client, heard, "done")
    assert lines(match)[:10] == [
        "D: plant garden in 1",
        "D: plant cocoa in 2",
        "D: offer *eye for red to A",
        "D: offer *green for nothing to all",
        "A: decline 1",
        "A: offer stink@4 for *eye to D",
        "B: no deal",
        "C: accept 2",
        "D: accept 3",
        "D: done",
    ]

    # All plant at once: the house for Ann and Cleo, whose fields are free, and Dora by letter.
    assert {"A: plant eye in 1", "C: plant green in 1"} <= set(lines(match)[10:])
    planting = read(match, "Dora", NOON + 30 * MINUTE)
    assert "Plant what you have set aside: 1 stink bean." in planting.text
    press(client, planting, next(o["line"] for o in planting.options if o["line"].startswith("plant stink")))
    match.refresh_from_db()
    assert scene.of(match, None).view.active == ANN
    assert "It is your turn, Ann." in read(match, "Ann", NOON + 30 * MINUTE).text


def test_a_letter_pressed_twice_says_it_once_and_shows_the_open_market(client, match, clock):
    offer(client, open_market(client, match), gives="*green", to="all")
    bob = read(match, "Bob", NOON + 5 * MINUTE)
    press(client, bob, "accept 1")
    before = match.events.count()
    again = press(client, bob, "accept 1")
    assert again.status_code == 200
    assert "You have said this already" in again.content.decode()
    assert match.events.count() == before


def test_two_accept_the_same_offer_and_the_second_is_told_kindly(client, match, clock):
    offer(client, open_market(client, match), gives="*green", to="all")
    bob, cleo = (read(match, name, NOON + 5 * MINUTE) for name in ("Bob", "Cleo"))
    press(client, bob, "accept 1")
    refused = press(client, cleo, "accept 1")
    assert refused.status_code == 422
    assert "Offer 1 has been accepted already." in refused.content.decode()
    assert lines(match)[-1] == "B: accept 1"


def test_the_same_offer_may_be_made_again_but_not_by_a_double_press(client, match, clock):
    page, said = form_on(open_market(client, match)), {"compose": "offer", "gives": "*eye", "want_red": 1, "to": "A"}
    assert client.post(page, said).status_code == 200
    assert "You have said this already" in client.post(page, said).content.decode()
    offers = [line for line in lines(match) if "offer" in line]
    assert len(offers) == 1
    fresh = client.post(page, {"line": "withdraw 1"})
    client.post(form_on(fresh), said)
    assert [line for line in lines(match) if "offer" in line] == offers * 2


def test_no_deal_may_be_said_again_after_another_offer(client, match, clock):
    open_market(client, match)
    bob = read(match, "Bob", NOON + 5 * MINUTE)
    press(client, bob, "no deal")
    offer_from(client, bob, gives="soy@5", up="*eye", to="D")
    client.post(own_page(client, bob), {"line": "no deal"})
    assert [line for line in lines(match) if line == "B: no deal"] == ["B: no deal"] * 2


def test_a_lapsed_link_says_why(client, match, clock):
    page = offer(client, open_market(client, match), gives="*green", to="all")
    bob = read(match, "Bob", NOON + 5 * MINUTE)
    client.post(form_on(page), {"line": "withdraw 1"})
    shown = press(client, bob, "accept 1")
    assert "Offer 1 has been withdrawn." in shown.content.decode()


def test_offers_that_come_late_are_gathered_into_one_more_letter(client, match, clock):
    open_market(client, match)
    dora = read(match, "Dora", NOON + 5 * MINUTE)
    assert len(turns(match, "Ann")) == 1
    for wish in ("want_red", "want_wax", "want_stink"):
        offer_from(client, dora, gives="*eye", to="A", **{wish: 1})
    letter = read(match, "Ann", NOON + 30 * MINUTE)
    assert len(turns(match, "Ann")) == 2
    assert len(turns(match, "Bob")) == 1
    assert [option["line"] for option in letter.options].count("accept 3") == 1


def test_who_may_only_harvest_gets_no_letter(client, match, clock):
    """Every turn anybody may harvest; nobody is written to for that."""
    open_market(client, match)
    press(client, read(match, "Dora", NOON + 6 * MINUTE), "done")
    while scene.of(match, None).view.turn == 1:
        client.post(own_page(client, read(match, "Dora", NOON + 60 * MINUTE)), {"line": dora_plants(match)})
        match.refresh_from_db()
    wait = match.waits.get(seat=DORA)
    assert wait.due_at is None
    assert not match.letters.filter(kind="turn", recipient__name="Dora", values__opened=wait.opened).exists()
    page = client.get("/m/" + scene.of(match, DORA).ticket() + "/").content.decode()
    assert "You may have a say, Dora." in page


def dora_plants(match: Match) -> str:
    options = scene.of(match, DORA).options
    return next(option.line for option in options if option.line.startswith("plant"))
