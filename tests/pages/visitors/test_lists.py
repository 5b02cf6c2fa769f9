"""Open tables by game, pace and language, and matches that may be watched."""

import re

import pytest
from django.urls import reverse

from beanpost.pages.visitors import lists
from beanpost.play.models import Match
from beanpost.play.seats import opening, own_seat
from beanpost.play.tickets import JoinTicket, sign
from beanpost.players import accounts
from tests.friends import NOON, seat_friends
from tests.pages.gallery import plan
from tests.pages.table import play_to_the_end, seat_link

pytestmark = pytest.mark.django_db
TABLES, WATCH = "/tables/", "/watch/"


def text(response) -> str:
    return response.content.decode()


def open_table(name: str, language: str = "en", **wish) -> Match:
    keeper = accounts.get_or_create_player(f"{name.lower()}@example.org", name=name, language=language, now=NOON)
    return opening.open_match(plan(keeper, **wish), keeper, now=NOON)


def keepers(page: str) -> set[str]:
    return set(re.findall(r"opened by (\w+)", page))


# ── open tables ──


def test_open_tables_are_filtered_by_game_pace_and_language(client):
    open_table("Ann", pace="daily")
    open_table("Bob", game="fagioli", variant="standard", seats=3, pace="brisk")
    open_table("Cleo", language="fr", pace="36h")
    assert keepers(text(client.get(TABLES))) == {"Ann", "Bob", "Cleo"}
    assert keepers(text(client.get(TABLES, {"game": "fagioli"}))) == {"Bob"}
    assert keepers(text(client.get(TABLES, {"pace": "daily", "game": ""}))) == {"Ann"}
    assert keepers(text(client.get(TABLES, {"pace": "own"}))) == {"Cleo"}
    assert keepers(text(client.get(TABLES, {"language": "fr", "game": "haricots"}))) == {"Cleo"}
    assert "There are no such tables" in text(client.get(TABLES, {"language": "fr", "pace": "daily"}))


def test_an_unknown_filter_is_named_and_hides_nothing(client):
    open_table("Ann")
    page = client.get(TABLES, {"game": "chess"})
    assert keepers(text(page)) == {"Ann"}
    assert "Select a valid choice" in text(page)


def test_tables_for_invited_people_and_full_tables_are_not_listed(client):
    open_table("Ann", listed=False)
    open_table("Bob", seats=3, bots=2)
    assert not keepers(text(client.get(TABLES)))


def test_a_long_list_comes_in_pages_that_keep_the_filter(client, monkeypatch, django_assert_max_num_queries):
    monkeypatch.setattr(lists, "TABLES_PER_PAGE", 2)
    for name in ("Ann", "Bob", "Cleo"):
        open_table(name)
    with django_assert_max_num_queries(4):
        first = text(client.get(TABLES, {"game": "haricots"}))
    assert len(keepers(first)) == 2
    assert 'href="?game=haricots&amp;page=2"' in first
    assert len(keepers(text(client.get(TABLES, {"game": "haricots", "page": "2"})))) == 1
    assert client.get(TABLES, {"page": "no number"}).status_code == 200


# ── matches to watch ──


def tick(match: Match) -> None:
    for place in match.places.all():
        own_seat.set_may_be_watched(place, True)


def is_listed(client, match: Match) -> bool:
    return reverse("match", args=[match.code]) in text(client.get(WATCH))


def test_a_match_is_listed_once_every_player_ticked(client):
    match = seat_friends()
    assert not is_listed(client, match)
    for place in match.places.all():
        assert not is_listed(client, match)
        client.post(seat_link("seat", place), {"watch": "1"})
    assert is_listed(client, match)
    assert "Ann, Bob and Cleo" in text(client.get(WATCH))


def test_withdrawing_takes_effect_at_once(client):
    match = seat_friends()
    tick(match)
    page = text(client.post(seat_link("seat", match.places.get(seat=1)), {"unwatch": "1"}))
    assert "We don’t list this match" in page
    assert not is_listed(client, match)
    assert client.get(WATCH).headers["Cache-Control"] == "no-store"


def test_a_match_from_before_players_were_asked_is_never_listed(client):
    match = seat_friends()
    tick(match)
    Match.objects.filter(pk=match.pk).update(watchable=False)
    assert not is_listed(client, match)
    assert "Let anyone watch" not in text(client.get(seat_link("seat", match.places.get(seat=0))))


def test_a_finished_match_is_no_longer_listed(client):
    match = seat_friends()
    tick(match)
    play_to_the_end(match)
    assert not is_listed(client, match)


def test_the_tick_is_offered_with_the_seat_and_is_off(client):
    match = open_table("Ann", bots=2)
    bob = accounts.get_or_create_player("bob@example.org", name="Bob", now=NOON)
    with_tick, without = {"word": "", "may_be_watched": "on"}, {"word": ""}
    link = reverse("joining", args=[joining_ticket(bob, match)])
    assert re.search(r'name="may_be_watched"[^>]*>', text(client.get(link)))
    assert "checked" not in re.search(r'<input[^>]*name="may_be_watched"[^>]*>', text(client.get(link)))[0]
    client.post(link, with_tick)
    assert match.places.get(player=bob).may_be_watched
    other = open_table("Cleo", bots=2)
    client.post(reverse("joining", args=[joining_ticket(bob, other)]), without)
    assert not other.places.get(player=bob).may_be_watched


def joining_ticket(player, match) -> str:
    return sign(JoinTicket(player.pk, player.sessions, match.pk))


def test_many_matches_take_as_many_queries_as_one(client, django_assert_num_queries):
    for _ in range(3):
        tick(seat_friends())
    with django_assert_num_queries(3):
        client.get(WATCH)
