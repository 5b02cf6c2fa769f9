"""Letter settings, and that each of them is honoured."""

from datetime import UTC, date, datetime, timedelta
from email import message_from_bytes, policy

import pytest

from beanpost.play import clock, moves
from beanpost.play.display import scene
from beanpost.play.models import Place
from beanpost.play.tickets import MoveTicket, redeem
from beanpost.play.timekeeping import reminders, timeouts
from beanpost.play.turns import house_lines
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post import preferences
from beanpost.post.models import Letter
from tests.friends import NOON, seat_friends
from tests.post.gallery import asked, deliver, move

pytestmark = pytest.mark.django_db

NAMES = ("Ann", "Bob", "Cleo")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def wish(name: str, now: datetime = NOON, **changes) -> Player:
    player = Player.objects.get(name=name)
    preferences.change(player, changes, now=now)
    return player


def turns(player: Player, kind: str = "turn") -> list[Letter]:
    return list(Letter.objects.filter(recipient=player, kind=kind).order_by("pk"))


@pytest.fixture
def friends():
    """Ann, Bob and Cleo, before any match."""
    for name in NAMES:
        accounts.get_or_create_player(f"{name.lower()}@example.org", name=name, now=NOON)


def all_wish(**changes) -> None:
    for name in NAMES:
        wish(name, **changes)


def ask(pace: str = "relaxed") -> Place:
    """Start a new match and return the seat that is asked first."""
    return asked(seat_friends(pace=pace))


# ── questions that can wait for the daily letter ──


@pytest.mark.parametrize(
    ("due", "waits"),
    [
        (20 * HOUR, False),  # before the next daily letter, which comes at eight UTC
        (21 * HOUR + 59 * timedelta(minutes=1), False),
        (22 * HOUR, False),  # two hours after it
        (22 * HOUR + timedelta(minutes=1), True),
        (3 * DAY, True),
        (None, True),  # nobody waits for the answer
    ],
)
def test_a_question_that_cannot_wait_for_the_daily_letter_is_sent_at_once(match, due, waits):
    place = asked(match)
    place.player = wish(place.name, how_often="daily", digest_hour=8)
    wait = match.waits.get()
    wait.due_at = due and NOON + due
    assert preferences.needs_letter_now(wait, place, NOON) is not waits


def test_a_daily_letter_that_is_being_written_does_not_count(match):
    place = asked(match)
    place.player = wish(place.name, how_often="daily", digest_hour=8)
    wait, eight = match.waits.get(), datetime(2026, 11, 17, 8, tzinfo=UTC)
    wait.due_at = eight + 25 * HOUR
    assert not preferences.needs_letter_now(wait, place, eight - timedelta(minutes=5))
    assert preferences.needs_letter_now(wait, place, eight - timedelta(seconds=30))


def test_a_stopped_clock_is_treated_as_if_it_ran_on_now(match):
    place = asked(match)
    place.player = wish(place.name, how_often="daily", digest_hour=8)
    wait = match.waits.get()
    wait.due_at, wait.left = None, 3 * HOUR
    assert preferences.needs_letter_now(wait, place, NOON)


@pytest.mark.usefixtures("friends")
def test_a_match_at_a_slow_pace_sends_nothing_before_the_daily_letter():
    all_wish(how_often="daily")
    place = ask()
    assert turns(place.player) == []
    assert turns(ask("brisk").player)


# ── only reminders ──


@pytest.mark.usefixtures("friends")
def test_a_player_who_wants_only_reminders_can_play_from_the_reminder():
    all_wish(how_often="reminders")
    place = ask()
    assert turns(place.player) == []
    reminders.remind_players(place.match.waits.get().remind_at)
    deliver(place.match.waits.get().due_at - HOUR)
    [letter] = turns(place.player, "reminder")
    assert letter.options
    assert "How we dealt this match" in letter.text


@pytest.mark.usefixtures("friends")
def test_a_player_who_mutes_their_only_reminders_gets_the_open_question():
    all_wish(how_often="reminders")
    place, other = ask(), ask()
    for _ in range(2):
        preferences.stop_reminding(place, now=NOON)
    assert [letter.match for letter in turns(place.player)] == [place.match]
    assert other.match not in [letter.match for letter in turns(other.player)]


def test_a_question_without_a_reminder_is_sent_at_once(match):
    place, wait = asked(match), match.waits.get()
    place.player = wish(place.name, how_often="reminders")
    assert not preferences.needs_letter_now(wait, place, NOON)
    preferences.stop_reminding(place, now=NOON)
    assert preferences.needs_letter_now(wait, Place.objects.get(pk=place.pk), NOON)
    wait.remind_at = None
    assert preferences.needs_letter_now(wait, place, NOON)


def test_a_pause_does_not_swallow_the_reminder(match):
    before = match.waits.get().remind_at
    house_lines.pause(match, "player", NOON + HOUR)
    house_lines.resume(match, "player", NOON + 6 * HOUR)
    assert match.waits.get().remind_at == before + 5 * HOUR
    house_lines.pause(match, "player", before + 6 * HOUR)
    house_lines.resume(match, "player", before + 7 * HOUR)
    assert match.waits.get().remind_at is None  # it would have come before the pause


@pytest.mark.usefixtures("friends")
def test_a_timeout_letter_is_sent_with_any_setting():
    all_wish(how_often="reminders")
    place = ask()
    timeouts.time_out_all(place.match.waits.get().due_at)
    assert turns(place.player, "late")


# ── changed settings ──


@pytest.mark.usefixtures("friends")
def test_a_player_who_wants_every_turn_again_gets_open_questions_once():
    all_wish(how_often="daily")
    place = ask()
    for _ in range(2):
        wish(place.name, how_often="every")
    assert len(turns(place.player)) == 1
    assert Player.objects.get(pk=place.player.pk).digest_at is None


@pytest.mark.usefixtures("friends")
def test_a_later_hour_makes_some_questions_urgent():
    all_wish(how_often="daily", digest_hour=13)
    place = ask("daily")
    assert turns(place.player) == []
    wish(place.name, how_often="daily", digest_hour=11)
    assert len(turns(place.player)) == 1


def test_a_question_that_was_sent_is_not_sent_again(match):
    place = asked(match)
    wish(place.name, how_often="daily", digest_hour=11)
    wish(place.name, how_often="every")
    assert len(turns(place.player)) == 1


# ── the hour ──

PARIS, NEW_YORK = "Europe/Paris", "America/New_York"


@pytest.mark.parametrize(
    ("now", "hour", "zone", "following"),
    [
        ("2026-11-16T06:59", 8, PARIS, "2026-11-16T07:00"),
        ("2026-11-16T07:00", 8, PARIS, "2026-11-17T07:00"),
        ("2026-03-28T12:00", 8, PARIS, "2026-03-29T06:00"),  # clocks go forward that night
        ("2026-03-28T12:00", 2, PARIS, "2026-03-29T01:00"),  # they skip this hour: at the moment they do
        ("2026-10-24T12:00", 2, PARIS, "2026-10-25T00:00"),  # it comes twice: the first time
        ("2026-10-25T00:00", 2, PARIS, "2026-10-26T01:00"),
        ("2026-10-25T00:30", 2, PARIS, "2026-10-26T01:00"),  # and not the second time
        ("2026-10-31T12:00", 8, NEW_YORK, "2026-11-01T13:00"),
    ],
)
def test_the_daily_letter_comes_at_the_players_local_hour(now, hour, zone, following):
    player = Player(zone=zone)
    then = datetime.fromisoformat(now).replace(tzinfo=UTC)
    assert clock.find_next_hour(hour, player.tz, then) == datetime.fromisoformat(following).replace(tzinfo=UTC)


def test_no_day_has_two_daily_letters():
    zone = Player(zone=PARIS).tz
    assert clock.find_next_hour(20, zone, NOON, not_on=date(2026, 11, 16)) == datetime(2026, 11, 17, 19, tzinfo=UTC)


# ── language, zone, text, notes ──


def test_a_letter_is_written_in_the_chosen_language_and_zone(match):
    place, due = asked(match), match.waits.get().due_at
    place.player = wish(place.name, language="fr", zone="Asia/Tokyo")
    deliver()
    [letter] = turns(place.player)
    assert '<html lang="fr">' in letter.html
    assert due.astimezone(place.player.tz).hour == 21
    assert "jusqu’au mardi 17 novembre à 21 h 00 chez vous" in " ".join(letter.text.split())


def test_text_only_means_one_part(match, mailoutbox):
    place = asked(match)
    wish(place.name, text_only=True)
    deliver()
    [letter] = turns(place.player)
    mail = message_from_bytes(bytes(letter.source), policy=policy.default)
    assert (mail.get_content_type(), letter.html) == ("text/plain", "")
    assert mail.get_content().strip() == letter.text.strip()
    assert letter.options


def test_muted_notes_are_shown_nowhere(match, client):
    move(match, note="Good morning, beans.")
    place = asked(match)
    shown = scene.build_scene(match, place.seat)
    assert any(line.note for line in shown.story.news)
    wish(place.name, hears_notes=False)
    shown = scene.build_scene(match, place.seat)
    assert not any(line.note for line in shown.story.news)
    page = client.get(f"/notes/{shown.seat_ticket}/").content.decode()
    assert "You’ve muted notes in all matches." in page
    assert "Good morning" not in page


def test_an_offer_in_a_market_waits_for_the_daily_letter_too():
    match = seat_friends("bohnanza", "standard", seats=3)
    all_wish(how_often="daily")
    Letter.objects.all().delete()
    for _ in range(6):
        shown = scene.build_scene(match, match.waits.exclude(due_at=None).first().seat)
        ticket = redeem(MoveTicket, shown.question.options[0].ticket)
        moves.play_ticket(ticket, ticket.line, now=NOON)
        match.refresh_from_db()
    free = match.waits.filter(due_at=None)
    letters = Letter.objects.filter(
        kind="turn", recipient__places__in=match.places.filter(seat__in=free.values("seat"))
    )
    assert free
    assert not {letter.values["opened"] for letter in letters} & {wait.opened for wait in free}
