"""Until a person accepts a league's invitation, its organisers see only what they typed."""

import re

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction
from django.test import Client
from django.urls import reverse

from beanpost.leagues.admin.seasons import FILES
from beanpost.leagues.mail import invitations
from beanpost.leagues.mail.letters import KeeperTicket
from beanpost.leagues.models import Entry, League, LeagueEvent, Rating, Season
from beanpost.leagues.people import entries
from beanpost.leagues.records import exports
from beanpost.leagues.seasons import keepers, rounds
from beanpost.play.tickets import sign
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.compose.letter import compose
from beanpost.post.mime import split_parts
from beanpost.post.models import Letter
from beanpost.privacy import data_export, erasure
from tests.friends import NOON
from tests.leagues.office import NO_WEBHOOKS, do, fill_season, found_league

pytestmark = pytest.mark.django_db
ADDRESS = "zoe@example.org"
TELLING = ("Zoé Secret", "Asia/Tokyo", "French", "3141.5", "2019")


@pytest.fixture
def zoe():
    """A person who plays elsewhere."""
    player = accounts.get_or_create_player(
        ADDRESS, name="Zoé Secret", language="fr", zone="Asia/Tokyo", now=NOON.replace(year=2019)
    )
    Player.objects.filter(pk=player.pk).update(unreached_at=NOON.replace(year=2019))
    Rating.objects.create(player=player, game="", mu=3141.5, sigma=2, matches=9)
    return player


@pytest.fixture
def season(league):
    return Season.objects.create(league=league, name="Autumn", phase="entering")


def listed(at_olgas, season, typed=ADDRESS):
    assert do(at_olgas, season, "import", people=typed).status_code == 302
    return season.entries.get()


def list_naming_pages(entry):
    """Return the admin pages that name a person in a season."""
    yield reverse("admin:index")
    yield reverse("admin:leagues_entry_changelist")
    yield reverse("admin:leagues_entry_change", args=[entry.pk])
    yield reverse("admin:leagues_entry_history", args=[entry.pk])
    for tab in ("cockpit", "story", "follow_up"):
        yield reverse(f"admin:leagues_season_{tab}", args=[entry.season_id])
    for what, form in FILES:
        if form != "zip":
            yield reverse("admin:leagues_season_export", args=[entry.season_id, what, form])


def list_pages(entry):
    """Return every admin page on which a person in a season may appear."""
    yield from list_naming_pages(entry)
    lists = ("leagues_season", "leagues_league", "leagues_rating", "players_player", "post_letter")
    yield from (reverse(f"admin:{name}_changelist") for name in lists)
    for kind, pk in (("season", entry.season_id), ("league", entry.season.league_id)):
        yield reverse(f"admin:leagues_{kind}_change", args=[pk])
        yield reverse(f"admin:leagues_{kind}_history", args=[pk])
    for action in ("invite", "enter", "substitute", "withdraw"):
        yield reverse("admin:leagues_entry_do", args=[entry.pk, action])
    for action in ("import", "invite", "remind", "close-entries"):
        yield reverse("admin:leagues_season_do", args=[entry.season_id, action])


def shown(client, urls):
    return {url: client.get(url).content.decode() for url in urls}


def betrayed(pages):
    return [(url, word) for url, page in pages.items() for word in TELLING if word in page]


def test_an_organiser_who_types_an_address_sees_no_more_of_that_person(at_olgas, season, zoe):
    entry = listed(at_olgas, season)
    assert do(at_olgas, season, "invite").status_code == 302
    Letter.objects.update(state=Letter.State.FAILED)
    pages = shown(at_olgas, list_pages(entry))
    assert betrayed(pages) == []
    assert f"The invitation to {ADDRESS} couldn’t be delivered." in pages["/admin/"]
    assert at_olgas.get(reverse("admin:players_player_change", args=[zoe.pk])).status_code == 302
    assert do(at_olgas, entry, "invite").status_code == 302
    assert do(at_olgas, entry, "withdraw", reason="A mistake.").status_code == 302
    assert betrayed(shown(at_olgas, list_naming_pages(entry))) == []


def test_a_person_is_shown_by_the_typed_name_and_not_by_their_own(at_olgas, season, zoe):
    entry = listed(at_olgas, season, f"Zoe from work <{ADDRESS}>")
    pages = shown(at_olgas, list_naming_pages(entry))
    assert "Zoe from work" in pages[reverse("admin:leagues_entry_changelist")]
    assert betrayed(pages) == []
    assert exports.list_entries(season)[0] | {"state": ""} == {
        "name": "Zoe from work", "address": ADDRESS, "state": "", "division": "", "rung": 0,
    }  # fmt: skip


def test_a_search_finds_only_typed_names(at_olgas, season, zoe):
    entry = listed(at_olgas, season, f"Zoe from work <{ADDRESS}>")
    for asked, found in (("Secret", False), ("zoé", False), (ADDRESS, True), ("work", True)):
        page = at_olgas.get(reverse("admin:leagues_entry_changelist"), {"q": asked}).content.decode()
        assert (reverse("admin:leagues_entry_change", args=[entry.pk]) in page) == found, asked


def test_a_person_who_accepts_is_shown_in_every_season_of_the_league(at_olgas, season, league, other_league, zoe):
    entry = listed(at_olgas, season)
    entries.accept(entry, now=NOON)
    page = at_olgas.get(reverse("admin:leagues_entry_changelist")).content.decode()
    assert "Zoé Secret" in page
    assert at_olgas.get(reverse("admin:players_player_change", args=[zoe.pk])).status_code == 200
    winter = Season.objects.create(league=league, name="Winter")
    assert entries.add_entry(winter, ADDRESS, now=NOON).called == "Zoé Secret"
    elsewhere = Season.objects.create(league=other_league, name="Winter")
    assert entries.add_entry(elsewhere, ADDRESS, now=NOON).called == ADDRESS


def test_a_person_who_declines_stays_hidden(at_olgas, season, zoe):
    entry = entries.add_entry(season, ADDRESS, now=NOON)
    entries.decline(entry, now=NOON)
    assert betrayed(shown(at_olgas, list_naming_pages(entry))) == []


def without_tokens(page):
    page = re.sub(r'(name="csrfmiddlewaretoken" value=|"csrfToken": |nonce=)"[^"]*"', "", page)
    page = re.sub(r"/history/\d+/", "/history/", page)  # PostgreSQL never reuses a number, even after a rollback
    return re.sub(r"(?<!\d)\d{1,2}:\d\d(:\d\d)?( [ap]\.m\.)?", "", page)


def test_no_admin_page_reveals_whether_an_address_is_known_or_refuses_letters(at_olgas, league):
    worlds = []
    for is_known, refuses in ((False, False), (True, False), (True, True)):
        with transaction.atomic():
            if is_known:
                player = accounts.get_or_create_player(
                    ADDRESS, name="Zoé Secret", language="fr", zone="Asia/Tokyo", now=NOON
                )
                player.unwanted_at, player.unreached_at = NOON if refuses else None, NOON
                player.save()
            season = Season.objects.create(pk=77, league=league, name="Autumn", phase="entering")
            entry = entries.add_entry(season, ADDRESS, now=NOON)
            Entry.objects.filter(pk=entry.pk).update(id=77)
            Entry.objects.exclude(pk=77).delete()
            entry = Entry.objects.get()
            entries.invite_all(season, now=NOON)
            worlds.append({url: without_tokens(page) for url, page in shown(at_olgas, list_pages(entry)).items()})
            transaction.set_rollback(True)
    unknown, known, refusing = worlds
    assert [url for url in unknown if not unknown[url] == known[url] == refusing[url]] == []


def test_a_refused_address_looks_as_if_the_letter_was_sent(season, zoe):
    accounts.refuse_letters(zoe, now=NOON)
    entry = entries.add_entry(season, ADDRESS, now=NOON)
    entries.invite_all(season, now=NOON)
    asked = invitations.annotate_delivery(Entry.objects.filter(pk=entry.pk)).get()
    assert (Letter.objects.count(), invitations.describe_delivery(asked)) == (0, "sent")


def test_a_person_who_was_only_invited_has_no_page_in_the_league(client, season, zoe):
    entry = entries.add_entry(season, ADDRESS, now=NOON)
    url = reverse("league-player", args=[season.league.slug, zoe.pk])
    assert client.get(url).status_code == 404
    entries.accept(entry, now=NOON)
    assert client.get(url).status_code == 200


def test_the_typed_name_is_exported_and_deleted_with_the_player(at_olgas, season, zoe):
    entry = listed(at_olgas, season, f"Zoe from work <{ADDRESS}>")
    assert do(at_olgas, entry, "withdraw", reason="She is Zoe from work.").status_code == 302
    assert data_export.export_data(zoe)["seasons"][0]["typed_name"] == "Zoe from work"
    erasure.erase(zoe, now=NOON)
    entry.refresh_from_db()
    assert (entry.typed_name, entry.typed_address) == ("", "")
    kept = str(list(LeagueEvent.objects.values_list("about", "told", "reason", "changes")))
    assert "Zoe from work" not in kept
    assert ADDRESS not in kept


# ── keepers ──


def describe(league, **changed):
    return {
        "name": league.name, "about": "", "keeper_address": ADDRESS, "language": "en", "games": ["haricots/sprint"],
        "pace": "daily", "own_pace": "", "absence": "usual", "weekly": "approved", **NO_WEBHOOKS,
        **changed,
    }  # fmt: skip


def name_keeper(client, league, **changed):
    page = client.post(reverse("admin:leagues_league_change", args=[league.pk]), describe(league, **changed))
    assert page.status_code == 302, page.context["adminform"].errors
    league.refresh_from_db()


def test_a_keeper_is_asked_by_letter_and_is_not_one_before_accepting(at_olgas, client, league, zoe):
    before = league.keeper
    name_keeper(at_olgas, league)
    assert (league.keeper, league.asked_keeper) == (before, zoe)
    pages = [at_olgas.get(reverse(f"admin:{name}_changelist")).text for name in ("leagues_league", "players_player")]
    pages.append(at_olgas.get(reverse("admin:leagues_league_change", args=[league.pk])).text)
    pages.append(at_olgas.get(reverse("admin:leagues_league_history", args=[league.pk])).text)
    assert not any(word in page for page in pages for word in TELLING)
    assert f"{ADDRESS}, not answered yet" in pages[0]
    letter = Letter.objects.get(kind="keeper")
    url = reverse("keeping", args=[sign(KeeperTicket(zoe.pk, zoe.sessions, league.pk))])
    for body in split_parts(compose(letter, NOON).source)[:2]:
        assert "/keeper/" in body
    client.get(url)
    league.refresh_from_db()
    assert league.keeper == before  # GET changes nothing
    client.post(url, {"accept": "1"})
    league.refresh_from_db()
    assert (league.keeper, league.asked_keeper, league.typed_keeper) == (zoe, None, "")
    assert "Zoé Secret" in at_olgas.get(reverse("admin:leagues_league_changelist")).text


def test_saving_the_page_again_sends_no_second_letter(at_olgas, league, zoe):
    for about in ("One.", "Two."):
        name_keeper(at_olgas, league, about=about)
    assert Letter.objects.filter(kind="keeper").count() == 1
    name_keeper(at_olgas, league, keeper_address=league.keeper.address)
    assert league.asked_keeper is None
    name_keeper(at_olgas, league)
    assert Letter.objects.filter(kind="keeper").count() == 1


def test_an_invitation_to_keep_a_league_ends_when_another_person_is_named(client, league, zoe):
    keepers.ask_to_keep(league, ADDRESS, now=NOON)
    keepers.ask_to_keep(league, "bob@example.org", now=NOON)
    client.post(reverse("keeping", args=[sign(KeeperTicket(zoe.pk, zoe.sessions, league.pk))]), {"accept": "1"})
    league.refresh_from_db()
    assert league.keeper.name == "Kim"


def test_a_keeper_can_decline_and_step_down(client, league, zoe):
    url = reverse("keeping", args=[sign(KeeperTicket(zoe.pk, zoe.sessions, league.pk))])
    keepers.ask_to_keep(league, ADDRESS, now=NOON)
    client.post(url, {"decline": "1"})
    assert not keepers.accept(league, zoe)
    keepers.ask_to_keep(league, ADDRESS, now=NOON)
    assert keepers.accept(league, zoe)
    assert erasure.explain_not_erasable(zoe)
    client.post(url, {"decline": "1"})
    league.refresh_from_db()
    assert league.keeper is None
    assert not erasure.explain_not_erasable(zoe)


def test_a_player_named_as_a_keeper_can_still_be_deleted(league, zoe):
    keepers.ask_to_keep(league, ADDRESS, now=NOON)
    erasure.erase(zoe, now=NOON)
    league.refresh_from_db()
    assert (league.asked_keeper, league.typed_keeper, league.keeper.name) == (None, "", "Kim")


def test_a_new_league_has_no_keeper_until_one_accepts(olga, at_olgas):
    olga.is_superuser = True
    olga.save()
    fresh = League(name="Fresh")
    page = at_olgas.post(reverse("admin:leagues_league_add"), describe(fresh, slug="fresh"))
    assert page.status_code == 302
    league = League.objects.get(slug="fresh")
    assert (league.keeper, league.typed_keeper) == (None, ADDRESS)
    season = fill_season(league, 3, size=3, rounds=1)
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    round_ = season.divisions.get().rounds.get()
    with pytest.raises(ValidationError, match="Confirm your own address first"):
        rounds.publish(round_, now=NOON)
    assert f"We’ve asked {ADDRESS} to decide in this league’s matches" in at_olgas.get("/admin/").text
    invited = entries.add_entry(Season.objects.create(league=league, name="Next"), "bob@example.org", now=NOON)
    entries.invite_all(invited.season, now=NOON)
    assert (
        "Would you like to play in Fresh"
        in split_parts(compose(Letter.objects.get(kind="league_invite"), NOON).source).text
    )
    assert keepers.accept(league, league.asked_keeper)
    round_.refresh_from_db()
    assert rounds.publish(round_, now=NOON) == 1


def test_a_torn_ticket_names_no_keeper(league, zoe):
    keepers.ask_to_keep(league, ADDRESS, now=NOON)
    assert Client().post("/keeper/nonsense/", {"accept": "1"}).status_code == 404
    assert found_league("Pea League").keeper
    league.refresh_from_db()
    assert league.keeper != zoe
