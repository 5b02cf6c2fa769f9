"""Files that browsers, phones and search engines look for, and the cards of links."""

import json
import re

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse

import games
from tests.friends import gather, seat_friends
from tests.pages.table import seat_link

pytestmark = pytest.mark.django_db


def test_robots_are_kept_out_of_private_pages(client):
    text = client.get("/robots.txt").content.decode()
    assert "User-agent: *" in text
    assert "Disallow: /my/" in text


def test_the_manifest_names_icons_that_exist(client):
    answer = client.get("/manifest.webmanifest")
    assert answer.headers["Content-Type"] == "application/manifest+json"
    manifest = json.loads(answer.content)
    assert manifest["name"] == "Beanpost"
    assert all(finders.find(icon["src"].removeprefix("/static/")) for icon in manifest["icons"])
    assert client.get("/favicon.ico").status_code == 302


@pytest.mark.parametrize("slug", games.GAMES)
def test_the_card_of_a_match_shows_its_game_and_nobodys_name(client, slug):
    match = seat_friends(slug, games.get(slug).variants[0])
    page = client.get(reverse("match", args=[match.code])).content.decode()
    tags = "".join(re.findall(r'<meta property="og:[^>]*>', page))
    assert games.get(slug).title in tags.replace("&#39;", "'")
    assert f"beanpost/cards/{slug}.png" in tags
    assert not any(name in tags for name in ("Ann", "Bob", "Cleo"))
    assert finders.find(f"beanpost/cards/{slug}.png")


def test_an_invitation_and_a_league_list_have_cards(client):
    invitation = client.get(seat_link("ready", gather().places.get(seat=1))).content.decode()
    assert "og:image" in invitation
    assert "og:image" in client.get("/").content.decode()
