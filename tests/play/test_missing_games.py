"""A match whose game or edition is not installed stands still, and the host is told."""

import json
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.db import transaction
from django.urls import reverse

import games
from beanpost.play import load
from beanpost.play.deadlines import outages
from beanpost.play.display.lists import my_games
from beanpost.play.log import audit
from beanpost.play.models import Match, Vault
from beanpost.play.timekeeping import absence, missing_games, sweep
from beanpost.play.turns import house_lines
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post import metrics
from beanpost.post.deliver import sending
from beanpost.post.models import Letter
from beanpost.post.receive import open_questions
from beanpost.privacy import erasure
from tests.friends import NOON, seat_friends, welcome
from tests.pages.table import seat_link, table_link
from tests.post.answering import LATER, mail, put_in, with_replies
from tests.post.gallery import deliver

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def sweeps_are_rare(monkeypatch):
    """Let an hour without a sweep be no outage, so that days pass quickly here."""
    monkeypatch.setattr(outages, "LONGEST_GAP", 2 * HOUR)


@pytest.fixture
def match():
    """A match of an edition that nobody has installed."""
    match = seat_friends()
    uninstall(match)
    return match


def uninstall(match: Match) -> None:
    set_edition(match, 7)


def install_again(match: Match) -> None:
    set_edition(match, 1)


def set_edition(match: Match, edition: int) -> None:
    """Change the edition of a match and of its cached state."""
    Match.objects.filter(pk=match.pk).update(edition=edition)
    vault = Vault.objects.get(match=match)
    slug, _, *rest = json.loads(vault.memory)
    Vault.objects.filter(match=match).update(memory=json.dumps([slug, edition, *rest]))


def sweep_hourly(hours: int) -> None:
    sweep.sweep(NOON)
    for hour in range(1, hours + 1):
        sweep.sweep(NOON + hour * HOUR)


def test_the_clock_of_a_match_without_its_game_stops_while_others_run(match):
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
    sign = metrics.check_missing_games()
    assert not sign.is_well
    assert sign.text.endswith("They stand still until these are installed again: haricots, edition 7.")
    install_again(match)
    assert metrics.check_missing_games().is_well


def test_pages_of_a_match_without_its_game_say_so(match, client):
    install_again(match)
    page = table_link(match)
    uninstall(match)
    for address in (page, reverse("match", args=[match.code]), reverse("replay", args=[match.code])):
        answer = client.get(address)
        assert answer.status_code == 503
        assert "the clock is stopped" in answer.content.decode()


def test_lists_go_on_showing_it(match, client):
    Match.objects.filter(pk=match.pk).update(game="chess")
    [table] = my_games.build_overview(welcome("Bob")).quiet + my_games.build_overview(welcome("Bob")).asked
    assert str(table.match).startswith("chess ")
    assert missing_games.describe_missing() == ["chess, edition 7"]


def test_the_admin_page_of_a_match_without_its_game_says_so(match, client):
    user = get_user_model().objects.create_superuser("host")
    client.force_login(user)
    answer = client.get(reverse("admin:play_match_change", args=[match.pk]))
    assert "don’t have edition 7 of Haricots" in answer.content.decode()


def test_an_ended_match_keeps_its_place_in_the_list(match):
    Match.objects.filter(pk=match.pk).update(phase=Match.Phase.ENDED, ended_at=NOON)
    [table] = my_games.build_overview(accounts.get_or_create_player("bob@example.org", now=NOON)).over
    assert table.rank is None


def test_ours_come_first_and_others_by_name():
    assert list(games.GAMES)[:5] == ["haricots", "bohnanza", "pas_de_haricots", "fagioli", "haricot_magique"]


def test_a_complaint_is_kept_though_the_game_of_a_table_is_missing(match):
    player = match.places.get(seat=0).player
    absence.stop_letters_and_seats(player, now=NOON)
    player.refresh_from_db()
    assert player.unwanted_at == NOON


def test_orders_for_other_tables_are_read_though_a_game_is_missing(match):
    player = match.places.get(seat=0).player
    other = seat_friends("fagioli", "standard")
    assert set(open_questions.build_order_readers(player)) == {other.pk}


# ── what players can still do ──


def test_a_player_can_resign_and_be_erased(match, client):
    place = match.places.select_related("player").get(seat=match.waits.get().seat)
    install_again(match)
    page = seat_link("seat", place)
    uninstall(match)
    assert client.get(page).status_code == 200
    assert client.post(page, {"resign": "1"}).status_code == 200
    place.refresh_from_db()
    assert place.resigned_at is not None
    erasure.erase(place.player, now=NOON)
    assert Player.objects.get(pk=place.player_id).is_forgotten


def test_a_bot_plays_for_a_player_who_resigned_once_the_game_is_back(match):
    place = match.places.select_related("player").get(seat=match.waits.get().seat)
    absence.resign(place, now=NOON)
    sweep.sweep(NOON)
    lines = match.events.count()
    install_again(match)
    sweep.sweep(NOON + HOUR)
    sweep.sweep(NOON + HOUR)
    assert match.events.filter(seat=place.seat, seq__gt=lines).exists()
    assert list(audit.find_differences(Match.objects.get(pk=match.pk))) == []


def test_a_match_without_its_game_can_be_paused_and_long_pauses_end(match):
    with transaction.atomic():
        assert house_lines.pause(load.lock_match(match.pk), "player", NOON)
    assert house_lines.end_long_pauses(NOON + 31 * 24 * HOUR) == 1
    match.refresh_from_db()
    assert match.paused_at is None
    install_again(match)
    assert list(audit.find_differences(Match.objects.get(pk=match.pk))) == []


def test_a_refusal_lets_a_bot_play_there_too(match):
    player = match.places.get(seat=0).player
    assert absence.stop_letters_and_seats(player, now=NOON) == 1
    assert match.places.get(seat=0).stand_in


# ── letters and replies ──


def test_letters_of_a_missing_game_use_up_no_attempts_and_go_when_it_is_back(match):
    for hours in range(60):
        sending.deliver(lambda hours=hours: NOON + hours * HOUR)
    [letter] = Letter.objects.filter(match=match, kind="turn")
    assert (letter.state, letter.attempts, letter.error) == ("queued", 0, "NotInstalled")
    sweep.sweep(NOON + 60 * HOUR)
    install_again(match)
    sweep.sweep(NOON + 61 * HOUR)
    sending.deliver(lambda: NOON + 61 * HOUR)
    letter.refresh_from_db()
    assert letter.state == "sent"


def test_players_are_asked_again_when_the_game_is_back():
    match = seat_friends()
    deliver(NOON)
    uninstall(match)
    sweep.sweep(NOON)
    install_again(match)
    sweep.sweep(NOON + HOUR)
    deliver(NOON + HOUR)
    place = match.places.get(seat=match.waits.get().seat)
    assert Letter.objects.filter(match=match, recipient=place.player, kind="turn", state="sent").count() == 2


def test_a_reply_is_answered_with_a_sentence():
    with with_replies():
        match = seat_friends()
        deliver(NOON)
        letter = Letter.objects.filter(match=match, kind="turn").get()
        uninstall(match)
        reply = put_in(letter, mail(letter, "pass"))
        assert reply.state == "answered"
        deliver(LATER)
        answer = Letter.objects.get(kind="unheard")
    assert answer.state == "sent"
    assert "this match’s game isn’t available" in " ".join(answer.text.split())


def test_an_automatic_reply_is_not_answered():
    with with_replies():
        match = seat_friends()
        deliver(NOON)
        letter = Letter.objects.filter(match=match, kind="turn").get()
        uninstall(match)
        put_in(letter, mail(letter, "I am away.", Auto_Submitted="auto-replied"))
    assert not Letter.objects.filter(kind__in=("unheard", "answer")).exists()
