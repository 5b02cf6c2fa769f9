"""Starting a friendly match on one page."""

import re

import pytest
from django.test import Client

import games
from beanpost.pages import sessions
from beanpost.play.models import Match
from beanpost.players import accounts
from beanpost.post.models import Letter
from tests.friends import NOON, seat_friends

pytestmark = pytest.mark.django_db
WISH = {"game": "haricots/sprint", "seats": "3", "pace": "daily", "bots": "0"}


@pytest.fixture
def ann(client):
    player = accounts.get_or_create_player("ann@example.org", name="Ann", now=NOON)
    session = client.session
    session[sessions.VISIT_KEY] = [player.pk, player.sessions]
    session.save()
    return player


def text(response) -> str:
    return response.content.decode()


def test_a_visitor_is_asked_to_sign_in(client):
    assert client.post("/start/", WISH | {"bots": "2"}).headers["Location"] == "/sign-in/"
    assert not Match.objects.exists()


def test_the_front_page_links_a_signed_in_player_there_and_asks_for_no_address(client, ann):
    page = text(client.get("/?game=fagioli"))
    assert 'href="/start/">Start a match</a>' in page
    assert 'href="/start/?game=fagioli#start"' in page
    assert "Send me the letter" not in page
    assert "Send me the letter" in text(Client().get("/?game=fagioli"))


def test_a_match_against_bots_starts_at_once(client, ann):
    assert "The match has started" in text(client.post("/start/", WISH | {"bots": "2"}))
    assert Match.objects.get().phase == Match.Phase.RUNNING


def test_invitations_go_out_by_mail(client, ann):
    client.post("/start/", WISH | {"guests": "bob@example.org cleo@example.org"})
    assert set(Letter.objects.filter(kind="invitation").values_list("recipient__address", flat=True)) == {
        "bob@example.org",
        "cleo@example.org",
    }


def test_a_table_by_link_can_be_joined_with_the_link_and_is_not_listed(client, ann):
    page = text(client.post("/start/", WISH | {"by_link": "on", "bots": "1"}))
    match = Match.objects.get()
    assert f"http://testserver/match/{match.code}/" in page
    assert match.code not in text(client.get("/"))
    assert "Join this table" not in text(client.get(f"/match/{match.code}/"))  # Ann sits there
    assert "Join this table" in text(Client().get(f"/match/{match.code}/"))


def press(client, page: str, **wishes: str) -> str:
    number = re.search(r'name="page" value="([^"]+)"', page)[1]
    return text(client.post("/start/", WISH | {"page": number} | wishes))


def test_pressing_twice_opens_one_match_and_invites_once(client, ann):
    page = text(client.get("/start/?game=haricots"))
    for _ in range(2):
        assert "Your seat is reserved" in press(client, page, guests="bob@example.org cleo@example.org")
    assert Match.objects.count() == 1
    assert Letter.objects.filter(kind="invitation").count() == 2


def test_changed_values_on_the_same_page_open_another_match(client, ann):
    page = text(client.get("/start/?game=haricots"))
    press(client, page, bots="2")
    press(client, page, bots="2", pace="brisk")
    press(client, text(client.get("/start/?game=haricots")), bots="2")
    assert Match.objects.values("code").distinct().count() == 3


def test_a_form_that_was_refused_first_opens_one_match_too(client, ann):
    page = text(client.post("/start/", WISH))
    for _ in range(2):
        press(client, page, bots="2")
    assert Match.objects.count() == 1


def test_an_error_is_shown_beside_the_form(client, ann):
    page = client.post("/start/", WISH)
    assert page.status_code == 400
    assert "2 seats are still free" in text(page)
    assert not Match.objects.exists()


def test_my_games_links_to_the_match_and_shows_the_rating(client, ann):
    ann.ratings.create(game="haricots", mu=26.04, sigma=3.2, matches=4)
    page = text(client.get("/my/"))
    assert 'href="/start/"' in page
    assert "26.0" in page


def test_a_player_whose_turn_it_is_can_play_at_once(client, ann):
    pages = {text(client.post("/start/", WISH | {"bots": "2", "page": str(n)})) for n in range(9)}
    turn = next(page for page in pages if "Play now" in page)
    path = re.search(r'class="button big" href="([^"]+)"', turn)[1]
    assert "Your turn, Ann" in text(client.get(path))


def test_past_opponents_are_invited_by_name_and_their_address_stays_hidden(client, ann):
    seat_friends()
    page = text(client.get("/start/?game=haricots"))
    bob = accounts.look_up("bob@example.org")
    assert f'value="{bob.pk}"' in page
    assert "bob@example.org" not in page
    client.post("/start/", WISH | {"friends": [str(bob.pk)], "by_link": "on"})
    assert Letter.objects.filter(kind="invitation", recipient=bob, match__started_at=None).exists()


def test_typing_an_address_does_not_reveal_whose_it_is(client, ann):
    zoe = accounts.get_or_create_player("zoe@example.org", name="Zoé Roux", now=NOON)
    client.post("/start/", WISH | {"guests": "zoe@example.org", "by_link": "on"})
    assert zoe.places.exists()
    assert "Zoé Roux" not in text(client.get("/start/?game=haricots"))


def test_nobody_is_invited_by_a_number_they_did_not_play_with(client, ann):
    stranger = accounts.get_or_create_player("zoe@example.org", now=NOON)
    seat_friends()
    assert client.post("/start/", WISH | {"friends": [str(stranger.pk)]}).status_code == 400


@pytest.mark.parametrize("slug", games.GAMES)
def test_a_rules_page_starts_its_game(client, ann, slug):
    variants = {f"{slug}/{variant}" for variant in games.get(slug).variants}
    assert f'/start/?game={slug}"' in text(client.get(f"/rules/{slug}/"))
    assert offered(text(client.get(f"/start/?game={slug}"))) == variants
    assert f'/?game={slug}#start"' in text(Client().get(f"/rules/{slug}/"))
    assert offered(text(Client().get(f"/?game={slug}"))) == variants


def offered(page: str) -> set[str]:
    """Return the games and variants in the form."""
    return set(re.findall(r'(?:<option|name="game") value="([a-z_]+/[a-z]+)"', page))


def test_the_start_page_first_asks_for_the_game(client, ann):
    page = text(client.get("/start/"))
    assert len(re.findall(r'href="/start/\?game=[\w-]+#start"', page)) == len(games.GAMES) + 1
    assert "Open the match" not in page
    assert "Open the match" not in text(client.get("/start/?game=chess"))


def test_choosing_a_game_sets_the_seats(client, ann):
    page = text(client.get("/start/?game=pas_de_haricots"))
    assert 'aria-current="true"' in page
    assert re.search(r'name="seats" value="3" min="3" max="6"', page)


def test_the_duel_of_bohnanza_is_a_choice_of_its_own(client, ann):
    page = text(client.get("/start/?game=bohnanza-duel"))
    assert "Bohnanza: the duel" in page
    assert '<input type="hidden" name="seats" value="2"' in page
    assert 'min="3" max="7"' in text(client.get("/start/?game=bohnanza"))
    wish = {"game": "bohnanza/standard", "seats": "2", "pace": "daily", "bots": "1"}
    assert "The match has started" in text(client.post("/start/?game=bohnanza-duel", wish))
    assert Match.objects.get().seats == 2


def test_a_refused_form_keeps_the_chosen_game(client, ann):
    page = text(client.post("/start/?game=bohnanza-duel", {"game": "bohnanza/standard", "seats": "2", "pace": "daily"}))
    assert "One seat is still free" in page
    assert 'href="/start/?game=bohnanza-duel#start" aria-current="true"' in page


def test_a_signed_in_player_changes_their_name_without_a_letter(client, ann):
    client.post("/my/name/", {"name": "Anna"})
    ann.refresh_from_db()
    assert ann.name == "Anna"
    assert not Letter.objects.exists()
    assert client.post("/my/name/", {"name": ""}).status_code == 400
    assert Client().post("/my/name/", {"name": "X"}).headers["Location"] == "/sign-in/"
