"""Notes to the table between moves: who can write and read them, and how many."""

import pytest
from django.test import Client
from django.urls import reverse

from beanpost.play.display.replay import find_moment
from beanpost.play.display.story import tell_story
from beanpost.play.models import Note
from beanpost.post.compose import letter as compose
from beanpost.post.models import Letter
from tests.friends import NOON, seat_friends
from tests.pages.table import asked, press, seat_link
from tests.site.doors import signed_in

pytestmark = pytest.mark.django_db
WORDS = "Good evening, beans."


def text(response) -> str:
    return response.content.decode()


@pytest.fixture
def match():
    match = seat_friends("haricots", "basic")
    press(match, "play")
    return match


@pytest.fixture
def idle(match):
    """A player whose turn it is not."""
    return match.places.exclude(seat=asked(match).reader).exclude(seat=match.events.latest("seq").seat).get()


def write(client, match, words: str = WORDS):
    return client.post(reverse("note", args=[match.code]), {"note": words})


def test_a_player_writes_from_an_open_page_and_everyone_at_the_table_reads_it(match, idle):
    client = signed_in(idle.player)
    assert "Write a note to the table" in text(client.get(reverse("match", args=[match.code])))
    assert write(client, match).headers["Location"] == reverse("match", args=[match.code])
    assert f"You wrote: “{WORDS}”" in text(client.get(reverse("match", args=[match.code])))
    other = match.places.get(seat=asked(match).reader)
    assert f"{idle.name} wrote: “{WORDS}”" in text(signed_in(other.player).get(reverse("match", args=[match.code])))


def test_bystanders_and_players_who_muted_notes_do_not_see_a_note(match, idle):
    write(signed_in(idle.player), match)
    other = match.places.get(seat=asked(match).reader)
    match.places.filter(pk=other.pk).update(hears_notes=False)
    for client in (Client(), signed_in(other.player)):
        assert WORDS not in text(client.get(reverse("match", args=[match.code])))


def test_a_note_comes_with_the_next_letter_and_causes_none(match, idle):
    before = Letter.objects.count()
    write(signed_in(idle.player), match)
    assert Letter.objects.count() == before
    place = match.places.select_related("player", "match").get(seat=asked(match).reader)
    letter = compose.preview(match, place, NOON)
    assert f"{idle.name} wrote: “{WORDS}”" in letter.html


def test_there_is_one_note_between_two_moves(match, idle):
    client = signed_in(idle.player)
    write(client, match)
    again = write(client, match, "And another.")
    assert again.status_code == 400
    assert "already written a note" in text(again)
    assert Note.objects.count() == 1
    press(match)
    write(client, match, "And another.")
    assert Note.objects.count() == 2


def test_an_empty_note_is_refused_and_a_stranger_writes_none(match, idle):
    assert write(signed_in(idle.player), match, " \u200b ").status_code == 400
    assert write(Client(), match).status_code == 302
    assert not Note.objects.exists()


def test_the_notes_page_of_a_letter_takes_one_too(client, match, idle):
    page = text(client.post(seat_link("notes", idle), {"note": WORDS}))
    assert f"{idle.name}: “{WORDS}”" in page
    other = match.places.get(seat=asked(match).reader)
    assert "Report this note" in text(client.get(seat_link("notes", other)))


def test_a_note_with_the_same_line_as_a_move_hides_neither(match, idle):
    press(match, note="With my move.")
    write(signed_in(idle.player), match)
    texts = " ".join(text for _, text in story(match, idle.seat))
    assert "With my move." in texts
    assert WORDS in texts


def story(match, seat):
    return [(line.seq, line.text + (line.note.text if line.note else "")) for line in tell_story(match, seat)]


def test_replays_step_over_it(match, idle):
    steps = find_moment(match, idle.seat).total
    write(signed_in(idle.player), match)
    assert find_moment(match, idle.seat).total == steps
