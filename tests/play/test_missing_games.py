"""A match whose game or edition is not installed stands still, and the host is told."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

import games
from beanpost.play.deadlines import outages
from beanpost.play.display import my_games
from beanpost.play.models import Match
from beanpost.play.timekeeping import absence, missing_games, sweep
from beanpost.players import accounts
from beanpost.post import metrics
from beanpost.post.receive import open_questions
from tests.friends import NOON, seat_friends, welcome
from tests.pages.table import table_link

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def sweeps_are_rare(monkeypatch):
    """Let an hour without a sweep be no outage, so that days pass quickly here."""
    monkeypatch.setattr(outages, "A_FEW_MINUTES", 2 * HOUR)


@pytest.fixture
def match():
    """A match of an edition that nobody has installed."""
    match = seat_friends()
    Match.objects.filter(pk=match.pk).update(edition=7)
    return match


def install_again(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(edition=1)


def sweep_hourly(hours: int) -> None:
    sweep.sweep(NOON)
    for hour in range(1, hours + 1):
        sweep.sweep(NOON + hour * HOUR)


def test_its_clock_stands_still_while_other_matches_go_on(match):
    other, lines = seat_friends("fagioli", "standard"), match.events.count()
    sweep_hourly(72)
    assert match.events.count() == lines
    assert not match.waits.exclude(due_at=None).exists()
    assert other.events.filter(origin="clock").exists()


def test_players_have_as_much_time_as_before_once_the_game_is_back(match):
    left = match.waits.get().due_at - NOON
    sweep_hourly(99)
    install_again(match)
    sweep.sweep(NOON + 100 * HOUR)
    wait = match.waits.get()
    assert wait.due_at == NOON + 100 * HOUR + left
    assert (wait.left, wait.credit) == (None, 100 * HOUR)


def test_the_host_is_told_what_to_install(match):
    sign = metrics.without_rules()
    assert not sign.is_well
    assert sign.told.endswith("They stand still until these are installed again: haricots, edition 7.")
    install_again(match)
    assert metrics.without_rules().is_well


def test_its_pages_say_so(match, client):
    install_again(match)
    page = table_link(match)
    Match.objects.filter(pk=match.pk).update(edition=7)
    for address in (page, reverse("match", args=[match.code]), reverse("replay", args=[match.code])):
        answer = client.get(address)
        assert answer.status_code == 503
        assert "nobody’s time is running" in answer.content.decode()


def test_lists_go_on_showing_it(match, client):
    Match.objects.filter(pk=match.pk).update(game="chess")
    [table] = my_games.of(welcome("Bob")).quiet + my_games.of(welcome("Bob")).asked
    assert str(table.match).startswith("chess ")
    assert missing_games.names() == ["chess, edition 7"]


def test_its_admin_page_says_so(match, client):
    user = get_user_model().objects.create_superuser("host")
    client.force_login(user)
    answer = client.get(reverse("admin:play_match_change", args=[match.pk]))
    assert "don’t have edition 7 of Haricots" in answer.content.decode()


def test_an_ended_match_keeps_its_place_in_the_list(match):
    Match.objects.filter(pk=match.pk).update(phase=Match.Phase.ENDED, ended_at=NOON)
    [table] = my_games.of(accounts.welcome("bob@example.org", now=NOON)).over
    assert table.rank is None


def test_ours_come_first_and_others_by_name():
    assert list(games.GAMES)[:5] == ["haricots", "bohnanza", "pas_de_haricots", "fagioli", "haricot_magique"]


def test_a_complaint_is_kept_though_the_game_of_a_table_is_missing(match):
    player = match.places.get(seat=0).player
    absence.complained(player, now=NOON)
    player.refresh_from_db()
    assert player.unwanted_at == NOON


def test_orders_for_other_tables_are_read_though_a_game_is_missing(match):
    player = match.places.get(seat=0).player
    other = seat_friends("fagioli", "standard")
    assert set(open_questions.orders_of(player)) == {other.pk}
