"""A new address for a player whose letters bounce: it takes two days, and the old address can stop it."""

from datetime import timedelta

import pytest
import time_machine

from beanpost.pages import sessions
from beanpost.play import clock
from beanpost.play.models import Match, Place
from beanpost.play.tickets import AddressTicket, LaterAddressTicket, LetterSettingsTicket, StopAddressTicket, redeem
from beanpost.play.timekeeping import mail_credits, sweep
from beanpost.players import accounts, address_changes
from beanpost.players.models import AddressChange, Player
from beanpost.post import address_moves
from beanpost.post.models import Letter
from beanpost.post.tasks import move_addresses
from beanpost.privacy import data_export, erasure
from tests.friends import NOON, seat_friends, welcome_player
from tests.pages.table import link
from tests.post.gallery import deliver, move

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
OLD, NEW = "bob@example.org", "thief@beans.example"


@pytest.fixture
def match():
    """A match that waits for Bob, whose letters seem to bounce."""
    match = seat_friends()
    accounts.mark_unreached(bob(), now=NOON)
    deliver()
    return match


@pytest.fixture
def noon():
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


def bob() -> Player:
    return Player.objects.get(name="Bob")


def text(response) -> str:
    return response.content.decode()


def name_address(client, new: str = NEW) -> str:
    """Ask for a new address with one of Bob's letters; return the link sent to the new address."""
    client.post(link("wishes", LetterSettingsTicket(bob().pk, bob().sessions)), {"address": new})
    ticket = Letter.objects.filter(kind="address", values__to=new).latest("pk").values["ticket"]
    return link("address-later", redeem(LaterAddressTicket, ticket))


def stop_link(change: AddressChange) -> str:
    return link("stop-address", StopAddressTicket(change.player_id, change.pk))


def start(client) -> AddressChange:
    client.post(name_address(client))
    return AddressChange.objects.get()


def test_the_link_at_the_new_address_changes_nothing_for_two_days(client, match, noon):
    address = name_address(client)
    assert "two days" in text(client.get(address))
    assert not AddressChange.objects.exists()
    for _ in range(2):
        assert NEW in text(client.post(address))
    assert AddressChange.objects.get().effective_at == NOON + 48 * HOUR
    assert (address_moves.apply_due_changes(NOON + 47 * HOUR), bob().address) == (0, OLD)
    assert address_moves.apply_due_changes(NOON + 48 * HOUR) == 1
    assert address_moves.apply_due_changes(NOON + 48 * HOUR) == 0
    assert (bob().address, bob().unreached_at) == (NEW, None)


def test_only_the_confirmation_letter_goes_to_the_new_address_before(client, match, noon):
    start(client)
    deliver(NOON + 47 * HOUR)
    assert set(Letter.objects.filter(address=NEW).values_list("kind", flat=True)) == {"address"}
    address_moves.apply_due_changes(NOON + 48 * HOUR)
    deliver(NOON + 48 * HOUR)
    assert "lost" in Letter.objects.filter(address=NEW).values_list("kind", flat=True)


def test_the_old_address_gets_two_notices_with_a_link_that_stops_it(client, match, noon):
    change = start(client)
    deliver()
    deliver(NOON + 24 * HOUR)
    notices = Letter.objects.filter(kind="moving_address", state="sent")
    assert [letter.address for letter in notices] == [OLD, OLD]
    assert all(stop_link(change).partition(":")[0] in letter.text and NEW not in letter.text for letter in notices)
    address_moves.apply_due_changes(NOON + 48 * HOUR)
    assert Letter.objects.get(kind="moved_address").values["to"] == OLD


def test_the_stop_link_asks_first_and_then_ends_every_older_link(client, match, noon):
    wishes, change = link("wishes", LetterSettingsTicket(bob().pk, bob().sessions)), start(client)
    deliver()
    assert "Stop the change of your address?" in text(client.get(stop_link(change)))
    assert address_changes.find_pending().exists()
    for _ in range(2):
        assert "Your address stays as it was" in text(client.post(stop_link(change)))
    assert address_moves.apply_due_changes(NOON + 48 * HOUR) == 0
    assert (bob().address, bob().unreached_at) == (OLD, None)
    assert client.get(wishes).status_code == 410  # the forwarded letter no longer works
    assert Letter.objects.filter(kind="lost", recipient=bob()).count() == 1
    deliver(NOON + 24 * HOUR)
    assert Letter.objects.filter(kind="moving_address", state="dropped").count() == 1  # the second notice


def test_a_change_that_has_taken_effect_cannot_be_stopped(client, match, noon):
    change = start(client)
    address_moves.apply_due_changes(NOON + 48 * HOUR)
    for page in (client.get(stop_link(change)), client.post(stop_link(change))):
        assert "Your address has changed already" in text(page)
    assert bob().address == NEW


@pytest.mark.parametrize(
    "meanwhile",
    [
        lambda: accounts.sign_out_everywhere(bob()),
        lambda: accounts.change_address(bob(), "elsewhere@example.org"),
        lambda: accounts.refuse_letters(bob(), now=NOON),
        lambda: accounts.get_or_create_player(NEW, now=NOON),
        lambda: address_changes.stop_change(AddressChange.objects.get(), now=NOON),
    ],
    ids=["signed out", "moved", "silenced", "taken", "stopped"],
)
def test_a_change_is_cancelled_when_something_else_happened_meanwhile(client, match, noon, meanwhile):
    start(client)
    meanwhile()
    before = bob().address
    assert address_moves.apply_due_changes(NOON + 48 * HOUR) == 0
    assert bob().address == before != NEW
    assert AddressChange.objects.get().stopped_at


def test_a_change_does_not_come_back_when_letters_are_wanted_again(client, match, noon):
    """Otherwise a thief could unsubscribe the player from our notices and undo that just before the change takes
    effect."""
    start(client)
    accounts.refuse_letters(bob(), now=NOON)
    accounts.write_again(OLD)
    assert address_moves.apply_due_changes(NOON + 48 * HOUR) == 0
    assert bob().address == OLD


def test_deleting_a_player_deletes_the_change(client, match, noon):
    start(client)
    Match.objects.update(phase=Match.Phase.ENDED)
    player = bob()
    assert data_export.export_data(player)["address_changes"][0]["new"] == NEW
    erasure.erase(player, now=NOON)
    assert not AddressChange.objects.exists()
    assert address_moves.apply_due_changes(NOON + 48 * HOUR) == 0


def test_a_second_change_to_another_address_waits_for_the_first(client, match, noon):
    mine, theirs = name_address(client), name_address(client, "owner@beans.example")
    client.post(mine)
    page = client.post(theirs)
    assert page.status_code == 409
    assert "Another change of this address is waiting already." in text(page)
    assert NEW not in text(client.get(theirs))
    wishes = link("wishes", LetterSettingsTicket(bob().pk, bob().sessions))
    assert 'name="address"' not in text(client.get(wishes))
    assert AddressChange.objects.get().new == NEW


def test_players_whose_letters_arrive_again_cannot_change_their_address_this_way(client, match, noon):
    address = name_address(client)
    Player.objects.update(unreached_at=None)
    page = client.post(address)
    assert page.status_code == 409
    assert "Our letters reach the old address." in text(page)
    assert not AddressChange.objects.exists()


def test_players_who_want_no_letters_cannot_change_their_address_this_way(client, match, noon):
    """They would not read our notices."""
    address = name_address(client)
    accounts.refuse_letters(bob(), now=NOON)
    assert client.post(address).status_code == 409
    client.post(link("wishes", LetterSettingsTicket(bob().pk, bob().sessions)), {"address": "other@beans.example"})
    assert not Letter.objects.filter(values__to="other@beans.example").exists()


def test_an_ordinary_link_does_not_pass_for_one_with_the_delay(client, match, noon):
    ticket = redeem(LaterAddressTicket, name_address(client).rpartition("/address/later/")[2].strip("/"))
    assert client.post(link("address", ticket)).status_code == 404
    ordinary = AddressTicket(bob().pk, bob().sessions, OLD, NEW)
    assert client.post(link("address-later", ordinary)).status_code == 404
    assert bob().address == OLD


def test_a_signed_in_player_sees_the_change_and_stops_it(client, match, noon):
    start(client)
    session = client.session
    session[sessions.VISIT_KEY] = [bob().pk, bob().sessions]
    session.save()
    assert NEW in text(client.get("/my/"))
    assert client.get("/my/address/stop/").status_code == 302
    assert address_changes.find_pending().exists()
    assert "Your address stays as it was" in text(client.post("/my/address/stop/"))
    assert not address_changes.find_pending().exists()
    assert client.get("/my/").status_code == 200  # this session continues


def test_another_player_cannot_stop_a_change(client, match, noon):
    start(client)
    assert client.post("/my/address/stop/").status_code == 302
    assert address_changes.find_pending().exists()


def test_the_mail_task_carries_changes_out(client, match, noon):
    start(client)
    noon.move_to(NOON + 49 * HOUR)
    move_addresses()
    assert bob().address == NEW


# ── the clock ──


def due(match: Match):
    return match.waits.get().due_at


def seat() -> Place:
    return bob().places.get()


def test_the_clock_is_stopped_until_the_new_address_takes_effect(client, match, noon):
    before = due(match)
    start(client)
    assert due(match) == before + 48 * HOUR
    assert seat().unreached == 48 * HOUR
    for _ in range(2):
        sweep.sweep(NOON)
    assert due(match) == before + 48 * HOUR


def test_the_clock_is_stopped_for_three_days_per_match_at_most(client, match, noon):
    Place.objects.update(unreached=timedelta(days=2))
    before = due(match)
    start(client)
    assert due(match) == before + 24 * HOUR
    assert seat().unreached == mail_credits.MAX_UNREACHED
    address_changes.stop_change(AddressChange.objects.get(), now=NOON)
    client.post(name_address(client, "another@beans.example"))
    assert due(match) == before + 24 * HOUR


def test_a_match_that_asks_meanwhile_waits_too(client, match, noon):
    move(match)  # Bob's turn is over
    change = start(client)
    assert change.waited_for == []
    while Place.objects.get(match=match, seat=match.waits.get().seat).player != bob():
        move(match, now=NOON + HOUR)
    before = due(match)
    sweep.sweep(NOON + 2 * HOUR)
    assert due(match) == before + 46 * HOUR
    sweep.sweep(NOON + 3 * HOUR)
    assert due(match) == before + 46 * HOUR


def test_a_cancelled_change_does_not_stop_the_clock(client, match, noon):
    move(match)
    start(client)
    accounts.sign_out_everywhere(bob())
    while Place.objects.get(match=match, seat=match.waits.get().seat).player != bob():
        move(match, now=NOON + HOUR)
    before = due(match)
    sweep.sweep(NOON + 2 * HOUR)
    assert due(match) == before


def test_a_link_to_a_new_address_does_not_undo_a_refusal(client):
    ann = welcome_player("ann@example.org", "Ann")
    there = link("address", AddressTicket(ann.pk, ann.sessions, ann.address, "anne@beans.example"))
    accounts.refuse_letters(ann, now=NOON)
    for page in (client.get(there), client.post(there)):
        assert page.status_code == 409
        assert "You want no letters." in page.content.decode()
    ann.refresh_from_db()
    assert (ann.address, ann.unwanted_at) == ("ann@example.org", NOON)


def test_the_ordinary_change_of_address_stays_immediate(client):
    ann = welcome_player("ann@example.org", "Ann")
    client.post(link("address", AddressTicket(ann.pk, ann.sessions, ann.address, "anne@beans.example")))
    ann.refresh_from_db()
    assert ann.address == "anne@beans.example"
    assert clock.now() > NOON
