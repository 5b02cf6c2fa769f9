"""Addresses that nobody has confirmed get one letter a day and three in 90 days; refused addresses get none."""

from datetime import timedelta

import pytest
import time_machine
from django.core.exceptions import ValidationError

from beanpost.play.seats import opening
from beanpost.play.tickets import AddressTicket, LetterSettingsTicket, SeatTicket, SettingsTicket, WayBackTicket, sign
from beanpost.players import accounts, confirming
from beanpost.players.models import Player, RefusedAddress, Unanswered
from beanpost.post.deliver import reports, sending
from beanpost.post.models import Letter, Report
from beanpost.post.outbox import claims, queue, requested, unconfirmed
from beanpost.privacy import data_export, erasure
from tests.friends import NOON, seat_friends, welcome_player
from tests.pages.table import link
from tests.post.answering import answer, with_replies
from tests.post.gallery import deliver

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
STRANGER = "stranger@beans.example"


def invite(stranger: str = STRANGER, *, keeper: str = "ann@example.org", now=NOON) -> Player:
    """An invitation to a table of two and a bot."""
    host = welcome_player(keeper, "Ann")
    plan = opening.plan(
        host, game="haricots", variant="sprint", seats=3, pace="daily", open_to_all=False, bots=1, addresses=[stranger]
    )
    opening.open_match(plan, host, now=now)
    return Player.objects.get(address=stranger)


def sent_to(address: str) -> int:
    return Letter.objects.filter(address=address, state=Letter.State.SENT).count()


def states(player: Player) -> list[str]:
    return list(Letter.objects.filter(recipient=player).order_by("pk").values_list("state", flat=True))


def test_an_unconfirmed_address_gets_one_letter_a_day_and_three_in_all():
    for n in range(5):
        stranger = invite(keeper=f"host{n}@example.org")
    assert [deliver(NOON + hours * timedelta(hours=1)) for hours in (0, 1, 23, 24, 25, 48, 72, 999)] == [
        1, 0, 0, 1, 0, 1, 0, 0,
    ]  # fmt: skip
    assert states(stranger) == ["sent", "sent", "sent", "withheld", "withheld"]


def test_the_count_of_letters_lapses_after_90_days():
    for day in (0, 1, 2, 3, 91, 92, 93, 94, 95):
        invite(keeper=f"host{day}@example.org", now=NOON + day * DAY)
        deliver(NOON + day * DAY)
    sent = Letter.objects.filter(address=STRANGER, state="sent").order_by("sent_at").values_list("sent_at", flat=True)
    assert [(at - NOON).days for at in sent] == [0, 1, 2, 92, 93, 94]


def test_withheld_letters_go_once_the_stranger_has_replied():
    for n in range(5):
        stranger = invite(keeper=f"host{n}@example.org")
    for day in range(5):
        deliver(NOON + day * timedelta(days=1))
    unconfirmed.confirm_player(stranger, now=NOON + timedelta(days=5))
    deliver(NOON + timedelta(days=5))
    assert states(stranger) == ["sent"] * 5


def test_withheld_letters_go_once_the_stranger_has_pressed_a_link(client):
    with time_machine.travel(NOON, tick=False):
        for n in range(3):
            stranger = invite(keeper=f"host{n}@example.org")
        deliver()
        place = stranger.places.order_by("pk").first()
        client.post(link("ready", SeatTicket(place.match_id, place.seat, place.occupant)), {"name": "Zoe", "word": ""})
        stranger.refresh_from_db()
        assert stranger.confirmed_at
        deliver()
    assert states(stranger)[:3] == ["sent"] * 3
    assert not Unanswered.objects.exists()


@pytest.mark.parametrize("method", ["get", "head"])
def test_opening_a_link_confirms_nothing(client, method):
    stranger = invite()
    getattr(client, method)(link("wishes", LetterSettingsTicket(stranger.pk, stranger.sessions)))
    stranger.refresh_from_db()
    assert stranger.confirmed_at is None


def test_neither_a_refused_form_nor_a_mail_program_confirms_an_address(client):
    stranger = invite()
    client.post(link("wishes", LetterSettingsTicket(stranger.pk, stranger.sessions)), {"how_often": "hourly"})
    place = stranger.places.get()
    client.post(link("unsubscribe", SeatTicket(place.match_id, 1, place.occupant)), {"List-Unsubscribe": "One-Click"})
    stranger.refresh_from_db()
    assert stranger.confirmed_at is None


def test_a_reply_confirms_an_address_and_an_automatic_one_does_not():
    match = seat_friends()
    with with_replies():
        deliver()
        letter = Letter.objects.get(kind="turn")
        Player.objects.filter(pk=letter.recipient_id).update(confirmed_at=None)
        answer(letter, "I am away.", Auto_Submitted="auto-replied")
        assert Player.objects.get(pk=letter.recipient_id).confirmed_at is None
        answer(letter, "pass")
    assert Player.objects.get(pk=letter.recipient_id).confirmed_at
    assert match.letters.exists()


def test_asking_repeatedly_on_a_page_queues_no_more_letters(client):
    for n in range(5):
        with time_machine.travel(NOON + n * timedelta(minutes=1), tick=False):
            client.post("/lost/", {"address": invite().address})
    deliver(NOON + DAY / 2)
    for days in (1, 2, 3):
        deliver(NOON + days * DAY + DAY / 2)
    stranger = Player.objects.get(address=STRANGER)
    assert sent_to(STRANGER) == 3
    assert not Letter.objects.filter(recipient=stranger, kind="lost", state="sent").exists()


def test_a_retried_letter_counts_once(settings):
    invite()
    settings.EMAIL_BACKEND = "tests.post.outbox.test_unconfirmed.NobodyThere"
    assert sending.deliver(lambda: NOON) == 0
    assert deliver(NOON + timedelta(minutes=5)) == 1
    assert Unanswered.objects.get().letters == 1


class NobodyThere:
    """A mail server that cannot be reached."""

    def __init__(self, *args, **options):
        pass

    def open(self):
        raise ConnectionRefusedError

    def close(self):
        pass


def test_an_organiser_cannot_resend_a_letter_to_a_stranger_on_the_same_day():
    stranger = invite()
    deliver()
    claims.resend(Letter.objects.filter(recipient=stranger), NOON)
    assert deliver(NOON + timedelta(hours=1)) == 0
    assert deliver(NOON + DAY) == 1


def test_deleting_a_stranger_does_not_allow_three_more_letters():
    stranger = invite()
    deliver()
    accounts.erase_player(stranger, "somebody", now=NOON)
    assert Unanswered.objects.get().fingerprint == confirming.compute_fingerprint(STRANGER)
    assert STRANGER not in repr(list(Unanswered.objects.values_list()))
    invite(keeper="bob@example.org")
    assert deliver(NOON + timedelta(hours=1)) == 0


def change_the_key(settings) -> None:
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key, of fifty characters and more: 0123456789"


def test_an_address_keeps_its_count_when_the_secret_key_changes(settings):
    stranger = invite()
    deliver()
    change_the_key(settings)
    claims.resend(Letter.objects.filter(recipient=stranger), NOON)
    assert deliver(NOON + timedelta(hours=1)) == 0
    assert confirming.reset_count(STRANGER)
    assert not Unanswered.objects.exists()


def test_an_address_stays_refused_when_the_secret_key_changes(settings):
    zoe = welcome_player("zoe@example.org", "Zoe")
    accounts.refuse_letters(zoe, now=NOON)
    erasure.erase(zoe, now=NOON)
    change_the_key(settings)
    assert accounts.is_refused("zoe@example.org")
    assert accounts.get_or_create_player("zoe@example.org", now=NOON).unwanted_at == NOON
    assert accounts.write_again("zoe@example.org")
    assert not accounts.is_refused("zoe@example.org")


def test_the_page_answers_the_same_whether_or_not_a_letter_may_go(client):
    with time_machine.travel(NOON, tick=False):
        pages = [client.post("/lost/", {"address": invite().address}).content for _ in range(2) if deliver() or True]
        assert pages[0] == pages[1]


# ── a new address ──


def ask_to_move(client, player: Player, to: str) -> None:
    client.post(link("settings", SettingsTicket(player.pk, player.sessions)), {"address": to})


def test_an_address_that_several_players_ask_to_change_to_gets_one_letter_a_day(client):
    players = [welcome_player(f"player{n}@example.org", f"Player {n}") for n in range(4)]
    with time_machine.travel(NOON, tick=False):
        for player in players * 2:
            ask_to_move(client, player, STRANGER)
    assert [deliver(NOON + days * DAY) for days in range(5)] == [1, 0, 0, 0, 0]


def test_a_confirmed_address_is_written_to_again(client):
    ann = welcome_player("ann@example.org", "Ann")
    with time_machine.travel(NOON, tick=False):
        ask_to_move(client, ann, STRANGER)
        deliver()
        client.post(link("address", AddressTicket(ann.pk, ann.sessions, ann.address, STRANGER)))
        deliver()
        ann.refresh_from_db()
        client.post(link("address-back", WayBackTicket(ann.pk, STRANGER, "ann@example.org")))
        ann.refresh_from_db()
        ask_to_move(client, ann, STRANGER)
        deliver()
    assert Letter.objects.filter(kind="address", state="sent").count() == 2


# ── refused addresses ──


def test_requests_to_change_to_a_refused_address_bring_it_no_letter(client):
    zoe, ann = accounts.get_or_create_player("zoe@example.org", now=NOON), welcome_player("ann@example.org", "Ann")
    accounts.refuse_letters(zoe, now=NOON)
    with time_machine.travel(NOON, tick=False):
        for _ in range(7):
            ask_to_move(client, ann, zoe.address)
    assert not Letter.objects.exists()


def test_an_address_refused_after_a_letter_was_queued_does_not_get_it(client):
    zoe, ann = accounts.get_or_create_player("zoe@example.org", now=NOON), welcome_player("ann@example.org", "Ann")
    with time_machine.travel(NOON, tick=False):
        ask_to_move(client, ann, zoe.address)
    accounts.refuse_letters(zoe, now=NOON)
    deliver()
    assert Letter.objects.get().state == "dropped"


def test_a_letter_written_before_its_address_was_refused_is_not_sent(settings):
    settings.EMAIL_BACKEND = "tests.post.outbox.test_unconfirmed.NobodyThere"
    zoe, ann = accounts.get_or_create_player("zoe@example.org", now=NOON), welcome_player("ann@example.org", "Ann")
    ticket = sign(AddressTicket(ann.pk, ann.sessions, ann.address, zoe.address))
    queue.queue(ann, "address", "address/1", {"to": zoe.address, "ticket": ticket}, now=NOON)
    sending.deliver(lambda: NOON)
    assert Letter.objects.get().is_written
    accounts.refuse_letters(zoe, now=NOON)
    assert deliver(NOON + timedelta(minutes=5)) == 0
    assert Letter.objects.get().state == "dropped"


def test_the_notice_to_the_old_address_goes_even_if_the_new_one_wants_no_letters():
    """Otherwise a thief could change an address and block the notice in the same minute."""
    ann = welcome_player("ann@example.org", "Ann")
    accounts.change_address(ann, "thief@beans.example")
    values = {"to": "ann@example.org", "new": "thief@beans.example"}
    queue.queue(ann, "moved_address", "moved/1", values, now=NOON)
    accounts.refuse_letters(ann, now=NOON)
    assert deliver() == 1


def test_a_complaint_from_a_new_address_refuses_that_address_and_not_the_player():
    ann = welcome_player("ann@example.org", "Ann")
    ticket = sign(AddressTicket(ann.pk, ann.sessions, ann.address, STRANGER))
    queue.queue(ann, "address", "address/1", {"to": STRANGER, "ticket": ticket}, now=NOON)
    deliver()
    Report.objects.create(letter=Letter.objects.get(), kind="complained", told_at=NOON)
    reports.process_reports(lambda: NOON)
    ann.refresh_from_db()
    assert ann.unwanted_at is None
    assert accounts.is_refused(STRANGER)
    queue.queue(ann, "address", "address/2", {"to": STRANGER, "ticket": ticket}, now=NOON + DAY)
    assert deliver(NOON + DAY) == 0


def test_a_refused_address_is_written_to_again_when_its_owner_undoes_it():
    zoe, ann = accounts.get_or_create_player("zoe@example.org", now=NOON), welcome_player("ann@example.org", "Ann")
    accounts.refuse_letters(zoe, now=NOON)
    assert accounts.write_again("zoe@example.org")
    ticket = sign(AddressTicket(ann.pk, ann.sessions, ann.address, zoe.address))
    queue.queue(ann, "address", "address/1", {"to": zoe.address, "ticket": ticket}, now=NOON)
    assert deliver() == 1


def test_a_refused_address_stays_refused_when_its_player_is_deleted(client):
    zoe, ann = welcome_player("zoe@example.org", "Zoe"), welcome_player("ann@example.org", "Ann")
    accounts.refuse_letters(zoe, now=NOON)
    erasure.erase(zoe, now=NOON + DAY)
    assert "zoe@example.org" not in repr(list(RefusedAddress.objects.values_list()))
    with time_machine.travel(NOON + DAY, tick=False):
        ask_to_move(client, ann, "zoe@example.org")
        client.post("/sign-in/", {"address": "zoe@example.org"})
    requested.answer_requests(NOON + DAY)
    invite("zoe@example.org", now=NOON + DAY)
    assert deliver(NOON + DAY) == 0
    assert not Letter.objects.exclude(recipient=ann).exists()


def test_deleting_a_player_does_not_refuse_their_address():
    zoe = welcome_player("zoe@example.org", "Zoe")
    erasure.erase(zoe, now=NOON)
    assert not accounts.is_refused("zoe@example.org")
    assert not RefusedAddress.objects.exists()


def test_the_host_can_allow_letters_to_a_deleted_players_address_again():
    zoe = welcome_player("zoe@example.org", "Zoe")
    accounts.refuse_letters(zoe, now=NOON)
    erasure.erase(zoe, now=NOON)
    assert accounts.write_again("Zoe@example.org")
    assert accounts.get_or_create_player("zoe@example.org", now=NOON).unwanted_at is None


def test_an_address_stays_refused_when_its_player_returns_to_the_old_one(client):
    """A thief named a stranger's address, and the stranger refused our letters: the owner's way back is not theirs."""
    ann = welcome_player("ann@example.org", "Ann")
    accounts.change_address(ann, STRANGER)
    accounts.refuse_letters(ann, now=NOON)
    client.post(link("address-back", WayBackTicket(ann.pk, STRANGER, "ann@example.org")))
    ann.refresh_from_db()
    assert (ann.address, ann.unwanted_at, accounts.is_refused(STRANGER)) == ("ann@example.org", None, True)
    with pytest.raises(ValidationError, match="wants no letters"):
        accounts.change_address(ann, STRANGER)


def test_a_change_of_address_is_refused_if_the_player_has_moved_meanwhile():
    ann = welcome_player("ann@example.org", "Ann")
    stale = Player.objects.get(pk=ann.pk)
    accounts.change_address(ann, "anne@beans.example")
    with pytest.raises(ValidationError, match="in the meantime"):
        accounts.change_address(stale, "thief@beans.example")
    assert Player.objects.get(pk=ann.pk).address == "anne@beans.example"


def test_a_change_of_address_is_refused_if_the_player_has_refused_letters_meanwhile():
    ann = welcome_player("ann@example.org", "Ann")
    accounts.refuse_letters(Player.objects.get(pk=ann.pk), now=NOON)
    with pytest.raises(ValidationError, match="in the meantime"):
        accounts.change_address(ann, "anne@beans.example")
    assert accounts.is_refused("ann@example.org")


def test_the_data_export_says_when_an_address_was_confirmed():
    assert data_export.export_data(welcome_player("ann@example.org", "Ann"))["player"]["confirmed_at"] == NOON
