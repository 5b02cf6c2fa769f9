"""Before a match starts: opening it, joining it, getting ready, declining, keeping it."""

import re
from datetime import timedelta
from threading import Barrier, Thread

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.urls import reverse

from beanpost.play.models import Match, Place
from beanpost.play.seats import joining, league_tables, opening
from beanpost.play.seats.own_seat import renew_links
from beanpost.play.tickets import JoinTicket, SignInTicket
from beanpost.play.timekeeping import absence
from beanpost.players import accounts
from beanpost.post.models import Letter
from beanpost.post.outbox import queue
from tests.friends import NOON, gather, seat_friends
from tests.pages.gallery import plan
from tests.pages.table import link, seat_link
from tests.post.gallery import deliver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_noon")]


@pytest.fixture
def ann():
    return accounts.get_or_create_player("ann@example.org", name="Ann", now=NOON)


@pytest.fixture
def bob():
    return accounts.get_or_create_player("bob@example.org", name="Bob", now=NOON)


def text(response) -> str:
    return response.content.decode()


# ── opening ──


def test_the_link_in_the_letter_shows_the_plan_and_the_button_opens_the_match(client, ann):
    address = link("opening", plan(ann, addresses=["bob@example.org"]))
    page = client.get(address)
    assert "Haricots" in text(page)
    assert "bob@example.org" in text(page)
    assert not Match.objects.exists()
    page = client.post(address)
    assert "Your seat is reserved" in text(page)
    match = Match.objects.get()
    assert [letter.kind for letter in Letter.objects.all()] == ["invitation"]
    assert seat_link("keep", match.places.get(player=ann)).split(":")[0] in text(page)


def test_the_keeper_adds_a_word_when_the_commitment_is_published(client, ann):
    address = link("opening", plan(ann))
    assert "Your word for the shuffle (optional)" not in text(
        client.get(address)
    )  # there is no secret yet, and nothing to bind it
    shown = text(client.post(address))
    match = Match.objects.get()
    assert match.commitment in shown
    [keep] = set(re.findall(r'action="(/keep/[^"]+)"', shown))
    shown = text(client.post(keep, {"word": " mung  bean "}))
    assert "Your word for the shuffle is “mung bean”." in shown
    assert "Your word for the shuffle (optional)" not in shown
    assert match.places.get(player=ann).word == "mung bean"


def test_an_invalid_word_is_refused_with_a_sentence(client, ann):
    match = opening.open_match(plan(ann), ann, now=NOON)
    page = client.post(seat_link("keep", match.places.get(player=ann)), {"word": "bean" * 11})
    assert page.status_code == 400
    assert "40 characters or fewer" in text(page)
    assert match.places.get(player=ann).word == ""


def test_a_word_stays_when_the_form_is_sent_again_without_one(client, ann):
    place = opening.open_match(plan(ann), ann, now=NOON).places.get(player=ann)
    for word in ("mung", ""):
        client.post(seat_link("keep", place), {"word": word})
    place.refresh_from_db()
    assert place.word == "mung"


def test_only_the_keeper_can_add_a_word_afterwards(client):
    bob = gather().places.get(seat=1)
    client.post(seat_link("keep", bob), {"word": "another"})
    bob.refresh_from_db()
    assert bob.word == ""


@pytest.fixture
def own_table(ann):
    """A league table whose keeper also plays there and is invited like everyone else."""
    others = [accounts.get_or_create_player(f"{name}@example.org", now=NOON) for name in ("bob", "cleo")]
    match = league_tables.open_league_table(
        ann, [ann, *others], game="haricots", variant="sprint", pace="daily", now=NOON
    )
    return match.places.get(player=ann)


def test_a_league_keeper_who_plays_gets_ready_like_everyone(client, own_table):
    assert "invites you to play" in text(client.get(seat_link("ready", own_table)))
    joining.set_word(own_table, "mung")
    client.post(seat_link("ready", own_table), {"name": "Ann", "word": ""})
    own_table.refresh_from_db()
    assert own_table.confirmed_at
    assert own_table.word == "mung"


def test_declining_keeps_the_match_open(client, own_table):
    assert "Your seat is free again" in text(client.post(seat_link("ready", own_table), {"decline": "1"}))
    assert own_table.match.places.count() == 2
    own_table.match.refresh_from_db()
    assert own_table.match.phase == "gathering"


@pytest.fixture
def own_seat(own_table):
    """The keeper's seat at that table once they are ready; the table still belongs to the league."""
    joining.accept_invitation(own_table, name="Ann", word="", now=NOON)
    return own_table


def test_a_league_keeper_can_decline_after_getting_ready(client, own_seat):
    page = text(client.get(seat_link("ready", own_seat)))
    assert "I can’t play after all" in page
    assert "Manage this table" not in page
    assert "Your seat is free again" in text(client.post(seat_link("ready", own_seat), {"decline": "1"}))
    assert Match.objects.get().phase == "gathering"


def test_a_league_keeper_cannot_call_off_a_league_table_or_invite_to_it(client, own_seat):
    joining.decline(own_seat.match.places.get(seat=2), now=NOON)
    queue.queue(own_seat.player, "lost", "lost/1", now=NOON)
    deliver()
    assert not Letter.objects.filter(kind="declined").exists()  # the organiser sees empty seats in the admin
    assert "/keep/" not in Letter.objects.get(kind="lost", state="sent").text
    for wish in ({"call_off": "1"}, {"address": "dora@example.org"}):
        assert "Your seat is reserved" in text(client.post(seat_link("keep", own_seat), wish))
    assert Match.objects.get().phase == "gathering"
    assert own_seat.match.places.count() == 2


def test_a_league_keepers_complaint_does_not_call_the_table_off(own_seat):
    absence.stop_letters_and_seats(own_seat.player, now=NOON)
    assert Match.objects.get().phase == "gathering"
    assert own_seat.match.places.count() == 2


def test_a_league_keeper_can_still_invite_friends(own_table, monkeypatch):
    monkeypatch.setattr(joining, "INVITATIONS_A_DAY", 1)
    opening.open_match(plan(own_table.player, addresses=["dora@example.org"]), own_table.player, now=NOON)


def test_a_word_is_refused_once_the_cards_are_dealt():
    ann = seat_friends().places.get(seat=0)
    with pytest.raises(ValidationError, match="has started"):
        joining.set_word(ann, "late")
    ann.refresh_from_db()
    assert ann.word == "runner"


def test_pressing_the_letter_again_leads_to_the_match_it_opened(client, ann):
    address = link("opening", plan(ann))
    client.post(address)
    for page in (client.get(address), client.post(address)):
        assert "Your seat is reserved" in text(page)
        assert "/keep/" not in text(page)  # an old letter gives out no fresh ticket
        assert "about your seat under “My games”" in text(page)
    assert Match.objects.count() == 1


def test_too_many_invitations_are_refused_with_a_sentence(client, ann, monkeypatch):
    monkeypatch.setattr(joining, "INVITATIONS_A_DAY", 1)
    address = link("opening", plan(ann, addresses=["bob@example.org", "cleo@example.org"]))
    page = client.post(address)
    assert page.status_code == 400
    assert "You can invite up to 1 people a day" in text(page)
    assert not Match.objects.exists()


def test_a_match_of_bots_starts_at_once(client, ann):
    page = client.post(link("opening", plan(ann, seats=3, bots=2, open_to_all=False)))
    assert "The match has started" in text(page)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_simultaneous_presses_open_one_match():
    ann = accounts.get_or_create_player("ann@example.org", name="Ann", now=NOON)
    address, together, pages = link("opening", plan(ann)), Barrier(2), []

    def press() -> None:
        together.wait()
        pages.append(Client().post(address))
        connection.close()

    presses = [Thread(target=press) for _ in range(2)]
    for thread in presses:
        thread.start()
    for thread in presses:
        thread.join()
    assert ["Your seat is reserved" in text(page) for page in pages] == [True, True]
    assert Match.objects.count() == 1
    assert Place.objects.filter(player=ann).count() == 1


# ── joining ──


def test_a_seat_is_taken_with_a_word(client, ann, bob):
    match = opening.open_match(plan(ann), ann, now=NOON)
    address = link("joining", JoinTicket(bob.pk, bob.sessions, match.pk))
    assert "Take this seat?" in text(client.get(address))
    assert "Your seat is reserved" in text(client.post(address, {"word": "broad"}))
    assert match.places.get(player=bob).word == "broad"
    assert "Your seat is reserved" in text(client.get(address))


def test_a_table_that_has_filled_meanwhile_says_so(client, ann, bob):
    match = opening.open_match(plan(ann, seats=3, bots=1), ann, now=NOON)
    address = link("joining", JoinTicket(bob.pk, bob.sessions, match.pk))
    joining.join(match.pk, accounts.get_or_create_player("cleo@example.org", now=NOON), now=NOON)
    for page in (client.get(address), client.post(address)):
        assert "This table is full" in text(page)
    assert not match.places.filter(player=bob).exists()


def test_a_table_is_full_while_an_invited_player_has_not_answered(client, ann, bob):
    match = opening.open_match(plan(ann, seats=3, bots=1), ann, now=NOON)
    cleo = joining.invite_instead(match.pk, "cleo@example.org", now=NOON).player
    assert "This table is full" in text(client.get(link("joining", JoinTicket(bob.pk, bob.sessions, match.pk))))
    assert "Take this seat?" in text(client.get(link("joining", JoinTicket(cleo.pk, cleo.sessions, match.pk))))


def test_a_signed_in_player_takes_a_seat_without_a_letter(client, ann, bob):
    match = opening.open_match(plan(ann), ann, now=NOON)
    page = reverse("match", args=[match.code])
    assert "Send me the letter" in text(client.get(page))
    client.post(link("enter", SignInTicket(bob.pk, bob.visits)))
    shown = text(client.get(page))
    assert "Send me the letter" not in shown
    [way_in] = re.findall(r'href="(/joining/[^"]+)"', shown)
    assert "Your seat is reserved" in text(client.post(way_in, {"word": "broad"}))
    assert match.places.filter(player=bob).exists()
    assert "/joining/" not in text(client.get(page))  # nobody sits down twice


def test_a_join_form_typed_before_signing_in_is_still_answered(client, ann, bob):
    match = opening.open_match(plan(ann), ann, now=NOON)
    client.post(link("enter", SignInTicket(bob.pk, bob.visits)))
    refused = client.post(reverse("join", args=[match.code]), {"name": "Bob", "address": "nowhere"})
    assert refused.status_code == 400
    assert 'value="nowhere"' in text(refused)


# ── getting ready ──


def test_the_invitation_explains_the_word_and_the_commitment(client):
    match = gather()
    page = text(client.get(seat_link("ready", match.places.get(seat=1))))
    assert "Ann invites you to play Haricots" in page
    assert "goes into the shuffle" in page
    assert match.commitment in page
    assert "We’ve committed to the secret" in page


def test_an_invited_player_finds_the_rules_on_the_page_and_in_the_letter(client):
    match = gather()
    page = text(client.get(seat_link("ready", match.places.get(seat=1))))
    assert "The rules in two minutes" in page
    assert f'href="{reverse("rules", args=["haricots"])}"' in page
    deliver()
    letter = Letter.objects.filter(kind="invitation").first()
    assert reverse("rules", args=["haricots"]) in letter.text
    assert reverse("rules", args=["haricots"]) in letter.html


def test_an_invited_player_gets_ready_with_a_name_and_a_word(client):
    match = gather()
    page = client.post(seat_link("ready", match.places.get(seat=1)), {"name": "Bobby", "word": "broad"})
    assert "Your seat is reserved" in text(page)
    place = match.places.get(seat=1)
    assert (place.name, place.word, place.word_of_house) == ("Bobby", "broad", False)


def test_the_match_starts_when_the_last_player_is_ready(client):
    match = gather()
    for seat in (1, 2):
        page = client.post(seat_link("ready", match.places.get(seat=seat)), {"name": "B", "word": ""})
    assert "The match has started" in text(page)
    match.refresh_from_db()
    assert match.phase == "running"


def test_pressing_ready_twice_changes_nothing_more(client):
    match = gather()
    address = seat_link("ready", match.places.get(seat=1))
    for word in ("broad", "another"):
        page = client.post(address, {"name": "Bob", "word": word})
        assert "Your seat is reserved" in text(page)
    assert match.places.get(seat=1).word == "broad"


@pytest.mark.parametrize("typed", [{"name": ""}, {"name": "x" * 50}, {"name": "Bob", "word": "a\0b"}, {}])
def test_an_error_is_shown_beside_its_field(typed, client, everything):
    address = seat_link("ready", gather().places.get(seat=1))
    before = everything()
    page = client.post(address, typed)
    assert page.status_code == 400
    assert "errorlist" in text(page)
    assert everything() == before


def test_declining_frees_the_seat_and_ends_the_link(client):
    match = gather()
    address = seat_link("ready", match.places.get(seat=1))
    assert "Thanks for letting us know" in text(client.post(address, {"decline": "1"}))
    assert [place.seat for place in match.places.all()] == [0, 2]
    again = client.get(address)
    assert again.status_code == 410
    assert "The invitation was declined" in text(again)


def test_a_seat_declined_at_the_same_moment_cannot_be_taken(everything):
    """The page has loaded the seat; before it confirms, another press has declined."""
    place = gather().places.get(seat=1)
    joining.decline(Place.objects.get(pk=place.pk), now=NOON)
    before = everything()
    with pytest.raises(ValidationError, match="no longer reserved for you"):
        joining.accept_invitation(place, name="Bob", word="broad", now=NOON)
    assert everything() == before


def test_a_player_who_declined_cannot_take_the_seat_given_to_another(client):
    match = gather()
    old = seat_link("ready", match.places.get(seat=1))
    client.post(old, {"decline": "1"})
    later = joining.invite_instead(match.pk, "dora@example.org", now=NOON + timedelta(hours=1))
    assert later.seat == 1
    assert client.post(old, {"name": "Mallory", "word": ""}).status_code == 410
    assert match.places.get(seat=1).confirmed_at is None


def test_a_player_who_accepted_can_still_decline_before_the_start(client):
    match = gather()
    address = seat_link("ready", match.places.get(seat=1))
    page = client.post(address, {"name": "Bob", "word": ""})
    assert "I can’t play after all" in text(page)
    client.post(address, {"decline": "1"})
    assert not match.places.filter(seat=1).exists()


def test_a_started_match_cannot_be_declined(client):
    match = seat_friends()
    page = client.post(seat_link("ready", match.places.get(seat=1)), {"decline": "1"})
    assert "The match has started" in text(page)
    assert match.places.count() == 3


def test_players_who_have_not_answered_are_not_named(client):
    match = gather()
    for address in (reverse("match", args=[match.code]), seat_link("keep", match.places.get(seat=0))):
        page = text(client.get(address))
        assert "2 invited players haven’t answered yet." in page
        assert "Bob" not in page
        assert "bob" not in page


# ── keeping ──


def test_the_keeper_invites_another_player_for_a_free_seat(client):
    match = gather()
    joining.decline(match.places.get(seat=1), now=NOON)
    address = seat_link("keep", match.places.get(seat=0))
    assert "One seat is free." in text(client.get(address))
    page = client.post(address, {"address": "dora@example.org"})
    assert "The invitation is on its way." in text(page)
    assert match.places.get(seat=1).player.address == "dora@example.org"  # type: ignore[union-attr]
    assert Letter.objects.filter(kind="invitation", recipient__address="dora@example.org").exists()


@pytest.mark.parametrize(
    ("address", "sentence"),
    [("nobody", "Enter a valid email address."), ("cleo@example.org", "That person already has a seat at this table.")],
)
def test_an_invitation_that_cannot_be_sent_is_refused(address, sentence, client):
    match = gather()
    joining.decline(match.places.get(seat=1), now=NOON)
    page = client.post(seat_link("keep", match.places.get(seat=0)), {"address": address})
    assert page.status_code == 400
    assert sentence in text(page)
    assert match.places.count() == 2


def test_a_full_table_takes_no_more_players(client):
    match = gather()
    page = client.post(seat_link("keep", match.places.get(seat=0)), {"address": "dora@example.org"})
    assert page.status_code == 400
    assert "This table is full." in text(page)


def test_the_keeper_can_call_the_match_off(client):
    match = gather()
    page = client.post(seat_link("keep", match.places.get(seat=0)), {"call_off": "1"})
    assert "The match is called off" in text(page)
    match.refresh_from_db()
    assert match.phase == "called off"
    assert "This match was called off" in text(client.get(seat_link("ready", match.places.get(seat=1))))
    assert "called off before it started" in text(client.get(reverse("match", args=[match.code])))


def test_the_keepers_page_is_for_the_keeper_only(client):
    match = gather()
    page = client.post(seat_link("keep", match.places.get(seat=1)), {"call_off": "1"})
    match.refresh_from_db()
    assert match.phase == "gathering"
    assert "Call off this match" not in text(page)


def test_a_started_match_cannot_be_called_off(client):
    match = seat_friends()
    page = client.post(seat_link("keep", match.places.get(seat=0)), {"call_off": "1"})
    assert "The match has started" in text(page)
    match.refresh_from_db()
    assert match.phase == "running"


def test_renewing_a_seat_ends_the_old_invitation(client):
    match = gather()
    place = match.places.get(seat=1)
    old = seat_link("ready", place)
    renew_links(place)
    assert client.post(old, {"name": "Bob"}).status_code == 410
