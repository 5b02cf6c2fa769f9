"""My games: urgent questions first, then the rest, with the same few queries however many matches there are."""

from datetime import timedelta

import pytest

from beanpost.leagues.models import Division, Entry, League, Season
from beanpost.play.display.lists import my_games
from beanpost.play.models import Event, Match
from beanpost.play.seats import joining, opening
from beanpost.play.tickets import SignInTicket
from beanpost.play.turns import endings
from beanpost.players import accounts
from beanpost.players.models import Player
from tests.friends import NOON, gather, seat_friends
from tests.pages.table import asked, link, play_to_the_end

pytestmark = pytest.mark.django_db

MAX_QUERIES = 15


def visit(client, name: str) -> Player:
    player = Player.objects.get(name=name)
    client.post(link("enter", SignInTicket(player.pk, player.visits)))
    return player


def shown(client) -> str:
    page = client.get("/my/")
    assert page.status_code == 200
    assert (page.headers["Cache-Control"], page.headers["X-Robots-Tag"]) == ("no-store", "noindex")
    return page.content.decode()


def test_waiting_matches_come_first_in_order_of_urgency(client):
    later, sooner = seat_friends("haricots"), seat_friends("fagioli", "standard")
    for match, days in ((later, 3), (sooner, 1)):
        match.waits.update(due_at=NOON + timedelta(days=days), remind_at=None)
    visit(client, asked(later).place.name)
    sooner.waits.update(seat=sooner.places.get(player__name=asked(later).place.name).seat)
    page = shown(client)
    assert "Waiting for you" in page
    assert page.index("Fagioli with") < page.index("Haricots with")


def test_a_waiting_match_links_to_its_move(client):
    match = seat_friends()
    visit(client, asked(match).place.name)
    [address] = [part.split('"')[0] for part in shown(client).split('href="')[1:] if part.startswith("/move/")]
    assert asked(match).question.text in client.get(address).content.decode()


def test_a_waiting_match_links_to_the_seat_page_too(client):
    match = seat_friends()
    visit(client, asked(match).place.name)
    [address] = [part.split('"')[0] for part in shown(client).split('href="')[1:] if part.startswith("/seat/")]
    assert "Resign from this match" in client.get(address).content.decode()


def test_a_player_can_leave_a_table_that_is_not_full_from_there(client):
    match = gather()
    joining.accept_invitation(match.places.get(player__name="Bob"), name="Bob", word="", now=NOON)
    bob = visit(client, "Bob")
    [address] = [part.split('"')[0] for part in shown(client).split('href="')[1:] if part.startswith("/ready/")]
    assert "I can’t play after all" in client.get(address).content.decode()
    client.post(address, {"decline": "1"})
    assert not match.places.filter(player=bob).exists()


def test_away_days_are_announced_from_there_and_from_the_seat_page(client):
    match = seat_friends()
    visit(client, asked(match).place.name)
    [address] = [part.split('"')[0] for part in shown(client).split('href="')[1:] if part.startswith("/away/")]
    assert "When will you be away?" in client.get(address).content.decode()
    ticket, _second, _seal = address.split(":")
    assert f"{ticket}:" in client.get(address.replace("/away/", "/seat/")).content.decode()


def test_an_adjudicated_match_shows_a_result_too(client):
    endings.adjudicate(seat_friends(), [1, 2, 0], Event.Origin.ORGANISER, NOON)
    for name, came_out in (("Ann", "place 3 of 3"), ("Bob", "you won")):
        visit(client, name)
        assert came_out in shown(client)


def test_invitations_quiet_tables_leagues_and_results_are_listed(client):
    over = play_to_the_end(seat_friends())
    quiet, waiting = seat_friends(), gather()
    name = next(place.name for place in quiet.places.all() if place.seat != asked(quiet).place.seat and place.seat)
    player = visit(client, name)
    league = League.objects.create(name="The Pods", slug="pods", keeper=player)
    season = Season.objects.create(league=league, name="Spring")
    division = Division.objects.create(season=season, name="First")
    Entry.objects.create(season=season, player=player, division=division, state=Entry.State.ENTERED)
    page = shown(client)
    for match in (over, quiet):
        assert f"/match/{match.code}/" in page
    came_out = "you won" if is_won(over, player) else " of 3"
    for words in ("No tables are waiting for you.", "Ann invites you to play Haricots", "The Pods: Spring", "Results",
                  came_out, f"waiting for {asked(quiet).place.name}"):  # fmt: skip
        assert words in page
    assert waiting.code not in page  # an invitation links to its own page


def is_won(match: Match, player: Player) -> bool:
    return my_games.rank_matches([match])[match.pk][match.places.get(player=player).seat] == 1


def test_open_tables_are_listed_except_the_players_own(client):
    ann = seat_friends().keeper
    for keeper, seats in ((ann, 3), (accounts.get_or_create_player("dora@example.org", name="Dora", now=NOON), 4)):
        planned = opening.plan(keeper, game="haricots", variant="sprint", seats=seats, pace="daily", open_to_all=True,
                               bots=0, addresses=[])  # fmt: skip
        opening.open_match(planned, keeper, now=NOON)
    visit(client, "Ann")
    page = shown(client)
    assert "opened by Dora, one day per move, 3 free seats" in page
    assert "opened by Ann" not in page


def test_the_page_shows_no_card(client):
    match = seat_friends()
    visit(client, asked(match).place.name)
    assert 'class="card' not in shown(client)


def test_the_number_of_queries_does_not_grow_with_the_matches(client, django_assert_max_num_queries):
    for day in range(2):
        now = NOON - timedelta(days=2 + day)
        gather(now=now)
        for match in [seat_friends(now=now) for _ in range(3)][:2]:
            play_to_the_end(match)
    visit(client, "Bob")
    with django_assert_max_num_queries(MAX_QUERIES):
        shown(client)


def test_a_signed_in_session_alone_cannot_change_an_address(client):
    match = seat_friends()
    visit(client, asked(match).place.name)
    page = shown(client)
    assert "/wishes/" in page
    assert "/me/" in page
    assert "/settings/" not in page
