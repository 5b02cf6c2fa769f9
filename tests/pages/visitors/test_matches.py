"""A match as anyone may see it."""

import json
import random

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

import games
from beanpost.play.display import scene
from beanpost.play.display.story import StoryLine, tell_story
from beanpost.play.models import Vault
from beanpost.play.tickets import SignInTicket
from beanpost.players.models import Player
from games.engine.memory import remember
from games.verification.verify import verify
from tests.friends import NOON, gather, seat_friends
from tests.games.haricots.twin import twin
from tests.pages.table import asked, link, play_to_the_end, press

pytestmark = pytest.mark.django_db


def text(response) -> str:
    return response.content.decode()


def address(match, name="match"):
    return reverse(name, args=[match.code])


def test_a_bystander_sees_the_table_and_the_log_but_no_hand(client):
    match = seat_friends()
    press(match, "play")
    page = text(client.get(address(match)))
    assert f"The table is waiting for {asked(match).place}." in page
    assert " played " in page
    assert "Your hand" not in page
    assert "secret:" not in page


def test_public_pages_use_the_signed_in_players_language(client):
    match = seat_friends()
    player = match.places.get(seat=1).player
    Player.objects.filter(pk=player.pk).update(language="fr")
    pages = [
        address(match),
        address(match, "verify"),
        reverse("home"),
        reverse("rulebook"),
        "/rules/haricots/",
        "/leagues/",
    ]
    assert {'<html lang="en">' in text(client.get(page)) for page in pages} == {True}
    client.post(link("enter", SignInTicket(player.pk, player.visits)))
    assert {'<html lang="fr">' in text(client.get(page)) for page in pages} == {True}


def test_a_long_log_shows_its_end_and_hides_its_beginning_behind_one_press(client):
    match = seat_friends("bohnanza", "standard")
    for _ in range(25):
        press(match)
    story = [line.text for line in tell_story(match, None)]
    folded, shown = text(client.get(address(match))).split("Earlier")[1].split("</details>")
    assert [folded.count("<li>"), shown.count("<li>")] == [len(story) - 8, 8]
    assert all(line in folded for line in story[:-8])
    assert all(line in shown for line in story[-8:])


def test_a_very_long_log_links_to_the_replay_to_keep_its_page_small():
    match = seat_friends()
    lines = [StoryLine(seq, 0, "hand", NOON, [f"Line {seq}."]) for seq in range(1, 401)]
    part = render_to_string("pages/parts/story.html", {"lines": lines, "scene": scene.build_scene(match, None)})
    assert part.count("<li>") == 100
    assert f'href="{reverse("moment", args=[match.code, 1])}"' in part
    assert "Line 300." not in part
    assert "Line 301." in part


def test_a_bystanders_page_does_not_depend_on_hidden_cards(client):
    match = seat_friends("haricots", "advanced")
    press(match, "play")
    seen, vault = text(client.get(address(match))), Vault.objects.get(match=match)
    table = games.recall(vault.memory)
    for seed in range(5):
        other = twin(table.state, None, random.Random(seed))
        vault.memory = remember(type(table)(table.rules, table.seats, table.variant, other))
        vault.save()
        assert text(client.get(address(match))) == seen


def test_a_match_shows_its_secret_and_digests_where_it_can_be_verified(client):
    match = play_to_the_end(seat_friends())
    page, verifying = text(client.get(address(match))), text(client.get(address(match, "verify")))
    assert address(match, "verify") in page
    for digest in (bytes(Vault.objects.get(match=match).secret).hex(), match.commitment, match.head):
        assert digest not in page
        assert digest in verifying
    assert " won." in page
    assert "The story so far" not in page
    assert address(match, "export") in page


@pytest.mark.parametrize("ended", [False, True])
def test_the_verifier_reads_the_export_of_a_match(ended, client):
    match = seat_friends()
    press(match, "play")
    if ended:
        play_to_the_end(match)
    answer = client.get(address(match, "export"))
    assert answer.headers["Content-Type"] == "application/json"
    export = json.loads(answer.content)
    assert ("secret" in export) == ended
    assert verify(export).lines == match.length  # it raises an error otherwise


def test_a_match_that_has_not_started_has_no_export(client):
    assert client.get(address(gather(), "export")).status_code == 404


@pytest.mark.parametrize("path", ["/match/nonsense/", "/match/%00/", "/match/a%20b/", "/match/" + "x" * 10_000 + "/"])
def test_an_unknown_match_is_not_found(path, client):
    page = client.get(path)
    assert page.status_code == 404
    assert "Page not found" in text(page)


def test_no_email_address_is_shown(client):
    match = play_to_the_end(seat_friends())
    for name in ("match", "export"):
        assert "@" not in text(client.get(address(match, name)))
