"""Everything a player at a table may do besides moving."""

import pytest
import time_machine
from django.db import OperationalError
from django.test import Client

from beanpost.play import clock
from beanpost.play.models import Match
from beanpost.play.seats import joining, own_seat
from beanpost.play.tickets import LetterSettingsTicket
from beanpost.players import accounts
from beanpost.post.models import Letter
from beanpost.post.outbox import queue, requested
from beanpost.privacy import erasure
from tests.friends import NOON, gather, seat_friends
from tests.pages.table import asked, link, play_to_the_end, press, seat_link, table_link
from tests.site.doors import signed_in

pytestmark = pytest.mark.django_db


def text(response) -> str:
    return response.content.decode()


@pytest.fixture
def match():
    return seat_friends()


@pytest.fixture
def place(match):
    """The player who has just been asked."""
    return asked(match).place


# ── forwarded by mistake ──


@pytest.mark.parametrize("door", ["renew", "notes", "unsubscribe", "seat", "back", "still"])
def test_a_page_about_a_seat_names_its_match(client, place, door):
    assert "Haricots · Ann, Bob and Cleo" in text(client.get(seat_link(door, place)))


def test_a_player_who_is_only_invited_is_not_named(client):
    keeper = gather().places.get(seat=0)
    page = text(client.get(seat_link("renew", keeper)))
    assert '<p class="over">Haricots</p>' in page


def test_renewing_ends_every_older_link_and_sends_a_fresh_letter(client, place):
    Letter.objects.all().delete()
    address = seat_link("renew", place)
    assert "Did you forward a letter by mistake?" in text(client.get(address))
    assert "All older links are now invalid" in text(client.post(address))
    place.refresh_from_db()
    assert place.occupant == 2
    assert [(letter.kind, letter.recipient_id) for letter in Letter.objects.all()] == [("turn", place.player_id)]
    assert client.post(address).status_code == 410


@pytest.fixture
def jammed(monkeypatch):
    """An outbox that accepts no letter."""

    def fail(*args, **options):
        raise OperationalError

    monkeypatch.setattr(queue, "queue", fail)
    return monkeypatch


def test_links_stay_valid_if_the_fresh_letter_cannot_be_queued(client, place, jammed):
    address = seat_link("renew", place)
    assert client.post(address).status_code == 503
    jammed.undo()
    assert "All older links are now invalid" in text(client.post(address))
    place.refresh_from_db()
    assert place.occupant == 2


def test_a_forwarded_letter_can_no_longer_move(client, match, place):
    from_letter = asked(match).question.options[0].ticket
    client.post(seat_link("renew", place))
    assert client.post(f"/move/{from_letter}/").status_code == 410
    assert match.events.count() == 2


# ── notes ──


@pytest.fixture
def note(match):
    """A note by another player."""
    press(match, "play", note="<b>Beans</b> for everybody.")
    return match.notes.get()


def test_notes_are_listed_escaped_with_their_authors(client, match, note):
    place = asked(match).place
    assert place is not None
    page = text(client.get(seat_link("notes", place)))
    author = match.places.get(seat=note.seat).name
    assert f"{author}: “&lt;b&gt;Beans&lt;/b&gt; for everybody.”" in page


def test_notes_can_be_muted_and_unmuted(client, match, note):
    place = asked(match).place
    assert place is not None
    address = seat_link("notes", place)
    assert "for everybody" not in text(client.post(address, {"mute": "1"}))
    assert "for everybody" in text(client.post(address, {"hear": "1"}))


def test_a_note_is_reported_to_the_keeper_once(client, match, note):
    place = asked(match).place
    assert place is not None
    for _ in range(2):
        assert "Reported." in text(client.post(seat_link("notes", place), {"report": note.pk}))
    note.refresh_from_db()
    assert note.reported_at
    assert Letter.objects.filter(kind="reported", recipient=match.keeper).count() == 1


@pytest.mark.parametrize("report", ["²", "9" * 5_000, "-1", "1e3", "9999999999999999999", "\0", "x"])
def test_an_invalid_report_changes_nothing(report, client, match, note, everything):
    place = asked(match).place
    assert place is not None
    before = everything()
    assert client.post(seat_link("notes", place), {"report": report}).status_code == 400
    assert everything() == before


def test_a_note_of_another_match_cannot_be_reported(client, match, note):
    other = seat_friends()
    client.post(seat_link("notes", other.places.get(seat=0)), {"report": note.pk})
    note.refresh_from_db()
    assert note.reported_at is None


# ── reminders ──


def test_one_click_in_a_mail_program_stops_the_reminders_and_keeps_the_seat(place):
    mail_program = Client(enforce_csrf_checks=True)
    page = mail_program.post(seat_link("unsubscribe", place), {"List-Unsubscribe": "One-Click"})
    assert page.status_code == 200
    assert "No more reminders" in text(page)
    place.refresh_from_db()
    assert not place.wants_reminders
    assert place.player


def test_opening_the_unsubscribe_page_only_asks(client, place):
    assert "No more reminders for this match?" in text(client.get(seat_link("unsubscribe", place)))
    place.refresh_from_db()
    assert place.wants_reminders


# ── rematch ──


def test_a_rematch_invites_the_same_people(client, match):
    play_to_the_end(match)
    bob = match.places.get(seat=1)
    page = client.get(seat_link("again", bob))
    assert "Play Haricots with Ann and Cleo again?" in text(page)
    assert "Your seat is reserved" in text(client.post(seat_link("again", bob)))
    following = Match.objects.get(follows=match)
    assert following.keeper == bob.player
    assert {place.name for place in following.places.all()} == {"Ann", "Bob", "Cleo"}


@pytest.mark.parametrize(
    ("language", "one", "none"),
    [
        ("en", ("Play Haricots with Bob again?", "One seat is free."), ("Play Haricots again?", "2 seats are free.")),
        (
            "fr",
            ("Une revanche à « Haricots » avec Bob ?", "Une place est libre."),
            ("Une revanche à « Haricots » ?", "2 places sont libres."),
        ),
    ],
)
def test_a_deleted_player_is_not_listed_for_a_rematch_and_their_seat_is_free(client, match, language, one, none):
    play_to_the_end(match)
    ann, bob, cleo = match.places.select_related("player")
    accounts.change(ann.player, language=language)
    for erased, sentences in ((cleo, one), (bob, none)):
        erasure.erase(erased.player, now=NOON)
        erased.refresh_from_db()
        page = text(client.get(seat_link("again", ann)))
        assert all(sentence in page for sentence in sentences)
        assert erased.name not in page
    client.post(seat_link("again", ann))
    assert {place.player for place in Match.objects.get(follows=match).places.all()} == {ann.player}


def test_the_second_player_to_ask_for_a_rematch_is_ready_in_the_firsts_match(client, match):
    play_to_the_end(match)
    for seat in (1, 0):
        page = client.post(seat_link("again", match.places.get(seat=seat)))
    assert "Your seat is reserved" in text(page)
    assert "One of you has already opened a rematch" in text(client.get(seat_link("again", match.places.get(seat=2))))
    page = client.post(seat_link("again", match.places.get(seat=2)))
    assert "The match has started" in text(page)
    assert Match.objects.count() == 2


def test_a_player_who_declined_the_rematch_is_told_that_it_is_full(client, match):
    play_to_the_end(match)
    client.post(seat_link("again", match.places.get(seat=1)))
    following = Match.objects.get(follows=match)
    joining.decline(following.places.get(player__name="Ann"), now=NOON)
    assert client.post(seat_link("again", match.places.get(seat=0))).status_code == 200


def test_too_many_invitations_in_a_day_are_refused_with_a_sentence(client, match, monkeypatch):
    play_to_the_end(match)
    monkeypatch.setattr(joining, "INVITATIONS_A_DAY", 1)
    with time_machine.travel(NOON):
        page = client.post(seat_link("again", match.places.get(seat=0)))
    assert page.status_code == 400
    assert "You can invite up to 1 people a day" in text(page)


def test_a_rematch_against_bots_can_be_played_at_once_by_a_signed_in_player(client):
    match = play_to_the_end(gather(bots=2))
    place = match.places.get(seat=0)
    pages = text(signed_in(place.player).post(seat_link("again", place)))
    following = Match.objects.get(follows=match)
    assert ("Play now" in pages) == following.waits.filter(seat=following.places.get(player=place.player).seat).exists()
    assert "Play now" not in text(client.post(seat_link("again", place)))


def test_a_running_match_has_no_rematch(client, match, place):
    for page in (client.get(seat_link("again", place)), client.post(seat_link("again", place))):
        assert page.status_code == 409
        assert "This match isn’t over yet" in text(page)


def test_no_seat_page_shows_a_card(client, match, place):
    for name in ("renew", "notes", "unsubscribe", "again", "ready", "keep"):
        assert 'class="card' not in text(client.get(seat_link(name, place)))


def test_a_renewed_seats_old_links_work_on_no_seat_page(client, match, place, everything):
    addresses = [seat_link(name, place) for name in ("renew", "notes", "unsubscribe", "again", "ready", "keep")]
    own_seat.renew_links(place)
    before = everything()
    assert {client.post(address).status_code for address in addresses} == {410}
    assert everything() == before


def test_a_player_who_forwarded_a_letter_about_all_matches_ends_all_links_once(client):
    matches = [seat_friends(), seat_friends()]
    player = asked(matches[0]).place.player
    old, address = (
        [table_link(match) for match in matches],
        link("renew-all", LetterSettingsTicket(player.pk, player.sessions)),
    )
    assert "Cancel all older links?" in client.get(address).content.decode()
    assert [client.get(path).status_code for path in old] == [200, 200]
    assert "All older links are now invalid" in client.post(address).content.decode()
    assert [client.get(address).status_code, client.post(address).status_code] == [410, 410]  # newer links are valid
    assert [client.get(path).status_code for path in old] == [410, 410]
    assert [match.places.get(player=player).occupant for match in matches] == [2, 2]
    assert Letter.objects.filter(recipient=player, kind="lost").count() == 1


def test_the_fresh_letter_is_sent_despite_the_rate_limit(client, place):
    player = place.player
    for _ in range(2 * requested.MAX_AN_HOUR):
        requested.queue_letter(player, "lost", {}, now=clock.now())
    client.post(link("renew-all", LetterSettingsTicket(player.pk, player.sessions)))
    assert Letter.objects.filter(recipient=player, kind="lost").count() == requested.MAX_AN_HOUR + 1


def test_links_of_all_matches_stay_valid_if_the_fresh_letter_cannot_be_queued(client, place, jammed):
    player = place.player
    address = link("renew-all", LetterSettingsTicket(player.pk, player.sessions))
    assert client.post(address).status_code == 503
    jammed.undo()
    client.post(address)
    place.refresh_from_db()
    assert place.occupant == 2
    assert Letter.objects.filter(recipient=player, kind="lost").count() == 1
