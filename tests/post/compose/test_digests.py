"""The daily letter: once a day, at the chosen hour, with every open question; it can be played from."""

import re
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from urllib.parse import urlsplit

import pytest

from beanpost.play.display import scene
from beanpost.play.models import Event, Match, Wait
from beanpost.play.tickets import MoveTicket, redeem
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post import preferences
from beanpost.post.compose import digests, menus
from beanpost.post.deliver import reports
from beanpost.post.models import Letter
from beanpost.post.notify import daily_letters
from beanpost.post.outbox import queue
from beanpost.post.preferences import find_open_questions
from tests.friends import NOON, seat_friends
from tests.post.gallery import asked, deliver, move

pytestmark = pytest.mark.django_db

GAMES = [("haricots", "sprint"), ("fagioli", "standard"), ("pas_de_haricots", "one"), ("bohnanza", "standard"),
         ("haricot_magique", "base")]  # fmt: skip
EIGHT = datetime(2026, 11, 17, 7, tzinfo=UTC)  # in Paris, on the morning after NOON
DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
PEOPLE = ("Ann", "Bob", "Cleo")


@pytest.fixture
def friends():
    for name in PEOPLE:
        player = accounts.get_or_create_player(f"{name.lower()}@example.org", name=name, now=NOON)
        preferences.change(player, {"how_often": "daily", "digest_hour": 8, "zone": "Europe/Paris"}, now=NOON)


@pytest.fixture
def match(friends):
    return seat_friends(pace="relaxed")


def digest_of(player: Player) -> Letter:
    return Letter.objects.get(recipient=player, kind="digest")


def links(letter: Letter) -> list[str]:
    return [urlsplit(found).path for found in re.findall(r"^http\S+/move/\S+", letter.text, flags=re.M)]


# ── when ──


def test_the_daily_letter_is_queued_once_at_the_hour_on_any_number_of_machines(match):
    player = asked(match).player
    assert daily_letters.write_due(EIGHT - MINUTE) == 0
    assert daily_letters.write_due(EIGHT) == 1
    for _ in range(3):
        assert daily_letters.write_due(EIGHT + MINUTE) == 0
    stale = Player.objects.get(pk=player.pk)
    stale.digest_at = EIGHT  # as another machine has just read it
    assert not daily_letters.write_one(stale, EIGHT + MINUTE)
    assert Letter.objects.filter(kind="digest").count() == 1
    assert Player.objects.get(pk=player.pk).digest_at == EIGHT + DAY


def test_the_daily_letter_comes_every_day_until_the_question_is_answered(match):
    for day in range(3):
        assert daily_letters.write_due(EIGHT + day * DAY) == 1


def test_a_failing_daily_letter_does_not_stop_the_others(match, monkeypatch, caplog):
    others = seat_friends(pace="relaxed", secret=bytes(31) + b"\1")
    Wait.objects.filter(match=others).update(seat=1 - asked(match).seat)
    broken, well = asked(match).player, asked(others).player
    questions = find_open_questions

    def stumble(player: Player) -> object:
        if player == broken:
            raise RuntimeError(player.address)
        return questions(player)

    monkeypatch.setattr(daily_letters, "find_open_questions", stumble)
    assert daily_letters.write_due(EIGHT) == 1
    assert Letter.objects.get(kind="digest").recipient == well
    assert Player.objects.get(pk=broken.pk).digest_at == EIGHT  # to be retried
    assert f"The daily letter of {broken.pk} was put off: RuntimeError" in caplog.text
    assert broken.address not in caplog.text


def test_the_daily_letter_goes_once_a_day_even_if_the_hour_changes(match):
    daily_letters.write_due(EIGHT)
    player = Player.objects.get(pk=asked(match).player.pk)
    preferences.change(player, {"digest_hour": 20}, now=EIGHT + MINUTE)
    assert player.digest_at == EIGHT + DAY + timedelta(hours=12)


def test_a_player_without_an_open_question_gets_no_daily_letter(match):
    daily_letters.write_due(EIGHT)
    assert {letter.recipient for letter in Letter.objects.filter(kind="digest")} == {asked(match).player}


def test_a_late_sweep_queues_one_daily_letter_and_not_one_per_day(match):
    assert daily_letters.write_due(EIGHT + 5 * DAY + MINUTE) == 1
    assert Player.objects.get(name="Bob").digest_at == EIGHT + 6 * DAY


def test_a_player_who_wants_every_turn_gets_no_daily_letter(match):
    preferences.change(asked(match).player, {"how_often": "every"}, now=NOON)
    assert daily_letters.write_due(EIGHT) == 0


# ── contents ──


def test_the_daily_letter_has_all_open_questions_with_all_their_links(friends):
    matches = [seat_friends(slug, variant, pace="relaxed") for slug, variant in GAMES]
    player = in_every_match(matches)
    daily_letters.write_due(EIGHT)
    deliver(EIGHT)
    letter = digest_of(player)
    open_now = [(match, match.places.get(player=player).seat) for match in matches if is_asked(match, player)]
    assert len(open_now) > 1
    for match, seat in open_now:
        shown = scene.build_scene(match, seat)
        assert shown.question.text in " ".join(letter.text.split())
        for option in menus.build_menu(shown).options:
            assert option.label.split(",")[0] in " ".join(letter.text.split())
    wanted = sum(len(menus.build_menu(scene.build_scene(match, seat)).options) for match, seat in open_now)
    assert len(links(letter)) >= wanted
    assert len(letter.html.encode()) < 100_000


@pytest.mark.parametrize(("slug", "variant"), GAMES)
def test_a_screen_reader_finds_one_heading_per_match_with_the_rest_below(friends, slug, variant):
    matches = [seat_friends(slug, variant, pace="relaxed") for _ in range(2)]
    daily_letters.write_due(EIGHT)
    deliver(EIGHT)
    html = digest_of(in_every_match(matches)).html
    first, one, two = re.split(r'(?=<h2 class="matter")', html)
    assert re.findall(r"<h(\d)", first) == ["1"]
    for part in (one, two):
        own, *levels = re.findall(r"<h(\d)", part)
        assert own == "2"
        assert len(levels) >= 2  # the table, the news
        assert set(levels) == {"3"}
    assert html.count("<h3") == html.count("</h3>")


def is_asked(match: Match, player: Player) -> bool:
    return match.waits.filter(seat=match.places.get(player=player).seat).exists()


def in_every_match(matches: list[Match]) -> Player:
    """Return the player who is asked at most tables."""
    people = Player.objects.filter(name__in=PEOPLE)
    return max(people, key=lambda player: sum(is_asked(match, player) for match in matches))


def test_a_press_in_the_daily_letter_plays(match, client):
    player = asked(match).player
    daily_letters.write_due(EIGHT)
    deliver(EIGHT)
    before = match.length
    assert client.post(links(digest_of(player))[0]).status_code == 200
    assert Event.objects.filter(match=match, seq__gt=before, seat=match.places.get(player=player).seat).exists()


def test_questions_answered_meanwhile_are_left_out(friends):
    first, second = seat_friends(pace="relaxed"), seat_friends(pace="relaxed")
    player = asked(first).player
    assert asked(second).player == player
    daily_letters.write_due(EIGHT)
    move(first)
    deliver(EIGHT)
    tickets = [redeem(MoveTicket, path.split("/")[2]) for path in links(digest_of(player))]
    assert {ticket.match for ticket in tickets} == {second.pk}


def test_a_match_that_changes_while_the_letter_is_written_is_loaded_again(friends, monkeypatch):
    first, second = seat_friends(pace="relaxed"), seat_friends(pace="relaxed")
    player, look = asked(first).player, digests.build_question

    def look_while_somebody_moves(match, seat):
        question = look(match, seat)
        if match == first and not Event.objects.filter(match=match, origin="player").exists():
            move(Match.objects.get(pk=match.pk))
        return question

    monkeypatch.setattr(digests, "build_question", look_while_somebody_moves)
    daily_letters.write_due(EIGHT)
    deliver(EIGHT)
    tickets = [redeem(MoveTicket, path.split("/")[2]) for path in links(digest_of(player))]
    assert {ticket.match for ticket in tickets} == {second.pk}


def test_the_daily_letter_is_dropped_when_no_question_is_open(match):
    player = asked(match).player
    daily_letters.write_due(EIGHT)
    move(match)
    deliver(EIGHT)
    assert digest_of(player).state == Letter.State.DROPPED


def test_the_daily_letter_describes_the_deal_until_its_reader_has_moved(match):
    player = asked(match).player
    daily_letters.write_due(EIGHT)
    deliver(EIGHT)
    assert match.commitment in digest_of(player).text


def test_a_long_daily_letter_stays_short_enough_not_to_be_clipped(friends, monkeypatch):
    monkeypatch.setattr("beanpost.play.seats.joining.INVITATIONS_A_DAY", 1_000)
    monkeypatch.setattr(digests, "MAX_QUESTIONS", 14)
    codes = [seat_friends("haricots", "advanced", pace="relaxed").code for _ in range(16)]
    player = Player.objects.get(name="Bob")
    daily_letters.write_due(EIGHT)
    deliver(EIGHT)
    letter = digest_of(player)
    assert len(preferences.find_open_questions(player)) == len(codes)
    assert len(links(letter)) > 40
    assert "2 more tables are waiting for you" in letter.html
    assert len(letter.html.encode()) < 100_000
    queue.queue(player, "lost", "lost/1", now=EIGHT)
    deliver(EIGHT)
    lost = Letter.objects.get(kind="lost")
    assert len(links(lost)) > 40
    assert "2 more tables are waiting for you" in lost.html
    assert len(lost.html.encode()) < 100_000


# ── late or bounced ──


def test_a_late_daily_letter_extends_the_deadlines_once(match):
    due = match.waits.get().due_at
    daily_letters.write_due(EIGHT)
    deliver(EIGHT + timedelta(hours=5))
    assert match.waits.get().due_at >= due + timedelta(hours=5)
    daily_letters.write_due(EIGHT + DAY)
    later = match.waits.get().due_at
    deliver(EIGHT + DAY + timedelta(hours=5))
    assert match.waits.get().due_at == later  # the player knew


def test_a_bounced_daily_letter_stops_the_clock_of_every_question_in_it(friends):
    matches = [seat_friends(pace="relaxed"), seat_friends(pace="relaxed")]
    before = [match.waits.get().due_at for match in matches]
    daily_letters.write_due(EIGHT)
    deliver(EIGHT)
    reports.credit_bounce(digest_of(asked(matches[0]).player), EIGHT)
    assert [match.waits.get().due_at - due >= DAY for match, due in zip(matches, before, strict=True)] == [True, True]


def test_the_daily_letter_can_be_unsubscribed_from_with_one_click(match):
    daily_letters.write_due(EIGHT)
    deliver(EIGHT)
    head = message_from_bytes(bytes(digest_of(asked(match).player).source))
    assert "/less/" in head["List-Unsubscribe"]
    assert head["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
