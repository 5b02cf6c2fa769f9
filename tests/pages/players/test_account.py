"""Your details: the personal page, a new address, and unsubscribing."""

import re
from urllib.parse import urlsplit

import pytest

from beanpost.pages.forms.fields import list_time_zones
from beanpost.play import clock
from beanpost.play.tickets import (
    AddressTicket,
    LaterAddressTicket,
    LetterSettingsTicket,
    PlayerTicket,
    SettingsTicket,
    WayBackTicket,
    redeem,
)
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.post.outbox import claims, queue
from tests.friends import NOON
from tests.pages.table import link

pytestmark = pytest.mark.django_db


WISHES = {"how_often": "every", "digest_hour": "8", "language": "en", "zone": "UTC"}


def text(response) -> str:
    return response.content.decode()


@pytest.fixture
def ann():
    return accounts.get_or_create_player("ann@example.org", name="Ann", now=NOON)


def test_the_link_in_a_letter_only_sends_another_letter_and_shows_no_address(client, ann):
    address = link("me", PlayerTicket(ann.pk))
    for page in (client.get(address), client.post(address)):
        assert "ann@example.org" not in text(page)
    assert [letter.kind for letter in Letter.objects.all()] == ["settings"]


def test_time_zones_are_listed_by_city_and_an_older_choice_stays(client, ann):
    offered = dict(list_time_zones())
    assert {"UTC", "Europe/Paris", "America/Argentina/Buenos_Aires"} <= offered.keys()
    assert not {"localtime", "Factory", "Etc/GMT+5", "US/Eastern"} & offered.keys()
    Player.objects.filter(pk=ann.pk).update(zone="US/Eastern")
    ann.refresh_from_db()
    address = link("settings", SettingsTicket(ann.pk, ann.sessions))
    assert '<option value="US/Eastern" selected>' in client.get(address).content.decode()
    assert client.post(address, WISHES | {"name": "Ann", "zone": "US/Eastern"}).status_code == 200


def test_the_details_page_changes_name_language_and_time_zone(client, ann):
    address = link("settings", SettingsTicket(ann.pk, ann.sessions))
    assert "ann@example.org" in text(client.get(address))
    page = client.post(address, WISHES | {"name": " Anne ", "language": "fr", "zone": "Europe/Paris"})
    assert page.status_code == 200
    assert '<html lang="fr">' in text(page)
    ann.refresh_from_db()
    assert (ann.name, ann.language, ann.zone) == ("Anne", "fr", "Europe/Paris")


@pytest.mark.parametrize(
    "typed",
    [
        {"name": "", "language": "fr", "zone": "UTC"},
        {"name": "Ann", "language": "xx", "zone": "UTC"},
        {"name": "Ann", "language": "fr", "zone": "Mars/Olympus"},
        {"name": "Ann\0", "language": "fr", "zone": "UTC"},
        {"name": "A\ue000nnA", "language": "fr", "zone": "UTC"},
        {"address": "nowhere"},
        {},
    ],
)
def test_an_error_is_shown_and_nothing_is_changed(typed, client, ann, everything):
    before = everything()
    page = client.post(
        link("settings", SettingsTicket(ann.pk, ann.sessions)), typed if "address" in typed else WISHES | typed
    )
    assert page.status_code == 400
    assert "errorlist" in text(page)
    assert everything() == before


def test_signing_out_everywhere_ends_a_forwarded_letters_link(client, ann):
    address = link("settings", SettingsTicket(ann.pk, ann.sessions))
    accounts.sign_out_everywhere(ann)
    for page in (client.get(address), client.post(address, {"address": "thief@beans.example"})):
        assert page.status_code == 410
        assert "ann@example.org" not in text(page)
    assert not Letter.objects.exists()


def test_a_new_address_gets_a_letter_before_anything_changes(client, ann):
    client.post(link("settings", SettingsTicket(ann.pk, ann.sessions)), {"address": "Anne@beans.example"})
    [letter] = Letter.objects.all()
    assert (letter.kind, letter.values["to"]) == ("address", "anne@beans.example")
    written = redeem(AddressTicket, letter.values["ticket"])
    assert written == AddressTicket(ann.pk, ann.sessions, ann.address, "anne@beans.example")
    ann.refresh_from_db()
    assert ann.address == "ann@example.org"


def test_the_link_sent_there_changes_the_address_and_notifies_the_old_one(client, ann):
    address = link("address", AddressTicket(ann.pk, ann.sessions, ann.address, "anne@beans.example"))
    assert "Use anne@beans.example for your letters" in text(client.get(address))
    for _ in range(2):
        assert "Your address has changed" in text(client.post(address))
    ann.refresh_from_db()
    assert ann.address == "anne@beans.example"
    new_links, notice = Letter.objects.order_by("kind")
    assert (new_links.kind, new_links.target_address) == ("lost", "anne@beans.example")
    assert (notice.kind, notice.values["to"]) == ("moved_address", "ann@example.org")


def test_a_letter_that_is_being_written_goes_to_the_new_address(client, ann):
    queue.queue(ann, "settings", "settings/1", now=clock.now())
    [letter] = claims.claim(clock.now(), 1)
    client.post(link("address", AddressTicket(ann.pk, ann.sessions, ann.address, "anne@beans.example")))
    assert not claims.find_held(letter).exists()
    again = next(one for one in claims.claim(clock.now(), 2) if one.pk == letter.pk)
    assert again.target_address == "anne@beans.example"


def test_signing_out_everywhere_ends_the_link_to_a_new_address_but_not_the_one_back(client, ann):
    there = link("address", AddressTicket(ann.pk, ann.sessions, ann.address, "thief@beans.example"))
    accounts.sign_out_everywhere(ann)
    for page in (client.get(there), client.post(there)):
        assert page.status_code == 410
    ann.refresh_from_db()
    assert ann.address == "ann@example.org"
    accounts.change_address(ann, "thief@beans.example")
    accounts.sign_out_everywhere(ann)
    client.post(link("address-back", WayBackTicket(ann.pk, "thief@beans.example", "ann@example.org")))
    ann.refresh_from_db()
    assert ann.address == "ann@example.org"


def test_another_players_address_cannot_be_taken(client, ann):
    accounts.get_or_create_player("bob@example.org", now=NOON)
    page = client.post(link("address", AddressTicket(ann.pk, ann.sessions, ann.address, "bob@example.org")))
    assert page.status_code == 409
    assert "Another player already uses this address." in text(page)
    ann.refresh_from_db()
    assert ann.address == "ann@example.org"


def test_a_letter_about_an_older_address_no_longer_works(client, ann):
    page = client.post(link("address", AddressTicket(ann.pk, ann.sessions, "before@example.org", "anne@beans.example")))
    assert page.status_code == 409
    ann.refresh_from_db()
    assert ann.address == "ann@example.org"


def test_a_ticket_of_an_unknown_player_is_unreadable(client):
    assert client.get(link("me", PlayerTicket(99))).status_code == 404


# ── letter settings ──


def test_every_setting_can_be_changed_through_the_link_in_a_letter(client, ann):
    typed = {"how_often": "daily", "digest_hour": "19", "language": "fr", "zone": "Asia/Tokyo", "text_only": "on",
             "calendar": "on", "follows_rounds": "on"}  # fmt: skip
    page = client.post(link("wishes", LetterSettingsTicket(ann.pk, ann.sessions)), typed)
    assert page.status_code == 200
    assert '<html lang="fr">' in text(page)
    ann.refresh_from_db()
    assert (ann.how_often, ann.digest_hour, ann.language, ann.zone) == ("daily", 19, "fr", "Asia/Tokyo")
    assert (ann.text_only, ann.calendar, ann.hears_notes, ann.follows_rounds) == (True, True, False, True)
    assert ann.digest_at.astimezone(ann.tz).hour == 19


def test_the_settings_page_shows_neither_name_nor_address_nor_feed(client, ann):
    page = text(client.get(link("wishes", LetterSettingsTicket(ann.pk, ann.sessions))))
    assert "Ann" not in page
    assert "ann@example.org" not in page
    assert "webcal:" not in page


def test_a_player_who_forwarded_a_letter_can_end_its_link(client, ann, everything):
    address = link("wishes", LetterSettingsTicket(ann.pk, ann.sessions))
    accounts.sign_out_everywhere(ann)
    before = everything()
    for page in (client.get(address), client.post(address, WISHES)):
        assert page.status_code == 410
    assert everything() == before


@pytest.mark.parametrize("wrong", [{"how_often": "hourly"}, {"digest_hour": "24"}, {"digest_hour": "eight"}])
def test_an_invalid_setting_is_refused(wrong, client, ann, everything):
    before = everything()
    page = client.post(link("wishes", LetterSettingsTicket(ann.pk, ann.sessions)), WISHES | wrong)
    assert page.status_code == 400
    assert "errorlist" in text(page)
    assert everything() == before


def test_a_new_feed_ends_the_old_one(client, ann):
    address = link("settings", SettingsTicket(ann.pk, ann.sessions))
    before, after = (re.findall(r"webcal:[^\"<]+", text(page))[0] for page in
                     (client.get(address), client.post(address, {"renew_feed": "1"})))  # fmt: skip
    assert before != after
    assert client.get(urlsplit(before).path).status_code == 410
    assert client.get(urlsplit(after).path).status_code == 200


# ── unreachable players ──


def test_an_unreachable_player_asks_for_another_address_from_any_letter(client, ann):
    accounts.mark_unreached(ann, now=NOON)
    address = link("wishes", LetterSettingsTicket(ann.pk, ann.sessions))
    assert "ann@example.org" not in text(client.get(address))
    assert "anne@beans.example" in text(client.post(address, {"address": "anne@beans.example"}))
    letter = Letter.objects.get()
    assert (letter.kind, letter.values["to"]) == ("address", "anne@beans.example")
    written = redeem(LaterAddressTicket, letter.values["ticket"])
    assert written == LaterAddressTicket(ann.pk, ann.sessions, ann.address, "anne@beans.example")


def test_an_invalid_address_is_asked_for_again(client, ann):
    accounts.mark_unreached(ann, now=NOON)
    page = client.post(link("wishes", LetterSettingsTicket(ann.pk, ann.sessions)), {"address": "nowhere"})
    assert page.status_code == 400
    assert not Letter.objects.exists()


def test_a_reachable_player_needs_a_fresh_letter_for_that(client, ann):
    address = link("wishes", LetterSettingsTicket(ann.pk, ann.sessions))
    assert 'name="address"' not in text(client.get(address))
    client.post(address, {"address": "anne@beans.example"})
    assert not Letter.objects.exists()
