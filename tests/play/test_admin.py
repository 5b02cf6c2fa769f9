"""The admin shows matches as a bystander sees them, and changes nothing there."""

import pytest
from django.urls import reverse

from beanpost.play.models import Match, Vault
from tests.friends import seat_friends
from tests.play.test_moves import press

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    match = seat_friends()
    press(match, line="pass")
    return Match.objects.get(pk=match.pk)


def pages(match: Match) -> list[str]:
    return [
        reverse("admin:play_match_changelist"),
        reverse("admin:play_match_change", args=[match.pk]),
        reverse("admin:players_player_changelist"),
        reverse("admin:players_player_change", args=[match.keeper_id]),
    ]


def test_every_admin_page_opens_and_shows_no_hidden_card_and_no_secret(admin_client, match):
    vault = Vault.objects.get(match=match)
    shuffle = match.events.get(seq=2).line
    for page in pages(match):
        answer = admin_client.get(page)
        assert answer.status_code == 200
        shown = answer.content.decode()
        for hidden in (bytes(vault.secret).hex(), vault.memory, shuffle, shuffle.removeprefix("shuffle ")[:40]):
            assert hidden not in shown


def test_a_match_is_described_as_a_bystander_sees_it(admin_client, match):
    shown = admin_client.get(reverse("admin:play_match_change", args=[match.pk])).content.decode()
    assert "passed and drew a card." in shown


def test_rows_cannot_be_added_changed_or_deleted(admin_client, match):
    for page in pages(match)[1::2]:
        assert admin_client.post(page, {"name": "Zoe", "code": "x"}).status_code == 403
    assert admin_client.get(reverse("admin:play_match_add")).status_code == 403
    assert admin_client.get(reverse("admin:play_match_delete", args=[match.pk])).status_code == 403


def test_the_list_of_matches_makes_the_same_number_of_queries_for_many_as_for_few(
    admin_client, django_assert_max_num_queries, match
):
    for n in range(12):
        Match.objects.create(
            code=f"m{n}", game="haricots", edition=1, variant="basic", seats=3, allowance=match.allowance,
            keeper=match.keeper, commitment="x", opened_at=match.opened_at,
        )  # fmt: skip
    with django_assert_max_num_queries(12):
        admin_client.get(reverse("admin:play_match_changelist"))


@pytest.mark.parametrize(
    "lookup",
    ["events__line__contains=shuffle", "vault__memory__contains=1", "keeper__letters__body__packed__contains=6"],
)
def test_no_filter_reaches_hidden_fields(admin_client, match, lookup):
    assert admin_client.get(f"{reverse('admin:play_match_changelist')}?{lookup}").status_code == 400
