"""Replaying a match: every moment has its URL, and shows nobody more than they may see."""

import random
import re

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils.html import strip_tags

import games
from beanpost.pages import sessions
from beanpost.play import load
from beanpost.play.display import scene, verdicts
from beanpost.play.display.replay import find_moment
from beanpost.play.display.story import tell_story
from beanpost.play.models import Match, Vault
from beanpost.play.seats import takeover, votes
from beanpost.play.turns import house_lines
from beanpost.privacy import erasure
from games.verification.verify import verify
from tests.friends import NOON, gather, seat_friends
from tests.pages.table import play_to_the_end, press

pytestmark = pytest.mark.django_db
MAX_QUERIES = 14


@pytest.fixture(autouse=True)
def _no_check_is_remembered():
    cache.clear()  # friends' matches are dealt alike in every test


def text(response) -> str:
    return response.content.decode()


def at(match, seq):
    return reverse("moment", args=[match.code, seq])


def sign_in(client, player):
    session = client.session
    session[sessions.VISIT_KEY] = [player.pk, player.sessions]
    session.save()


@pytest.fixture
def running():
    match = seat_friends()
    for _ in range(4):
        press(match, "play")
    return match


def test_every_moment_is_described_and_links_to_the_next(client, running):
    story = tell_story(running, None)
    for n, line in enumerate(story):
        page = text(client.get(at(running, line.seq)))
        headings = re.findall(r'<h1 class="told">(.*?)</h1>', page, re.S)
        assert [" ".join(strip_tags(one).split()) for one in headings] == [line.text]
        neighbours = re.findall(r'rel="(prev|next)" href="([^"]+)"', page)
        wanted = [("prev", n - 1)] * (n > 0) + [("next", n + 1)] * (n + 1 < len(story))
        assert neighbours == [(step, at(running, story[m].seq)) for step, m in wanted]


def test_a_moment_shows_the_table_as_it_stood(client, running):
    plays = [line for line in tell_story(running, None) if " played " in line.text]
    shown = [find_moment(running, None, line.seq).scene.view for line in plays]
    assert [len(view.lying) > 0 for view in shown] == [True] * len(plays)
    assert find_moment(running, None).scene.view == scene.build_scene(running, None).view


def test_a_bystander_never_sees_a_hand_while_it_runs(client, running):
    for line in tell_story(running, None):
        page = text(client.get(at(running, line.seq)))
        assert "Your hand" not in page
        assert "All hands" not in page


def test_a_signed_in_player_sees_only_their_own_hand(client, running):
    sign_in(client, running.places.get(seat=1).player)
    page = text(client.get(at(running, running.length)))
    assert "Your hand" in page
    assert "All hands" not in page
    assert scene.build_scene(running, 1).view == find_moment(running, 1).scene.view


def test_a_resigned_player_is_a_bystander(client, running):
    place = running.places.get(seat=1)
    place.resigned_at = running.started_at
    place.save()
    sign_in(client, place.player)
    assert "Your hand" not in text(client.get(at(running, running.length)))


def test_a_newcomer_in_a_seat_does_not_see_earlier_hands(client, running):
    house_lines.substitute_bot(load.lock_match(running.pk), running.places.get(seat=1), "clock", NOON)
    offered = votes.offer_seat(running.pk, 1, "zoe@example.org", now=NOON)
    place = takeover.take_over(offered, offered.player, now=NOON)
    running.refresh_from_db()
    press(running)
    sign_in(client, place.player)
    story = tell_story(running, 1)
    seen = {line.seq for line in story if "Your hand" in text(client.get(at(running, line.seq)))}
    assert seen == {line.seq for line in story if line.seq > place.seated} != set()


@pytest.mark.parametrize("slug", games.GAMES)
def test_no_moment_of_a_running_match_shows_a_bystander_a_hand(slug):
    match = seat_friends(slug, games.get(slug).variants[0])
    press(match)
    for moment in [find_moment(match, None, line.seq) for line in tell_story(match, None)]:
        assert moment.scene.reader is None
        assert moment.hands == []
        assert not getattr(moment.scene.view, "hand", ())


@pytest.mark.parametrize("slug", games.GAMES)
def test_an_ended_match_shows_all_hands(slug, client):
    match = seat_friends(slug, games.get(slug).variants[-1])
    for _ in range(3):
        press(match)
    Match.objects.filter(pk=match.pk).update(phase=Match.Phase.ENDED, ending="annulled")
    page = text(client.get(reverse("replay", args=[match.code])))
    assert "All hands" in page
    assert all(f"<h3>{place.name}</h3>" in page for place in match.places.all())
    sign_in(client, match.places.get(seat=1).player)
    page = text(client.get(reverse("replay", args=[match.code])))
    assert "All hands" in page
    assert "Your hand" not in page  # the own hand is among them


def test_the_last_moment_shows_the_result_and_the_remaining_cards(client):
    match = play_to_the_end(seat_friends())
    page = text(client.get(reverse("replay", args=[match.code])))
    assert " won." in page
    assert "All hands" in page


@pytest.mark.parametrize("seq", [0, 10**9])
def test_an_unknown_line_number_leads_to_the_nearest_or_nowhere(seq, client, running):
    assert client.get(at(running, seq)).status_code == (200 if seq else 404)


def test_stepping_through_a_match_begins_at_the_beginning(client):
    match = play_to_the_end(seat_friends())
    for page in (reverse("match", args=[match.code]), reverse("verify", args=[match.code])):
        assert f'href="{at(match, 1)}"' in client.get(page).content.decode()
    assert "1 of " in client.get(at(match, 1)).content.decode()


def test_a_match_that_has_not_started_has_no_moments(client):
    assert client.get(reverse("replay", args=[gather().code])).status_code == 404
    assert client.get(reverse("verify", args=[gather(variant="basic").code])).status_code == 404


def test_a_moment_takes_the_same_number_of_queries_however_long_the_match(client, django_assert_max_num_queries):
    match = play_to_the_end(seat_friends("haricots", "advanced", seats=5))
    sign_in(client, match.keeper)
    with django_assert_max_num_queries(MAX_QUERIES):
        client.get(at(match, match.length // 2))


# ── verify this match ──


def test_a_running_match_is_verified_as_far_as_its_public_lines_allow(client, running):
    page = text(client.get(reverse("verify", args=[running.code])))
    assert "sealed until the end." in page
    assert "in its header Beanpost-Head" in " ".join(re.sub(r"<[^>]+>", "", page).split())
    assert "at the very end of its plain text" in page
    assert running.commitment in page
    assert bytes(Vault.objects.get(match=running).secret).hex() not in page


def test_an_ended_match_is_verified_with_its_secret(client):
    match = play_to_the_end(seat_friends())
    page = text(client.get(reverse("verify", args=[match.code])))
    assert "every dealer line and every move check out." in page
    assert bytes(Vault.objects.get(match=match).secret).hex() in page
    assert reverse("export", args=[match.code]) in page


def test_an_ended_match_is_replayed_for_its_first_check_only(client, monkeypatch):
    match = play_to_the_end(seat_friends())
    address, replayed = reverse("verify", args=[match.code]), []
    monkeypatch.setattr(verdicts, "verify", lambda exported: replayed.append(1) or verify(exported))
    first = text(client.get(address))
    digest = match.events.get(seq=3).digest
    assert text(client.get(address)) == first
    assert "This is the digest of line 3." in text(client.get(address, {"head": digest}))
    assert len(replayed) == 1


def test_a_check_reports_a_name_deleted_since_the_last_one(client):
    match = play_to_the_end(seat_friends())
    address = reverse("verify", args=[match.code])
    assert "name was deleted" not in text(client.get(address))
    erasure.erase(match.places.get(seat=1).player, now=NOON)
    assert "name was deleted" in text(client.get(address))


def test_a_running_match_is_verified_again_after_each_line(client, running):
    address = reverse("verify", args=[running.code])
    assert f"{running.length} lines: " in text(client.get(address))
    press(running, "pass")
    running.refresh_from_db()
    assert f"{running.length} lines: " in text(client.get(address))


def test_the_verify_page_says_where_the_program_comes_from(client, running):
    page = text(client.get(reverse("verify", args=[running.code])))
    assert "The program is part of Beanpost’s source, which the host of this site can give you" in page
    assert "To write your own, follow <code>docs/fairness.md</code>" in page


def test_the_verify_page_finds_a_letters_digest(client, running):
    digest = running.events.get(seq=3).digest
    address = reverse("verify", args=[running.code])
    assert "This is the digest of line 3." in text(client.get(address, {"head": digest}))
    assert "This digest doesn’t belong to this match." in text(client.get(address, {"head": "<b>" + "0" * 60}))


def test_a_match_that_fails_the_check_says_so(client, running):
    Match.objects.filter(pk=running.pk).update(head=f"{random.Random(1).getrandbits(256):064x}")
    assert 'role="alert"' in text(client.get(reverse("verify", args=[running.code])))


def test_a_failed_check_of_an_ended_match_is_not_cached(client):
    match = play_to_the_end(seat_friends())
    address = reverse("verify", args=[match.code])
    Match.objects.filter(pk=match.pk).update(ending="annulled")
    assert 'role="alert"' in text(client.get(address))
    Match.objects.filter(pk=match.pk).update(ending="finished")
    assert 'role="alert"' not in text(client.get(address))
