"""Organisers who play: their account is linked to their player, whatever address that player has."""

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.urls import reverse

from beanpost.leagues import organiser_accounts
from beanpost.leagues.models import Fixture, OrganiserAccount, Season
from beanpost.leagues.people import entries
from beanpost.leagues.seasons import rounds, substitutes
from beanpost.players import accounts as player_accounts
from beanpost.players.models import FormerAddress
from beanpost.privacy import data_export, erasure
from tests.friends import NOON
from tests.leagues.conftest import organiser, signed_in
from tests.leagues.office import do, fill_season, start_round
from tests.site.doors import signed_in as signed_in_as_player

pytestmark = pytest.mark.django_db
PAGE = "/admin/plays-here/"
DECISIONS = ("annul", "forfeit", "adjudicate", "substitute")


@pytest.fixture
def fixture(league):
    """A table of Player 0 and two others."""
    start_round(fill_season(league, 3, size=3, rounds=1), begin=True)
    return Fixture.objects.get()


@pytest.fixture
def player(fixture):
    return player_accounts.look_up("p000@example.org")


def with_address(user, address):
    user.email = address
    user.save()


def refused(client, fixture):
    return [do(client, fixture, action, reason="Because.").status_code for action in DECISIONS] == [403] * 4


def letters_seen(client):
    return client.get(reverse("admin:post_letter_changelist")).content.decode().count("/change/")


# ── a change of address is no way around it ──


def test_an_organiser_who_moves_to_another_address_still_cannot_decide_their_own_match(olga, at_olgas, fixture, player):
    with_address(olga, "P000@example.org")
    assert refused(at_olgas, fixture)
    player_accounts.change_address(player, "elsewhere@example.org")
    assert refused(at_olgas, fixture)
    assert letters_seen(at_olgas) == 0
    player_accounts.change_address(player, "still.elsewhere@example.org")
    assert refused(at_olgas, fixture)


def test_a_linked_account_stays_linked_whatever_addresses_both_have(olga, at_olgas, fixture, player):
    organiser_accounts.link(olga, player)
    player_accounts.change_address(player, "elsewhere@example.org")
    with_address(olga, "office@example.org")
    FormerAddress.objects.all().delete()
    assert refused(at_olgas, fixture)
    assert letters_seen(at_olgas) == 0


def test_an_organiser_whose_seat_a_substitute_plays_cannot_decide_that_table(olga, at_olgas, league):
    season = fill_season(league, 3, size=3, rounds=1)
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    rounds.publish(season.divisions.get().rounds.get(), now=NOON)
    chair = Fixture.objects.get().chairs.get(entry__player__address="p000@example.org")
    organiser_accounts.link(olga, chair.sitter)
    zoe = entries.accept(entries.add_entry(season, "zoe@example.org", now=NOON), as_substitute=True, now=NOON)
    substitutes.substitute(chair, zoe, now=NOON)
    assert refused(at_olgas, Fixture.objects.get())


def test_another_organiser_decides_instead(olga, otto, league, fixture, player):
    league.organisers.add(otto)
    organiser_accounts.link(olga, player)
    assert do(signed_in(otto), fixture, "annul", reason="Because.").status_code == 302


def test_the_host_cannot_decide_their_own_match_either(olga, at_olgas, fixture, player):
    olga.is_superuser = True
    olga.save()
    organiser_accounts.link(olga, player)
    assert refused(at_olgas, fixture)


@pytest.mark.parametrize("moved", [False, True])
def test_an_organiser_cannot_substitute_under_a_former_or_another_address(olga, league, fixture, moved):
    season = fixture.round.division.season
    entry = entries.accept(entries.add_entry(season, "olga@example.org", now=NOON), as_substitute=True, now=NOON)
    if moved:
        player_accounts.change_address(entry.player, "elsewhere@example.org")
    else:
        organiser_accounts.link(olga, entry.player)
        with_address(olga, "office@example.org")
    with pytest.raises(ValidationError, match="organiser of this league"):
        substitutes.substitute(fixture.chairs.get(seat=0), entry, now=NOON)


# ── accounts not linked to a player ──


@pytest.fixture
def nobody(league):
    """An organiser without an email address."""
    user = organiser("nobody")
    with_address(user, "")
    league.organisers.add(user)
    return user


def test_an_unlinked_account_decides_nothing_until_it_says_who_it_is(nobody, fixture):
    client = signed_in(nobody)
    assert refused(client, fixture)
    assert letters_seen(client) == 0
    assert PAGE in client.get("/admin/").content.decode()
    client.post(PAGE, {"no": "1"})
    assert do(client, fixture, "annul", reason="Because.").status_code == 302
    assert PAGE not in client.get("/admin/").content.decode()
    assert OrganiserAccount.objects.get(user=nobody).says_no_at is not None


def test_an_organiser_is_asked_at_sign_in_and_decides_nothing_before_answering(client, olga, league, fixture):
    answer = client.post("/admin/login/?next=/admin/", {"username": "olga", "password": "beans"})
    assert (answer.status_code, answer.url) == (302, PAGE)
    assert "Do you play here?" in client.get(PAGE).content.decode()
    assert refused(client, fixture)
    client.post(PAGE, {"no": "1"})
    assert do(client, fixture, "annul", reason="Because.").status_code == 302
    client.logout()
    answer = client.post("/admin/login/?next=/admin/", {"username": "olga", "password": "beans"})
    assert answer.url == "/admin/"


def test_an_account_with_the_address_of_one_player_is_linked_at_sign_in(client, olga, league, fixture, player):
    with_address(olga, "P000@Example.org")
    answer = client.post("/admin/login/?next=/admin/", {"username": "olga", "password": "beans"})
    assert answer.url == "/admin/"
    assert OrganiserAccount.objects.get(user=olga).player == player


def test_an_organiser_proves_which_player_they_are_by_signing_in_as_that_player(olga, league, fixture, player):
    client = signed_in_as_player(player)
    client.force_login(olga, backend="django.contrib.auth.backends.ModelBackend")
    session = client.session
    session["visit"] = [player.pk, player.sessions]
    session.save()
    assert "Player 0" in client.get(PAGE).content.decode()
    client.post(PAGE, {"no": "1"})  # a visitor signed in as a player plays here
    assert not organiser_accounts.has_answered(olga)
    client.post(PAGE, {"link": "1"})
    assert OrganiserAccount.objects.get(user=olga).player == player
    assert refused(client, fixture)
    client.post(PAGE, {"no": "1"})
    assert refused(client, fixture)


def test_an_account_is_only_linked_to_the_player_who_is_signed_in(olga, at_olgas, league):
    at_olgas.post(PAGE, {"link": "1"})
    assert not organiser_accounts.has_answered(olga)


def test_the_account_page_is_for_organisers_only(client, db):
    assert client.get(PAGE).status_code == 302
    assert client.post(PAGE, {"no": "1"}).status_code == 302
    assert not OrganiserAccount.objects.exists()


def test_saying_no_does_not_help_an_organiser_who_plays_under_the_accounts_address(olga, at_olgas, fixture, player):
    organiser_accounts.record_no(olga, now=NOON)
    with_address(olga, "p000@example.org")
    assert refused(at_olgas, fixture)


def test_a_linked_account_cannot_be_linked_to_another_player(olga, league, player):
    organiser_accounts.link(olga, player)
    with pytest.raises(ValidationError, match="linked to a player already"):
        organiser_accounts.link(olga, player_accounts.get_or_create_player("decoy@example.org", now=NOON))


# ── drawing ──


@pytest.fixture
def drawn(league):
    """A division of six, drawn and not published, in which Player 0 plays."""
    division = fill_season(league, 6, size=3, rounds=1).divisions.get()
    rounds.draw(division, by=None, now=NOON)
    return division


def test_an_organiser_does_not_redraw_a_division_until_their_table_suits_them(olga, at_olgas, drawn):
    organiser_accounts.link(olga, player_accounts.look_up("p000@example.org"))
    page = do(at_olgas, drawn, "draw", reason="I like it better.")
    assert "You play in this division: another organiser must draw it again." in page.text
    assert drawn.draws.count() == 1
    do(at_olgas, drawn.rounds.get(), "publish")
    assert drawn.rounds.get().phase == "published"


def test_an_organiser_who_plays_may_draw_and_may_redraw_when_a_drawn_player_was_deleted(olga, league):
    division = fill_season(league, 6, size=3, rounds=1).divisions.get()
    organiser_accounts.link(olga, player_accounts.look_up("p000@example.org"))
    rounds.draw(division, by=olga, now=NOON)
    erasure.erase(player_accounts.look_up("p005@example.org"), now=NOON)
    rounds.draw(division, by=olga, reason="Player 5 has left.", now=NOON)
    assert [draw.drawn_by for draw in division.draws.all()] == [olga, olga]


def test_an_organiser_who_plays_does_not_redraw_because_a_drawn_player_was_withdrawn(olga, otto, drawn):
    organiser_accounts.link(olga, player_accounts.look_up("p000@example.org"))
    substitutes.withdraw(drawn.entries.get(player__address="p005@example.org"))
    with pytest.raises(ValidationError, match="another organiser must draw it again"):
        rounds.draw(drawn, by=olga, reason="Player 5 has left.", now=NOON)
    organiser_accounts.record_no(otto, now=NOON)
    rounds.draw(drawn, by=otto, reason="Player 5 has left.", now=NOON)
    assert drawn.draws.count() == 2


@pytest.mark.parametrize("action", ["withdraw", "substitute"])
def test_an_organiser_takes_nobody_out_of_a_draw_of_their_own_division(olga, otto, at_olgas, drawn, action):
    organiser_accounts.link(olga, player_accounts.look_up("p000@example.org"))
    entry = drawn.entries.get(player__address="p005@example.org")
    page = do(at_olgas, entry, action, reason="Because.")
    assert "You play in this division, which has been drawn" in page.text
    entry.refresh_from_db()
    assert entry.state == "entered"
    drawn.season.league.organisers.add(otto)
    organiser_accounts.record_no(otto, now=NOON)
    do(signed_in(otto), entry, action, reason="Because.")
    entry.refresh_from_db()
    assert entry.state != "entered"


def test_an_organiser_moves_nobody_out_of_a_draw_of_their_own_division(olga, at_olgas, drawn):
    other = drawn.season.divisions.create(name="Second", level=2)
    organiser_accounts.link(olga, player_accounts.look_up("p000@example.org"))
    entry = drawn.entries.get(player__address="p005@example.org")
    page = do(at_olgas, drawn.season, "place", **{f"entry{entry.pk}": str(other.pk)})
    assert "You play in this division, which has been drawn" in page.text
    form = at_olgas.get(reverse("admin:leagues_entry_change", args=[entry.pk]))
    assert 'name="division"' not in form.content.decode()
    entry.refresh_from_db()
    assert entry.division == drawn


@pytest.mark.parametrize("kind", ["ladder", "knock_out"])
def test_an_organiser_who_plays_sets_no_rung_once_entries_are_closed(olga, at_olgas, drawn, kind):
    """A rung decides opponents, and who wins a ladder."""
    Season.objects.update(format=kind)
    entry = drawn.entries.get(player__address="p005@example.org")
    page = reverse("admin:leagues_entry_change", args=[entry.pk])
    organiser_accounts.record_no(olga, now=NOON)
    assert 'name="rung"' in at_olgas.get(page).content.decode()
    OrganiserAccount.objects.update(player=player_accounts.look_up("p000@example.org"))
    assert 'name="rung"' not in at_olgas.get(page).content.decode()
    at_olgas.post(page, {"rung": "99", "division": str(drawn.pk)})
    entry.refresh_from_db()
    assert entry.rung != 99


def test_an_organiser_may_withdraw_themselves_from_a_draw(olga, at_olgas, drawn):
    entry = drawn.entries.get(player__address="p000@example.org")
    organiser_accounts.link(olga, entry.player)
    do(at_olgas, entry, "withdraw", reason="No time.")
    entry.refresh_from_db()
    assert entry.state == "left"


def test_another_organiser_may_redraw_but_one_of_unknown_identity_may_not(olga, drawn):
    with_address(olga, "")
    with pytest.raises(ValidationError, match="whether you play here"):
        rounds.draw(drawn, by=olga, reason="Once more.", now=NOON)
    organiser_accounts.record_no(olga, now=NOON)
    rounds.draw(drawn, by=olga, reason="Once more.", now=NOON)
    assert drawn.draws.count() == 2


def test_the_host_can_link_an_organiser_to_a_player(olga, player):
    with pytest.raises(CommandError, match="Nobody signs in"):
        call_command("plays_as", "nobody")
    with pytest.raises(CommandError, match="Nobody plays here under"):
        call_command("plays_as", "olga", "stranger@example.org")
    call_command("plays_as", "olga", "p000@example.org")
    assert OrganiserAccount.objects.get().player == player
    with pytest.raises(CommandError, match="linked to a player already"):
        call_command("plays_as", "olga", "p001@example.org")


def test_the_host_sees_which_player_an_organiser_is(admin_client, olga, otto, player):
    organiser_accounts.link(olga, player)
    organiser_accounts.record_no(otto, now=NOON)
    for user, text in ((olga, "Player 0"), (otto, "says: I don’t play here")):
        assert text in admin_client.get(reverse("admin:auth_user_change", args=[user.pk])).text


def test_the_host_can_say_that_an_organiser_does_not_play(olga):
    call_command("plays_as", "olga")
    assert OrganiserAccount.objects.get().says_no_at


# ── former addresses ──


def test_a_former_address_is_kept_exported_and_deleted_with_its_player(db):
    player = player_accounts.get_or_create_player("ann@example.org", now=NOON)
    for address in ("anne@example.org", "ann@example.org", "anna@example.org"):
        player_accounts.change_address(player, address)
    kept = [row["address"] for row in data_export.export_data(player)["former_addresses"]]
    assert kept == ["ann@example.org", "anne@example.org"]
    erasure.erase(player, now=NOON)
    assert not FormerAddress.objects.exists()


def test_a_failed_change_of_address_records_no_former_address(db):
    player = player_accounts.get_or_create_player("ann@example.org", now=NOON)
    player_accounts.get_or_create_player("bob@example.org", now=NOON)
    with pytest.raises(ValidationError):
        player_accounts.change_address(player, "bob@example.org")
    assert not FormerAddress.objects.exists()
