"""Deadlines in a calendar: with the letter and in the feed, updated by every extension."""

from datetime import timedelta
from email import message_from_bytes, policy

import pytest
from icalendar import Calendar

from beanpost.pages.forms.player import LetterSettingsForm
from beanpost.play.deadlines import waits
from beanpost.play.models import Match, Pulse
from beanpost.play.tickets import FeedTicket
from beanpost.play.timekeeping import reminders, timeouts
from beanpost.play.turns import house_lines
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post import preferences
from beanpost.post.compose.headers import ProviderMessage
from beanpost.post.models import Letter
from tests.friends import NOON, seat_friends
from tests.pages.table import link
from tests.post.gallery import asked, deliver, move

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def player(match) -> Player:
    """The player the match waits for, who wants a calendar."""
    player = asked(match).player
    preferences.change(player, {"calendar": True}, now=NOON)
    return player


def sent(player: Player, kind: str = "turn") -> Letter:
    return Letter.objects.filter(recipient=player, kind=kind).latest("pk")


def parts(letter: Letter):
    mail = message_from_bytes(bytes(letter.source), policy=policy.default)
    return [part for part in mail.walk() if part.get_content_type() == "text/calendar"]


def entry(letter: Letter):
    [part] = parts(letter)
    [event] = Calendar.from_ical(part.get_content()).walk("VEVENT")
    return event


def extend(match, wait, span):
    waits.give_time(wait, match, match.places.select_related("player").get(seat=wait.seat), span)
    house_lines.extend(match, wait, "organiser", NOON)


def test_a_turn_letter_contains_its_deadline_as_an_event(match, player):
    deliver()
    letter, due = sent(player), match.waits.get().due_at
    event = entry(letter)
    assert event.decoded("dtstart") == due
    assert event["uid"] == f"{match.code}.{asked(match).seat}@127.0.0.1"
    assert str(event["summary"]) == "Haricots with Ann and Cleo: your move"


def test_the_content_type_of_the_event_is_set_once(player):
    deliver()
    [part] = parts(sent(player))
    content_type = part["Content-Type"]
    assert content_type.params == {"method": "PUBLISH", "charset": "utf-8"}
    assert bytes(sent(player).source).count(b"text/calendar") == 1
    assert str(content_type).count("charset") == 1
    assert "METHOD:PUBLISH" in part.get_content()


def test_the_event_is_passed_to_a_provider_too(player):
    deliver()
    [(name, content, kind)] = [one for one in ProviderMessage(sent(player)).attachments if isinstance(one, tuple)]
    assert (name, kind) == ("beanpost.ics", "text/calendar; method=PUBLISH")
    assert "BEGIN:VEVENT" in content


def test_a_player_without_the_setting_gets_no_event(match):
    deliver()
    letter = sent(asked(match).player)
    assert parts(letter) == []
    assert not any(isinstance(one, tuple) for one in ProviderMessage(letter).attachments)  # pictures only


def test_the_event_moves_with_an_extension_and_with_the_next_question(match, player):
    deliver()
    first = entry(sent(player))
    wait = match.waits.get()
    extend(match, wait, 5 * HOUR)
    reminders.remind_players(wait.remind_at)
    deliver(wait.due_at - HOUR)
    second = entry(sent(player, "reminder"))
    assert second["uid"] == first["uid"]
    assert second["sequence"] > first["sequence"]
    assert second.decoded("dtstart") - first.decoded("dtstart") == 5 * HOUR
    while (move(match) and asked(match).player) != player:
        pass
    deliver(NOON + HOUR)
    third = entry(sent(player))
    assert (third["uid"], third["sequence"] > second["sequence"]) == (first["uid"], True)


def test_the_event_contains_no_secret(match, player):
    deliver()
    content = parts(sent(player))[0].get_content().replace("\r\n ", "").replace("\n ", "")
    assert "/move/" not in content
    assert content.count("http") == 1
    assert f"/match/{match.code}/" in content


def test_the_daily_letter_contains_all_deadlines(match, player):
    other = seat_friends()
    assert asked(other).player == player
    preferences.change(player, {"how_often": "daily"}, now=NOON)
    Letter.objects.create(recipient=player, kind="digest", key="day/1", created_at=NOON, due_at=NOON)
    deliver()
    [part] = parts(sent(player, "digest"))
    assert len(Calendar.from_ical(part.get_content()).walk("VEVENT")) == 2


# ── the feed ──


def feed(client, player: Player):
    player.refresh_from_db()
    return client.get(link("feed", FeedTicket(player.pk, player.feed)))


def test_the_feed_shows_open_questions_and_their_current_deadlines(match, player, client):
    answer = feed(client, player)
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    [event] = Calendar.from_ical(answer.content).walk("VEVENT")
    wait = match.waits.get()
    assert event.decoded("dtstart") == wait.due_at
    extend(match, wait, HOUR)
    [moved] = Calendar.from_ical(feed(client, player).content).walk("VEVENT")
    assert moved.decoded("dtstart") - event.decoded("dtstart") == HOUR
    assert moved["sequence"] > event["sequence"]
    move(match)
    assert Calendar.from_ical(feed(client, player).content).walk("VEVENT") == []


def test_an_entry_ends_after_its_deadline(match, player, client):
    [event] = Calendar.from_ical(feed(client, player).content).walk("VEVENT")
    assert event.decoded("dtend") > event.decoded("dtstart") == match.waits.get().due_at
    assert event.walk("VALARM") == []


def test_an_alarm_rings_as_early_as_its_reader_wants(match, player, client):
    preferences.change(player, {"alarm_hours": 3}, now=NOON)
    [event] = Calendar.from_ical(feed(client, player).content).walk("VEVENT")
    [alarm] = event.walk("VALARM")
    assert (alarm["action"], alarm.decoded("trigger")) == ("DISPLAY", -3 * HOUR)
    assert str(alarm["description"]) == "Your move is due soon."


def test_no_alarm_rings_in_quiet_hours(match, player, client):
    preferences.change(player, {"alarm_hours": 6, "zone": "Asia/Tokyo"}, now=NOON)
    match.waits.update(due_at=NOON + 12 * HOUR, remind_at=None)  # 09:00 in Tokyo
    [event] = Calendar.from_ical(feed(client, player).content).walk("VEVENT")
    [alarm] = event.walk("VALARM")
    assert alarm.decoded("trigger") == -12 * HOUR  # 21:00, before the quiet hours


def test_no_alarm_rings_on_a_day_that_does_not_count(match, player, client):
    preferences.change(player, {"alarm_hours": 12}, now=NOON)
    Match.objects.filter(pk=match.pk).update(pace="weekend-free")
    match.waits.update(due_at=NOON + 164 * HOUR, remind_at=None)  # Monday, 08:00
    [event] = Calendar.from_ical(feed(client, player).content).walk("VEVENT")
    [alarm] = event.walk("VALARM")
    assert alarm.decoded("trigger") == -59 * HOUR  # Friday, 21:00


def test_an_entrys_number_rises_when_its_deadline_leaves_the_quiet_hours(match, player, client):
    [event] = Calendar.from_ical(feed(client, player).content).walk("VEVENT")
    preferences.change(player, {"zone": "Asia/Tokyo"}, now=NOON)
    Pulse.objects.create(pk=1, beat_at=NOON + 24 * HOUR)
    match.waits.update(due_at=NOON + 5 * HOUR, remind_at=None)  # 02:00 in Tokyo
    timeouts.time_out_match(match, NOON + 5 * HOUR)
    [moved] = Calendar.from_ical(feed(client, player).content).walk("VEVENT")
    assert moved.decoded("dtstart") == NOON + 11 * HOUR
    assert moved["sequence"] > event["sequence"]


def test_a_player_chooses_the_alarm_in_the_letter_settings():
    form = LetterSettingsForm({"alarm_hours": "3"})
    form.is_valid()
    assert form.cleaned_data["alarm_hours"] == 3
    assert list(dict(form.fields["alarm_hours"].choices).values())[:3] == ["no alarm", "one hour", "3 hours"]


def test_a_renewed_feed_has_another_url(player, client):
    old = link("feed", FeedTicket(player.pk, player.feed))
    accounts.renew_feed(player)
    assert client.get(old).status_code == 410
    assert feed(client, player).status_code == 200


def test_the_feed_is_read_only(player, client):
    assert client.post(link("feed", FeedTicket(player.pk, player.feed))).status_code == 405
    assert client.get("/calendar/nonsense/beanpost.ics").status_code == 404


def test_the_feed_takes_few_queries(player, client, django_assert_max_num_queries):
    for _ in range(3):
        seat_friends()
    with django_assert_max_num_queries(5):
        feed(client, player)
