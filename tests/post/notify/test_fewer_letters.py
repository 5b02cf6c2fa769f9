"""Letters of one match do not pile up: one an hour, an offer of one a day, and one until the player looks in."""

from datetime import timedelta

import pytest
from django.urls import reverse

from beanpost.play.models import Match, Place
from beanpost.play.seats import own_seat
from beanpost.play.tickets import FewerTicket, redeem
from beanpost.play.turns import standing_orders
from beanpost.players.models import Player
from beanpost.post import preferences
from beanpost.post.models import Letter
from tests.friends import NOON, seat_friends
from tests.post.answering import BOB, CLEO, DORA, say
from tests.post.gallery import asked, deliver

pytestmark = pytest.mark.django_db

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


@pytest.fixture
def market():
    """Dora has turned up two cards, and the others may trade with her."""
    match = seat_friends("bohnanza", "standard", seats=4)
    say(match, DORA, "plant garden in 1")
    say(match, DORA, "reveal")
    return match


def of(match: Match, seat: int) -> Place:
    return match.places.select_related("player").get(seat=seat)


def turns(match: Match, seat: int) -> list[Letter]:
    return list(match.letters.filter(recipient=of(match, seat).player, kind="turn").order_by("pk"))


# ── one an hour ──


def test_a_player_whom_nobody_waits_for_gets_one_letter_an_hour(market):
    Letter.objects.filter(match=market).update(state=Letter.State.SENT, sent_at=NOON)
    wait = market.waits.get(seat=BOB)
    assert not wait.is_blocking
    assert preferences.find_earliest_time(wait, of(market, BOB), NOON + 20 * MINUTE) == NOON + HOUR
    assert preferences.find_earliest_time(wait, of(market, BOB), NOON + 70 * MINUTE) == NOON + 70 * MINUTE


def test_an_offer_is_not_held_until_the_market_is_over(market):
    Letter.objects.filter(match=market).update(state=Letter.State.SENT, sent_at=NOON)
    market.waits.filter(seat=DORA).update(due_at=NOON + 30 * MINUTE, remind_at=None)
    before = len(turns(market, BOB))
    say(market, DORA, "offer *eye for red to B")
    [letter] = turns(market, BOB)[before:]
    assert letter.due_at == NOON + 15 * MINUTE


def test_a_player_whom_the_table_waits_for_gets_their_letter_at_once(market):
    Letter.objects.filter(match=market).update(state=Letter.State.SENT, sent_at=NOON)
    wait = market.waits.get(seat=DORA)
    assert wait.is_blocking
    assert preferences.find_earliest_time(wait, of(market, DORA), NOON + MINUTE) == NOON + MINUTE


def test_news_of_one_hour_comes_in_one_letter(market):
    Letter.objects.filter(match=market).update(state=Letter.State.SENT, sent_at=NOON)
    before = len(turns(market, BOB))
    say(market, DORA, "offer *eye for red to B")
    say(market, DORA, "offer *green for red to B")
    new = turns(market, BOB)[before:]
    assert [letter.due_at for letter in new] == [NOON + HOUR]


# ── none while a plan says "no deal" ──


def test_a_player_whose_plan_has_said_no_deal_gets_a_letter_only_about_offers(market):
    standing_orders.give_order(of(market, BOB), "no deal until turn 9", now=NOON)
    deliver(NOON + 2 * HOUR)
    assert [letter.state for letter in turns(market, BOB)] == [Letter.State.DROPPED]
    market.refresh_from_db()
    say(market, DORA, "offer *green for nothing to B")
    deliver(NOON + 4 * HOUR)
    assert [letter.state for letter in turns(market, BOB)] == [Letter.State.DROPPED, Letter.State.SENT]


# ── one a day, offered ──


def offer(letter: Letter) -> str:
    letter.refresh_from_db()
    return "Would one a day be enough?" if "Would one a day be enough?" in " ".join(letter.text.split()) else ""


def newest(place: Place) -> Letter:
    deliver()
    return Letter.objects.filter(recipient=place.player, kind="turn", state=Letter.State.SENT).latest("pk")


@pytest.mark.parametrize(
    ("kind", "offers"),
    [(("bohnanza", "standard"), True), (("pas_de_haricots", "one"), True), (("haricots", "basic"), False)],
)
def test_the_first_letter_of_a_game_with_many_letters_offers_one_a_day(kind, offers):
    match = seat_friends(*kind, seats=4)
    deliver()
    assert {bool(offer(letter)) for letter in match.letters.filter(kind__in=("turn", "started"))} == {offers}


def test_after_ten_letters_the_next_one_offers_one_a_day_in_one_press(client):
    match = seat_friends(variant="basic")
    place = asked(match)
    for number in range(10):
        sent = {"state": Letter.State.SENT, "created_at": NOON, "due_at": NOON, "sent_at": NOON}
        Letter.objects.create(match=match, recipient=place.player, kind="late", key=f"old/{number}", **sent)
    letter = newest(place)
    assert offer(letter)
    ticket = letter.text.split("/less/")[1].split("/")[0]
    assert redeem(FewerTicket, ticket) == FewerTicket(place.player.pk, place.player.sessions, "daily")
    door = reverse("fewer", args=[ticket])
    assert "One letter a day?" in client.get(door).content.decode()
    assert Player.objects.get(pk=place.player.pk).how_often == "every"  # GET only asks
    client.post(door)
    player = Player.objects.get(pk=place.player.pk)
    assert (player.how_often, player.digest_at is not None) == ("daily", True)


def test_a_player_who_wants_reminders_only_is_not_offered_one_letter_a_day(client):
    match = seat_friends("bohnanza", "standard", seats=4)
    player = of(match, DORA).player
    preferences.change(player, {"how_often": "reminders"}, now=NOON)
    preferences.stop_kind(player, "daily", now=NOON)
    assert Player.objects.get(pk=player.pk).how_often == "reminders"


# ── one until the player looks in ──


def test_after_one_letter_there_is_none_until_the_player_looks_in(market):
    place = of(market, BOB)
    place.player.how_often = Player.HowOften.ONCE
    wait = market.waits.get(seat=BOB)
    assert not preferences.needs_letter_now(wait, place, NOON)  # a letter about it is queued
    own_seat.note_presence(place, now=NOON + MINUTE)
    looked_in = of(market, BOB)
    looked_in.player.how_often = Player.HowOften.ONCE
    assert preferences.needs_letter_now(wait, looked_in, NOON + 2 * MINUTE)


def test_a_move_counts_as_looking_in(market):
    Letter.objects.filter(match=market).update(created_at=NOON - HOUR)
    say(market, CLEO, "no deal")
    place = of(market, CLEO)
    place.player.how_often = Player.HowOften.ONCE
    assert preferences.needs_letter_now(market.waits.get(seat=DORA), of(market, DORA), NOON)
    wait = market.waits.filter(seat=CLEO).first() or market.waits.get(seat=DORA)
    assert preferences.has_unseen_letter(wait, place) is False


def test_the_first_letter_comes_and_a_question_without_a_reminder_is_never_missed():
    match = seat_friends(variant="basic")
    place, wait = asked(match), match.waits.get()
    place.player.how_often = Player.HowOften.ONCE
    assert not preferences.needs_letter_now(wait, place, NOON)  # its letter is queued, and the reminder will come
    wait.remind_at = None
    assert preferences.needs_letter_now(wait, place, NOON)
    Letter.objects.filter(match=match).delete()
    wait.refresh_from_db()
    assert preferences.needs_letter_now(wait, place, NOON)


def once(place: Place) -> Place:
    Player.objects.filter(pk=place.player_id).update(how_often=Player.HowOften.ONCE)
    return of(place.match, place.seat)


def test_a_queued_letter_about_another_question_does_not_stand_in_for_the_next_one(market):
    """It will be dropped, because its question is closed: then nothing would tell the player of the next one."""
    wait, place = market.waits.get(seat=BOB), once(of(market, BOB))
    assert [letter.state for letter in turns(market, BOB)] == [Letter.State.QUEUED]
    wait.opened += 5
    assert preferences.needs_letter_now(wait, place, NOON)


@pytest.mark.parametrize(
    "fate", [{"state": Letter.State.FAILED}, {"state": Letter.State.SENT, "sent_at": NOON, "returned_at": NOON}]
)
def test_a_letter_that_did_not_arrive_is_not_the_one_letter(market, fate):
    wait, place = market.waits.get(seat=BOB), once(of(market, BOB))
    Letter.objects.filter(match=market).update(**fate)
    assert preferences.needs_letter_now(wait, place, NOON)


def test_a_player_who_wants_one_letter_and_mutes_reminders_gets_the_open_question():
    match = seat_friends(variant="basic")
    place, wait = once(asked(match)), match.waits.get()
    earlier = {"state": Letter.State.SENT, "created_at": NOON, "due_at": NOON, "sent_at": NOON}
    Letter.objects.filter(match=match).delete()
    Letter.objects.create(match=match, recipient=place.player, kind="turn", key="an earlier question", **earlier)
    assert not preferences.needs_letter_now(wait, place, NOON)  # they have not looked in since that letter
    preferences.stop_reminding(place, now=NOON)
    assert Letter.objects.filter(match=match, kind="turn", values__opened=wait.opened).count() == 1
