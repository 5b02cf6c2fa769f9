"""The front page: starting a match, joining a table, finding a lost letter."""

import re
import tomllib
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext

import games
from beanpost.play.models import Match
from beanpost.play.seats import joining, opening
from beanpost.play.tickets import JoinTicket, OpenTicket, redeem
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.compose import sample
from beanpost.post.models import Letter
from beanpost.post.outbox import requested
from tests.friends import NOON, gather
from tests.pages.gallery import plan

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.django_db

WISH = {
    "name": "Ann",
    "address": "Ann@Example.org",
    "game": "haricots/sprint",
    "seats": "3",
    "pace": "daily",
    "guests": "bob@example.org\ncleo@example.org",
    "bots": "0",
}


@pytest.fixture
def table():
    """A table that anyone may join."""
    ann = accounts.get_or_create_player("ann@example.org", name="Ann", now=NOON)
    return opening.open_match(plan(ann, bots=0), ann, now=NOON)


def test_the_front_page_says_what_this_is_and_how_to_start(client):
    page = client.get("/").content.decode()
    for words in (
        "Card games by email, with friends or in a league, over days or weeks",
        "Start a match",
        "Open tables",
        "Lost your letter?",
    ):
        assert words in page
    assert "Open Ann’s letters" not in page


def read_what_beanpost_is():
    """Return the three sentences that a stranger reads first; translations and other texts repeat them."""
    description = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["description"]
    return re.findall(r"(.+?[.])(?: +|$)", description)


def test_the_readme_begins_with_what_beanpost_is():
    opening = " ".join((ROOT / "README.md").read_text().split("\n\n")[1].split())
    assert opening.startswith(" ".join(read_what_beanpost_is()))


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_front_and_about_page_say_what_beanpost_is(client, language):
    first, *others = read_what_beanpost_is()
    with translation.override(language):
        what, lead = map(gettext, (first[:-1], " ".join(others)))
    headers = {"Accept-Language": language}
    front, about = (client.get(page, headers=headers).content.decode() for page in ("/", "/about/"))
    assert f'<h1>{what}</h1><p class="lead">{lead}</p>' in front
    assert f'<meta property="og:description" content="{what}">' in front
    assert f": {what[0].lower()}{what[1:]}. {lead}" in about


def test_the_front_page_shows_every_game_once(client):
    page = client.get("/").content.decode()
    for rules in games.GAMES.values():
        assert len(re.findall(rf"<span>{rules.title}</span>", page)) == 1


def test_the_sample_letter_is_a_real_one_about_nobody(client, django_assert_num_queries):
    page = client.get("/").content.decode()
    address = re.search(r'<iframe src="([^"]+)"[^>]* sandbox="allow-same-origin"[^>]* inert>', page)[1]
    sample.render_in_language.cache_clear()
    with django_assert_num_queries(0):
        letter = client.get(address)
    words = letter.content.decode()
    assert "Your turn, Ann" in words
    assert "Play 10 10" in words
    assert "cid:" not in words
    assert "frame-ancestors 'self'" in letter.headers["Content-Security-Policy"]
    assert letter.headers["X-Frame-Options"] == "SAMEORIGIN"


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_the_links_of_the_sample_letter_open_nothing(client, language):
    words = client.get("/sample-letter/", headers={"Accept-Language": language}).content.decode()
    assert f'lang="{language}"' in words
    paths = set(re.findall(r'href="https?://[^/"]+(/(?:move|seat)/[^"]+)"', words))
    assert paths
    assert {client.get(path).status_code for path in paths} <= {404, 410}


# ── starting a match ──


def test_a_request_to_open_a_match_only_sends_a_letter(client):
    page = client.post("/open/", WISH)
    assert page.status_code == 200
    assert "We’ve sent a letter to ann@example.org" in page.content.decode()
    [letter] = Letter.objects.all()
    planned = redeem(OpenTicket, letter.values["ticket"])
    assert (letter.kind, planned.game, planned.variant) == ("open", "haricots", "sprint")
    assert planned.addresses == ("bob@example.org", "cleo@example.org")
    assert not Match.objects.exists()
    assert [player.address for player in Player.objects.all()] == ["ann@example.org"]


def test_only_games_whose_tables_we_can_draw_are_offered(client):
    offered = re.findall(r'href="/\?game=([\w-]+)#start"', client.get("/").content.decode())
    assert set(offered) == {*games.GAMES, "bohnanza-duel"}
    assert client.post("/open/", WISH | {"game": "chess/blitz"}).status_code == 400


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"address": "nowhere"}, "Enter a valid email address."),
        ({"name": ""}, "This field is required."),
        ({"name": "x" * 41}, "Use 40 characters or fewer."),
        ({"guests": "bob@example.org nonsense"}, "“nonsense” isn’t an email address."),
        ({"guests": "bob@example.org"}, "One seat is still free"),
        ({"guests": "ann@example.org bob@example.org"}, "You already have a seat"),
        ({"seats": "7"}, "Haricots is for 3 to 5 players, not 7."),
        ({"pace": "hasty"}, "Select a valid choice."),
    ],
)
def test_an_unplayable_request_is_refused_and_the_form_keeps_its_values(wrong, sentence, client):
    page = client.post("/open/", WISH | {"name": "Anne-Marie"} | wrong)
    assert page.status_code == 400
    assert sentence in page.content.decode()
    assert "Anne-Marie" in page.content.decode() or "name" in wrong
    assert not Letter.objects.exists()


def test_typing_a_players_address_cannot_rename_them(client):
    accounts.get_or_create_player("ann@example.org", name="Ann", now=NOON)
    client.post("/open/", WISH | {"name": "Mallory"})
    assert Player.objects.get().name == "Ann"


def test_a_mailbox_cannot_be_flooded(client):
    for _ in range(2 * requested.MAX_AN_HOUR):
        assert client.post("/open/", WISH).status_code == 200
    assert Letter.objects.count() == requested.MAX_AN_HOUR


# ── joining a table ──


def test_open_tables_are_listed_and_link_to_their_page(client, table):
    assert reverse("match", args=[table.code]) in client.get("/").content.decode()
    page = client.get(reverse("match", args=[table.code])).content.decode()
    assert "Join this table" in page
    assert "3 seats are free." in page


def test_a_visitor_who_wants_to_join_gets_a_letter_first(client, table):
    page = client.post(reverse("join", args=[table.code]), {"name": "Bob", "address": "bob@example.org"})
    assert page.status_code == 200
    [letter] = Letter.objects.filter(kind="join")
    assert redeem(JoinTicket, letter.values["ticket"]).match == table.pk
    assert table.places.count() == 1


def test_a_joining_error_is_shown_beside_its_field(client, table):
    page = client.post(reverse("join", args=[table.code]), {"name": "Bob", "address": "bob"})
    assert page.status_code == 400
    assert 'value="Bob"' in page.content.decode()
    assert 'id="id_address_error"' in page.content.decode()


def test_a_table_for_invited_people_cannot_be_joined(client):
    match = gather()
    joining.decline(match.places.get(seat=2), now=NOON)
    page = client.post(reverse("join", args=[match.code]), {"name": "Dora", "address": "dora@example.org"})
    assert page.status_code == 400
    assert "This table isn’t open to everyone." in page.content.decode()
    assert not Letter.objects.filter(kind="join").exists()
    assert "Join this table" not in client.get(reverse("match", args=[match.code])).content.decode()


def test_an_unknown_table_is_not_found(client):
    assert client.post(reverse("join", args=["nonsense"]), {"name": "B", "address": "b@example.org"}).status_code == 404


@pytest.mark.parametrize("address", ["/open/", "/lost/"])
def test_opening_a_form_url_redirects_to_the_front_page(address, client):
    assert client.get(address).headers["Location"] == "/"


# ── a lost letter ──


def test_a_known_and_an_unknown_address_get_the_same_answer(client):
    accounts.get_or_create_player("ann@example.org", now=NOON)
    known, unknown = (client.post("/lost/", {"address": address}) for address in ("ann@example.org", "eve@example.org"))
    assert known.status_code == unknown.status_code == 200
    assert known.content.replace(b"ann@", b"eve@") == unknown.content
    requested.answer_requests(NOON)
    assert [letter.recipient.address for letter in Letter.objects.all()] == ["ann@example.org"]
    assert not Player.objects.filter(address="eve@example.org").exists()


def test_an_address_that_wants_no_letters_gets_no_find_my_games_letter(client):
    ann = accounts.get_or_create_player("ann@example.org", now=NOON)
    accounts.refuse_letters(ann, now=NOON)
    assert client.post("/lost/", {"address": "ann@example.org"}).status_code == 200
    assert not Letter.objects.exists()


def test_an_invalid_address_is_refused_with_a_sentence(client):
    page = client.post("/lost/", {"address": "nowhere"})
    assert page.status_code == 400
    assert 'id="lost_address_error"' in page.content.decode()
