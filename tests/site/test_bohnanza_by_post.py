"""A turn of Bohnanza by post: planting, the market and its results, all from letters and the pages they link to."""

import re
from datetime import timedelta

import pytest
import time_machine

from beanpost.play import load
from beanpost.play.display import scene
from beanpost.play.models import Match, Order
from beanpost.play.timekeeping import sweep
from beanpost.play.turns import house_lines, standing_orders
from beanpost.post import preferences
from tests.friends import NOON, seat_friends
from tests.pages.table import seat_link
from tests.post.gallery import printed_moves
from tests.site.mailbag import form_on, is_good_mail, own_page, press, read, turns

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)
ANN, BOB, CLEO, DORA = range(4)


@pytest.fixture
def clock():
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def match(clock, monkeypatch):
    """Dora starts. Ann holds chili wax red stink eye, Cleo soy wax green chili stink.

    The whole market fits into the first hour: letters need not be an hour apart.
    """
    monkeypatch.setattr(preferences, "BETWEEN_LETTERS", timedelta())
    return seat_friends("bohnanza", "standard", seats=4)


def open_market(client, match: Match):
    """Dora plants two cards in one sitting and turns up eye and green; return the page she sees then."""
    page = press(client, read(match, "Dora", NOON), "plant garden in 1")
    page = client.post(form_on(page), {"line": "plant cocoa in 2"})
    match.refresh_from_db()
    assert scene.build_scene(match, DORA).view.up == ("eye", "green")
    return page


def offer(client, page, **data):
    return client.post(form_on(page), {"compose": "offer", **data})


def offer_from(client, letter, **data):
    return client.post(own_page(client, letter), {"compose": "offer", **data})


def lines(match: Match) -> list[str]:
    return [f"{'ABCD'[seat]}: {line}" for seat, line in match.events.values_list("seat", "line") if seat >= 0]


def list_answers(letter):
    """Return the printed moves but for suggested trades."""
    return [option["line"] for option in printed_moves(letter) if not option["line"].startswith("offer")]


def test_a_whole_market_is_held_from_letters(client, match, clock):
    page = open_market(client, match)
    page = offer(client, page, gives="*eye", want_red=1, to="A", note="For your red one?")
    offer(client, page, gives="*green", to="all")
    read(match, "Dora", NOON + MINUTE)
    assert not any(turns(match, name) for name in ("Ann", "Bob", "Cleo"))

    # Each of the others gets one letter with all offers so far.
    ann, bob, cleo = (read(match, name, NOON + 5 * MINUTE) for name in ("Ann", "Bob", "Cleo"))
    assert [len(turns(match, name)) for name in ("Ann", "Bob", "Cleo")] == [1, 1, 1]
    assert list_answers(ann) == ["accept 1", "decline 1", "accept 2", "decline 2", "no deal"]
    assert list_answers(bob) == ["accept 2", "decline 2", "no deal"]
    assert "You can trade now, Ann" in ann.text
    assert "For your red one?" in ann.text
    assert "No one is waiting for you" in ann.text
    assert all(map(is_good_mail, (ann, bob, cleo)))

    # Ann makes a counter-offer, Bob has no deal, Cleo accepts the offer that nobody else wants.
    press(client, ann, "decline 1")
    offer_from(client, ann, gives="stink@4", up="*eye", to="D")
    press(client, bob, "no deal")
    assert "You accepted offer 2" in press(client, cleo, "accept 2").content.decode()

    # Dora reads the counter-offer, accepts it and closes the market.
    letter = read(match, "Dora", NOON + 20 * MINUTE)
    assert "accept 3" in [option["line"] for option in letter.options]
    assert "for a black-eyed bean (face up). It’s a reply to offer 1." in " ".join(letter.text.split())
    press(client, letter, "accept 3")
    press(client, letter, "done")
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

    # Everyone plants at once: the server for Ann and Cleo, whose fields are empty, and Dora from a letter.
    assert {"A: plant eye in 1", "C: plant green in 1"} <= set(lines(match)[10:])
    planting = read(match, "Dora", NOON + 30 * MINUTE)
    assert "Plant the cards you set aside: a stink bean." in planting.text
    press(client, planting, next(o["line"] for o in planting.options if o["line"].startswith("plant stink")))
    match.refresh_from_db()
    assert scene.build_scene(match, None).view.active == ANN
    assert "Your turn, Ann" in read(match, "Ann", NOON + 30 * MINUTE).text


def test_pressing_a_letter_twice_moves_once_and_shows_the_open_market(client, match, clock):
    offer(client, open_market(client, match), gives="*green", to="all")
    bob = read(match, "Bob", NOON + 5 * MINUTE)
    press(client, bob, "accept 1")
    before = match.events.count()
    again = press(client, bob, "accept 1")
    assert again.status_code == 200
    assert "You’ve already answered" in again.content.decode()
    assert match.events.count() == before


def test_a_player_who_accepts_an_accepted_offer_is_told_so(client, match, clock):
    offer(client, open_market(client, match), gives="*green", to="all")
    bob, cleo = (read(match, name, NOON + 5 * MINUTE) for name in ("Bob", "Cleo"))
    press(client, bob, "accept 1")
    refused = press(client, cleo, "accept 1")
    assert refused.status_code == 422
    assert "Offer 1 has already been accepted." in refused.content.decode()
    assert lines(match)[-1] == "B: accept 1"


def test_an_offer_may_be_repeated_but_not_by_a_double_press(client, match, clock):
    page, data = form_on(open_market(client, match)), {"compose": "offer", "gives": "*eye", "want_red": 1, "to": "A"}
    assert client.post(page, data).status_code == 200
    assert "You’ve already answered" in client.post(page, data).content.decode()
    offers = [line for line in lines(match) if "offer" in line]
    assert len(offers) == 1
    fresh = client.post(page, {"line": "withdraw 1"})
    client.post(form_on(fresh), data)
    assert [line for line in lines(match) if "offer" in line] == offers * 2


def test_no_deal_may_be_said_again_after_another_offer(client, match, clock):
    open_market(client, match)
    bob = read(match, "Bob", NOON + 5 * MINUTE)
    press(client, bob, "no deal")
    offer_from(client, bob, gives="soy@5", up="*eye", to="D")
    client.post(own_page(client, bob), {"line": "no deal"})
    assert [line for line in lines(match) if line == "B: no deal"] == ["B: no deal"] * 2


def test_a_link_to_a_withdrawn_offer_says_why_it_does_nothing(client, match, clock):
    page = offer(client, open_market(client, match), gives="*green", to="all")
    bob = read(match, "Bob", NOON + 5 * MINUTE)
    client.post(form_on(page), {"line": "withdraw 1"})
    shown = press(client, bob, "accept 1")
    assert "Offer 1 was withdrawn." in shown.content.decode()


def test_late_offers_are_collected_into_one_more_letter(client, match, clock):
    open_market(client, match)
    dora = read(match, "Dora", NOON + 5 * MINUTE)
    assert len(turns(match, "Ann")) == 1
    for wish in ("want_red", "want_wax", "want_stink"):
        offer_from(client, dora, gives="*eye", to="A", **{wish: 1})
    letter = read(match, "Ann", NOON + 30 * MINUTE)
    assert len(turns(match, "Ann")) == 2
    assert len(turns(match, "Bob")) == 1
    assert [option["line"] for option in printed_moves(letter)].count("accept 3") == 1


def test_a_player_who_may_only_harvest_gets_no_letter(client, match, clock):
    """Anyone may harvest in every turn, so harvesting alone is no reason to write."""
    open_market(client, match)
    press(client, read(match, "Dora", NOON + 6 * MINUTE), "done")
    while scene.build_scene(match, None).view.turn == 1:
        client.post(own_page(client, read(match, "Dora", NOON + 60 * MINUTE)), {"line": dora_plants(match)})
        match.refresh_from_db()
    wait = match.waits.get(seat=DORA)
    assert wait.due_at is None
    assert not match.letters.filter(kind="turn", recipient__name="Dora", values__opened=wait.opened).exists()
    page = client.get("/move/" + scene.build_scene(match, DORA).question.ticket + "/").content.decode()
    assert "You can harvest or buy now, Dora" in page


def dora_plants(match: Match) -> str:
    options = scene.build_scene(match, DORA).question.options
    return next(option.line for option in options if option.line.startswith("plant"))


def test_a_player_who_must_plant_after_a_timeout_gets_a_letter_at_once(client, match, clock):
    """A player who moves sees the next question on the page; after a timeout nobody sees a page."""
    open_market(client, match)
    over = NOON + timedelta(hours=8)
    clock.move_to(over)
    sweep.sweep(over)
    assert lines(match)[-1] == "D: done"
    letter = read(match, "Dora", over)
    assert "Plant the cards you set aside: a black-eyed bean and a green bean." in " ".join(letter.text.split())


# ── the thread of a negotiation ──


def test_an_offers_message_is_shown_to_its_addressee(client, match, clock):
    """In letters and on pages, but not to others or to a player who has muted notes. It is not part of the log."""
    offer(client, open_market(client, match), gives="*eye", want_red=1, to="A", note="For <your> red one?")
    ann, bob = (read(match, name, NOON + 5 * MINUTE) for name in ("Ann", "Bob"))
    made = "- Offer 1: Dora offered you a black-eyed bean (face up) for a red bean."
    assert beside_offers(ann.text) == f"{made} Open. Dora added: “For <your> red one?”"
    assert "red one" not in bob.text
    assert "red one" not in client.get(own_page(client, bob)).content.decode()
    page = client.get(own_page(client, ann)).content.decode()
    assert page.count("Dora added: “For &lt;your&gt; red one?”") == 2  # beside the offer, and in the log
    assert not any("red one" in line for line in lines(match))
    match.places.filter(seat=ANN).update(hears_notes=False)
    assert "red one" not in client.get(own_page(client, ann)).content.decode()


def test_the_notes_page_lists_only_notes_for_its_reader(client, match, clock):
    """It leaves out notes beside offers to others, and notes beside offers that a standing order hides."""
    offer(client, open_market(client, match), gives="*eye", want_red=1, to="A", note="For your red one?")
    written = match.notes.get()
    ann, bob = (match.places.get(seat=seat) for seat in (ANN, BOB))
    assert "For your red one?" in client.get(seat_link("notes", ann)).content.decode()
    assert "red one" not in client.get(seat_link("notes", bob)).content.decode()
    client.post(seat_link("notes", bob), {"report": written.pk})
    written.refresh_from_db()
    assert written.reported_at is None
    standing_orders.give_order(ann, "hide offers that ask for red from me", now=NOON)
    assert "red one" not in client.get(seat_link("notes", ann)).content.decode()


def test_a_market_with_all_offers_hidden_has_no_heading_for_offers(client, match, clock):
    standing_orders.give_order(match.places.get(seat=ANN), "hide offers that ask for red from me", now=NOON)
    page = open_market(client, match)
    offer(client, page, gives="*eye", want_red=1, to="all")
    ann, bob = (read(match, name, NOON + 5 * MINUTE) for name in ("Ann", "Bob"))
    assert "OFFERS THIS TURN" in bob.text
    assert "OFFERS THIS TURN" not in ann.text
    for letter, heading in ((ann, False), (bob, True)):
        assert ("Offers this turn" in letter.html) is heading
        assert ("Offers this turn" in client.get(own_page(client, letter)).content.decode()) is heading


def test_an_offer_to_several_players_shows_its_message_to_each(client, match, clock):
    data = {"gives": "*eye", "want_red": 1, "to": ["A", "B"], "note": "For a red one?"}
    page = offer(client, open_market(client, match), **data).content.decode()
    heading = " ".join(page.partition("<h1>")[2].partition("</h1>")[0].split())
    assert heading.startswith("Offer 1: you offered Ann a black-eyed bean")
    assert "Offer 2: you offered Bob a black-eyed bean" in heading
    for name in ("Ann", "Bob"):
        assert "Dora added: “For a red one?”" in beside_offers(read(match, name, NOON + 5 * MINUTE).text)


def beside_offers(text: str) -> str:
    _, _, rest = text.partition("OFFERS THIS TURN")
    return " ".join(re.split(r"[A-Z ,]{9,}\n", rest)[0].split())


def test_a_player_whose_offer_is_declined_is_told_while_the_market_is_open(client, match, clock):
    open_market(client, match)
    bob, cleo = (read(match, name, NOON + 5 * MINUTE) for name in ("Bob", "Cleo"))
    offer_from(client, bob, gives="soy@5", up="*eye", to="D")
    offer_from(client, cleo, gives="soy@1", up="*eye", to="D")
    clock.move_to(NOON + 10 * MINUTE)
    dora = read(match, "Dora", NOON + 10 * MINUTE)
    press(client, dora, "decline 1")
    press(client, dora, "accept 2")
    assert [len(turns(match, name)) for name in ("Bob", "Cleo", "Ann")] == [1, 1, 1]
    letter = read(match, "Bob", NOON + 15 * MINUTE)
    assert [len(turns(match, name)) for name in ("Bob", "Cleo", "Ann")] == [2, 1, 1]
    assert "Dora declined offer 1." in letter.text


def test_the_maker_of_a_lapsed_offer_is_told_why(client, match, clock):
    open_market(client, match)
    bob, cleo = (read(match, name, NOON + 5 * MINUTE) for name in ("Bob", "Cleo"))
    offer_from(client, bob, gives="soy@5", up="*eye", to="D")
    offer_from(client, cleo, gives="soy@1", up="*eye", to="D")
    press(client, read(match, "Dora", NOON + 10 * MINUTE), "accept 2")
    clock.move_to(NOON + 10 * MINUTE)
    text = " ".join(read(match, "Bob", NOON + 15 * MINUTE).text.split())
    assert "Your offer 1 is off: its cards are gone." in text
    assert "Off: its cards are gone." in text


@pytest.mark.parametrize("is_paused", [False, True])
def test_the_active_player_learns_of_a_refusal_before_half_their_time_is_over(client, match, clock, is_paused):
    if is_paused:
        house_lines.pause(load.lock_match(match.pk), "player", NOON)
    refuse_dora(client, match)
    before = len(turns(match, "Dora"))
    read(match, "Dora", NOON + 3 * 60 * MINUTE)
    assert len(turns(match, "Dora")) == before
    assert "Ann declined offer 1." in read(match, "Dora", NOON + 4 * 60 * MINUTE).text
    assert len(turns(match, "Dora")) == before + 1


def refuse_dora(client, match):
    page = offer(client, open_market(client, match), gives="*eye", want_red=1, to="A")
    press(client, read(match, "Ann", NOON + 6 * MINUTE), "decline 1")
    return page


@pytest.mark.parametrize("has_more_to_tell", [False, True])
def test_a_letter_held_back_on_purpose_extends_no_deadline(client, match, clock, has_more_to_tell):
    offer(client, open_market(client, match), gives="*eye", want_red=1, to="A")
    ann, bob = (read(match, name, NOON + 6 * MINUTE) for name in ("Ann", "Bob"))
    clock.move_to(NOON + 6 * MINUTE)
    press(client, ann, "decline 1")
    due, before = match.waits.get(seat=DORA).due_at, len(turns(match, "Dora"))
    clock.move_to(NOON + 180 * MINUTE)
    if has_more_to_tell:
        offer_from(client, bob, gives="soy@5", up="*eye", to="D")
    read(match, "Dora", NOON + (185 if has_more_to_tell else 243) * MINUTE)
    assert len(turns(match, "Dora")) == before + 1
    assert match.waits.get(seat=DORA).due_at == due
    assert not match.events.filter(line__startswith="extend").exists()


def test_a_player_who_moved_since_or_ordered_it_gets_no_letter_about_a_refusal(client, match, clock):
    page = refuse_dora(client, match)
    before = len(turns(match, "Dora"))
    page = offer(client, page, gives="*eye", want_stink=1, to="A")
    read(match, "Dora", NOON + 5 * 60 * MINUTE)
    assert len(turns(match, "Dora")) == before
    press(client, read(match, "Ann", NOON + 5 * 60 * MINUTE), "decline 2")
    give_order(client, page, "close in turn 1 when everybody is through")
    read(match, "Dora", NOON + 7 * 60 * MINUTE)
    assert len(turns(match, "Dora")) == before


# ── few letters ──


def test_a_turn_without_trades_needs_one_letter_to_the_active_player(client, match, clock):
    """Dora plants, turns cards up and orders the end of her market in one sitting; the others have no deal."""
    page = open_market(client, match)
    give_order(client, page, "close in turn 1 when everybody is through")
    give_order(client, page, "in turn 1 plant received eye in 1 over 1 garden then green in 2 over 1 cocoa")
    for name in ("Ann", "Bob", "Cleo"):
        press(client, read(match, name, NOON + 10 * MINUTE), "no deal")
    match.refresh_from_db()
    assert scene.build_scene(match, None).view.active == ANN
    read(match, "Ann", NOON + 60 * MINUTE)
    assert len(turns(match, "Dora")) == 1


def give_order(client, page, line):
    client.post(re.search(r'"(/orders/[^"]+)"', page.content.decode())[1], {"line": line})
    assert Order.objects.filter(line=line, lapsed_at=None).exists()


def test_an_offer_brings_a_letter_despite_an_order_to_close_the_market(client, match, clock):
    page = open_market(client, match)
    give_order(client, page, "close in turn 1 when everybody is through")
    bob = read(match, "Bob", NOON + 5 * MINUTE)
    assert len(turns(match, "Dora")) == 1
    offer_from(client, bob, gives="soy@5", up="*eye", to="D")
    letter = read(match, "Dora", NOON + 15 * MINUTE)
    assert len(turns(match, "Dora")) == 2
    assert "This turn: close your market once everyone has answered" in letter.text
    assert "accept 1" in [option["line"] for option in letter.options]


def test_a_letter_goes_at_once_when_everyone_has_answered(client, match, clock):
    open_market(client, match)
    read(match, "Dora", NOON + 6 * MINUTE)
    before = len(turns(match, "Dora"))
    clock.move_to(NOON + 20 * MINUTE)
    for name in ("Ann", "Bob", "Cleo"):
        press(client, read(match, name, NOON + 20 * MINUTE), "no deal")
    letter = read(match, "Dora", NOON + 20 * MINUTE)
    assert len(turns(match, "Dora")) == before + 1
    assert "No one else has to answer." in letter.text
