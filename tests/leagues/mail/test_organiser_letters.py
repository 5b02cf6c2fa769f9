"""Organisers write to people in their own words: a preview, a letter with a reply address, news on the page."""

from email import message_from_bytes
from html import unescape

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from beanpost.leagues.mail import letters, organiser_letters
from beanpost.leagues.mail.organiser_letters import Audience
from beanpost.leagues.models import Entry, Fixture, League, News, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.play.models import Wait
from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.privacy import erasure
from tests.friends import NOON
from tests.leagues.office import LATER, do, fill_season, page, start_round
from tests.post.gallery import deliver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_the_afternoon")]
WORDS = {
    "headline": "The final dinner",
    "words": "Dear all,\n\nwe meet on Friday.",
    "to": "everyone",
}


@pytest.fixture
def season(league):
    """A season of two divisions whose first round is being played; answers go to its organiser."""
    season = start_round(fill_season(league, 6, size=3, rounds=2, divisions=2), begin=True)
    league.contact = "olga@club.example"
    league.save()
    return season


def written_to():
    return sorted(Letter.objects.filter(kind="league_news").values_list("recipient__name", flat=True))


def sent():
    """Deliver, and return the first organiser's letter as an email."""
    deliver(LATER)
    return message_from_bytes(bytes(Letter.objects.filter(kind="league_news").first().source))


def test_a_letter_goes_to_everyone_who_has_accepted_and_answers_reach_the_organiser(at_olgas, season):
    season_entries.add_entry(season, "invited@example.org", name="Ines", now=NOON)
    gone = season.entries.get(player__name="Player 5")
    Entry.objects.filter(pk=gone.pk).update(state="left")
    assert "Write to everyone" in page(at_olgas, "admin:leagues_season_cockpit", season.pk)
    answer = do(at_olgas, season, "write", **WORDS)
    assert answer.status_code == 302
    assert written_to() == [f"Player {n}" for n in range(5)]
    mail = sent()
    assert mail["Reply-To"] == "olga@club.example"
    assert mail["Subject"] == "Bean League: The final dinner"
    assert "List-Unsubscribe" in mail
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    text = mail.get_payload()[0].get_payload(decode=True).decode()
    assert "we meet on Friday." in text
    assert "Replies to this letter go to the organiser, olga@club.example." in text
    assert "We can’t read replies" not in text


def test_the_preview_shows_readers_and_words_and_sends_nothing(at_olgas, season):
    url = reverse("admin:leagues_season_do", args=[season.pk, "write"])
    shown = unescape(at_olgas.post(url, {"look": "1", **WORDS, "is_public": "on"}).content.decode())
    assert "The letter goes to 6 people: Player 0, Player 1" in shown
    assert "<li>we meet on Friday.</li>" in shown
    assert "Answers go to olga@club.example." in shown
    assert "The league’s page will show it, too." in shown
    assert "Reason" not in shown
    assert not News.objects.exists()
    assert not Letter.objects.filter(kind="league_news").exists()


def test_a_division_and_a_table_can_be_written_to(at_olgas, season):
    division = season.divisions.last()
    there = sorted(division.entries.values_list("player__name", flat=True))
    do(at_olgas, division, "write", **WORDS)
    assert written_to() == there
    Letter.objects.all().delete()
    do(at_olgas, season, "write", **WORDS | {"to": str(division.pk), "words": "Something else."})
    assert written_to() == there
    Letter.objects.all().delete()
    table = Fixture.objects.first()
    do(at_olgas, table, "write", **WORDS | {"is_public": "on"})
    assert written_to() == sorted(chair.sitter.name for chair in table.chairs.all())
    assert not News.objects.get(fixture=table).is_public  # a letter to one table is nobody else's


def test_only_players_whom_tables_wait_for_are_silent(at_olgas, season):
    assert do(at_olgas, season, "write", **WORDS | {"to": "silent"}).status_code == 400
    wait = Wait.objects.exclude(due_at=None).first()
    Wait.objects.filter(pk=wait.pk).update(remind_at=None)
    late = wait.match.places.get(seat=wait.seat).player.name
    assert do(at_olgas, season, "write", **WORDS | {"to": "silent", "is_public": "on"}).status_code == 302
    assert written_to() == [late]
    assert not News.objects.get().is_public


def test_players_who_leave_meanwhile_get_no_queued_letter(at_olgas, season):
    do(at_olgas, season, "write", **WORDS)
    do(at_olgas, season, "weekly")
    gone = season.entries.get(player__name="Player 5")
    Entry.objects.filter(pk=gone.pk).update(state="left")
    deliver(LATER)
    for kind in ("league_news", "weekly"):
        arrived = Letter.objects.filter(kind=kind, state="sent").values_list("recipient__name", flat=True)
        assert sorted(arrived) == [f"Player {n}" for n in range(5)]


def test_one_click_stops_letters_from_organisers_and_keeps_the_seat(at_olgas, client, season):
    do(at_olgas, season, "write", **WORDS)
    mail = sent()
    url = mail["List-Unsubscribe"].split(">")[0].strip("<")
    reader = Letter.objects.filter(kind="league_news").first().recipient
    assert "No more letters from organisers?" in unescape(client.get(url).content.decode())
    assert client.post(url, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not Player.objects.get(pk=reader.pk).league_news
    assert season.entries.get(player=reader).state == "entered"
    do(at_olgas, season, "write", **WORDS | {"words": "Once more."})
    assert not Letter.objects.filter(recipient=reader, kind="league_news", state="queued").exists()


def test_news_is_on_the_leagues_page_until_it_is_taken_down(at_olgas, client, season):
    do(at_olgas, season, "write", **WORDS | {"is_public": "on", "words": "<b>Friday</b>"})
    raw = client.get(reverse("league", args=[season.league.slug])).content.decode()
    assert "The final dinner" in raw
    assert "&lt;b&gt;Friday&lt;/b&gt;" in raw
    assert do(at_olgas, season, "take-down", news=str(News.objects.get().pk)).status_code == 302
    assert "The final dinner" not in page(client, "league", season.league.slug)


def test_letters_that_are_not_public_stay_off_the_page(at_olgas, client, season):
    do(at_olgas, season, "write", **WORDS)
    assert "The final dinner" not in page(client, "league", season.league.slug)


def test_a_second_press_sends_nothing_and_says_so(at_olgas, season):
    do(at_olgas, season, "write", **WORDS)
    answer = do(at_olgas, season, "write", **WORDS)
    assert answer.status_code == 400
    assert "You’ve already sent this letter." in unescape(answer.content.decode())
    assert Letter.objects.filter(kind="league_news").count() == 6


def test_nobody_is_flooded(season):
    for n in range(organiser_letters.MAX_A_DAY):
        write(season, words=f"Letter {n}")
    with pytest.raises(ValidationError, match="times a day"):
        write(season, words="One too many")


def write(season, **more):
    arguments = {"headline": "Hello", "words": "Hello.", "is_public": False, "by": None, "now": LATER} | more
    return organiser_letters.queue_letter(Audience(season), **arguments)


def test_an_organiser_of_another_league_cannot_write(at_ottos, season):
    assert do(at_ottos, season, "write", **WORDS).status_code == 404
    assert not News.objects.exists()


def test_an_invitation_names_the_organiser_and_quotes_their_words(at_olgas, league):
    League.objects.update(run_by="The Bean Club", contact="club@example.org")
    season = Season.objects.create(league=league, name="Spring", size=3, rounds=2)
    entry = season_entries.add_entry(season, "ines@example.org", name="Ines", now=NOON)
    Player.objects.filter(pk=entry.player_id).update(confirmed_at=NOON)
    words = "We miss you.\nCome back!"
    url = reverse("admin:leagues_season_do", args=[season.pk, "invite"])
    assert "Come back!" in at_olgas.post(url, {"look": "1", "words": words}).content.decode()
    assert do(at_olgas, season, "invite", words=words).status_code == 302
    deliver(LATER)
    letter = Letter.objects.get(kind="league_invite")
    assert "Ines, The Bean Club invites you" in letter.text
    assert "The organiser writes:\n\nWe miss you.\nCome back!" in letter.text
    assert message_from_bytes(bytes(letter.source))["Reply-To"] == "club@example.org"


def test_the_weekly_letter_carries_the_organisers_words(at_olgas, season):
    League.objects.update(contact="club@example.org")
    assert do(at_olgas, season, "weekly", words="What a week!").status_code == 302
    deliver(LATER)
    letter = Letter.objects.filter(kind="weekly").first()
    assert "What a week!" in letter.text
    assert message_from_bytes(bytes(letter.source))["Reply-To"] == "club@example.org"


def test_letters_without_a_contact_say_that_nobody_reads_replies(season):
    League.objects.update(contact="")
    letters.send_weekly(season, now=LATER)
    deliver(LATER)
    letter = Letter.objects.filter(kind="weekly").first()
    assert "We can’t read replies" in letter.text
    assert message_from_bytes(bytes(letter.source))["Reply-To"] is None


def test_organisers_set_their_name_and_address_on_the_leagues_page(at_olgas, league):
    shown = page(at_olgas, "admin:leagues_league_change", league.pk)
    assert 'name="run_by"' in shown
    assert 'name="contact_address"' in shown


def test_erased_players_disappear_from_organisers_letters(season):
    League.objects.update(contact="club@example.org")
    Player.objects.filter(name="Player 0").update(name="Zebedee Quill")
    write(Season.objects.get(), headline="Zebedee Quill leads", words="Well done, Zebedee Quill.")
    letters.send_weekly(season, now=LATER, words="Zebedee Quill again!")
    player = Player.objects.get(name="Zebedee Quill")
    player.places.all().delete()
    erasure.erase(player, now=LATER)
    news = News.objects.get()
    assert "Zebedee" not in news.headline + news.words
    assert not any("Zebedee" in letter.values.get("words", "") for letter in Letter.objects.filter(kind="weekly"))
