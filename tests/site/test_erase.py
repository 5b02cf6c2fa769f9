"""The host erases a person who asked: by a command, or in the office; both say first what will happen."""

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from beanpost.play.models import Match
from beanpost.players import accounts
from beanpost.players.models import Player
from tests.friends import NOON, gather, seat_friends
from tests.leagues.office import found_league, put_in_league

pytestmark = pytest.mark.django_db
ADDRESS = "ann@example.org"


@pytest.fixture
def ann():
    match = seat_friends()
    put_in_league(match)
    return match.keeper


def is_erased(player: Player) -> bool:
    return Player.objects.get(pk=player.pk).is_forgotten


def test_the_command_says_what_will_happen_and_does_it_with_yes(ann, capsys):
    gather()
    call_command("erase", ADDRESS)
    told = capsys.readouterr().out
    assert "They resign from matches that are being played: 1." in told
    assert "tables of their own are called off: 1." in told
    assert "They leave seasons: 1." in told
    assert not is_erased(ann)
    call_command("erase", " Ann@Example.org ", "--yes")
    assert is_erased(ann)
    assert set(Match.objects.values_list("phase", flat=True)) == {"running", "called off"}
    with pytest.raises(CommandError, match="Nobody here"):
        call_command("erase", ADDRESS)


def test_the_keeper_of_a_league_is_not_erased_before_another_takes_over(db):
    keeper = found_league("Kept League").keeper
    with pytest.raises(CommandError, match="Somebody else must take this over first: Kept League"):
        call_command("erase", keeper.address, "--yes")
    assert not is_erased(keeper)


def test_the_office_says_what_will_happen_and_erases_once_the_address_is_typed(ann, admin_client):
    page = reverse("erase-person", args=[ann.pk])
    assert page in admin_client.get(reverse("admin:players_player_change", args=[ann.pk])).content.decode()
    assert "They resign from matches" in admin_client.get(page).content.decode()
    assert admin_client.post(page, {"address": "bob@example.org"}).status_code == 400
    assert not is_erased(ann)
    assert admin_client.post(page, {"address": ADDRESS}).status_code == 302
    assert is_erased(ann)
    assert admin_client.get(page).status_code == 404


def test_an_organiser_cannot_erase_a_person(ann, client, django_user_model):
    client.force_login(django_user_model.objects.create_user("olga", is_staff=True))
    page = reverse("erase-person", args=[ann.pk])
    assert client.post(page, {"address": ADDRESS}).status_code == 403
    assert not is_erased(ann)


@pytest.mark.parametrize("typed", [f"{{pk}}{accounts.ERASED}", f"m.1{accounts.GUESTS}"])
def test_an_erased_players_placeholder_address_gets_no_letter(typed, ann, client):
    accounts.create_guest("Guest", mark="m", number="1", language="en", now=NOON)
    call_command("erase", ADDRESS, "--yes")
    ann.letters.all().delete()
    client.post("/sign-in/", {"address": typed.format(pk=ann.pk)})
    assert not ann.letters.exists()
