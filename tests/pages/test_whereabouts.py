"""Language and time zone: from the browser, kept by a cookie or in the player's row, changed in one press."""

import pytest
from django.test import Client
from django.urls import reverse

from beanpost.play.seats import opening
from beanpost.play.tickets import JoinTicket, WhereaboutsTicket
from beanpost.players import accounts
from beanpost.players.models import Player
from tests.browser import click_through
from tests.friends import NOON, gather, seat_friends
from tests.pages.gallery import plan, signed_in
from tests.pages.table import asked, link, seat_link, table_link

pytestmark = pytest.mark.django_db

PARIS = "Europe/Paris"
WHEREABOUTS = "/whereabouts/"


@pytest.fixture
def ann():
    return accounts.get_or_create_player("ann@example.org", name="Ann", now=NOON)


def test_the_footer_switches_the_language_of_a_stranger_for_good():
    client = Client()
    assert f'href="{WHEREABOUTS}?language=fr"' in client.get("/rules/").content.decode()
    offered = client.get(WHEREABOUTS, {"language": "fr"}, headers={"Referer": "http://testserver/rules/"})
    assert 'lang="fr"' in offered.content.decode()
    assert 'name="next" value="/rules/"' in offered.content.decode()
    answer = client.post(WHEREABOUTS, {"language": "fr", "next": "/rules/"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/rules/")
    assert '<html lang="fr">' in client.get("/").content.decode()


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", ""])
def test_the_switch_leads_to_no_other_site(elsewhere):
    assert Client().post(WHEREABOUTS, {"language": "fr", "next": elsewhere}).headers["Location"] == "/"


@pytest.mark.parametrize("referer", ["http://[", "http://ex\u2100ample/", "//evil.example//evil.example/", "\x00"])
def test_an_odd_referer_breaks_nothing_and_leads_to_no_other_site(referer):
    client = Client()
    shown = client.get(WHEREABOUTS, headers={"Referer": referer})
    assert shown.status_code == 200
    offered = shown.content.decode().split('name="next" value="')[1].split('"')[0]
    assert client.post(WHEREABOUTS, {"language": "fr", "next": offered}).headers["Location"] == "/"


def of(player) -> str:
    return link("whereabouts-of", WhereaboutsTicket(player.pk, player.sessions))


def test_a_ticket_page_switches_its_players_language(client):
    match = seat_friends()
    page = client.get(table_link(match)).content.decode()
    client.post(page.split('lang="fr" href="')[1].split("?")[0], {"language": "fr"})
    assert '<html lang="fr">' in client.get(table_link(match)).content.decode()
    assert Player.objects.filter(language="fr").count() == 1


def test_signing_out_everywhere_voids_the_switch_of_older_pages(client, ann):
    older = of(ann)
    accounts.sign_out_everywhere(ann)
    assert client.post(older, {"zone": PARIS}).status_code == 410
    ann.refresh_from_db()
    assert ann.zone == "UTC"


def test_unknown_languages_and_zones_are_not_saved(client, ann):
    assert client.post(of(ann), {"zone": "../etc/passwd", "language": "xx"}).status_code == 400
    client.cookies["zone"] = "../etc/passwd"
    assert client.get("/").status_code == 200
    ann.refresh_from_db()
    assert (ann.zone, ann.language, ann.zone_asked) == ("UTC", "en", False)


def test_a_player_is_asked_for_the_zone_until_they_have_settled_it(client):
    match = seat_friends()
    player = asked(match).place.player
    assert "Where are you?" in client.get(table_link(match)).content.decode()
    client.post(of(player), {"zone": "UTC", "language": "en"})
    assert "Where are you?" not in client.get(table_link(match)).content.decode()


def test_joining_takes_zone_and_language_from_the_form(client, ann):
    table = opening.open_match(plan(ann), ann, now=NOON)
    client.post(
        reverse("join", args=[table.code]),
        {"name": "Dora", "address": "dora@example.org", "zone": PARIS, "language": "fr"},
    )
    dora = Player.objects.get(address="dora@example.org")
    assert (dora.zone, dora.language, dora.zone_asked) == (PARIS, "fr", True)
    client.post(
        link("joining", JoinTicket(dora.pk, dora.sessions, table.pk)), {"zone": "Europe/Rome", "language": "en"}
    )
    dora.refresh_from_db()
    assert (dora.zone, dora.language) == ("Europe/Rome", "en")


def test_nobody_changes_the_zone_of_a_player_by_typing_their_address(client, ann):
    table = opening.open_match(plan(ann), ann, now=NOON)
    client.post(
        reverse("join", args=[table.code]), {"name": "X", "address": ann.address, "zone": PARIS, "language": "fr"}
    )
    ann.refresh_from_db()
    assert (ann.zone, ann.language) == ("UTC", "en")


def test_accepting_an_invitation_settles_the_zone(client):
    place = gather().places.get(seat=1)
    client.post(seat_link("ready", place), {"name": "Bob", "zone": PARIS, "language": "en"})
    place.player.refresh_from_db()
    assert place.player.zone == PARIS


# ── in a browser ──


@pytest.fixture
def parisian(new_context):
    return new_context(timezone_id=PARIS, locale="fr-FR").new_page()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_browser_without_cookies_loads_a_page_once(parisian, live_server):
    parisian.add_init_script("Object.defineProperty(document, 'cookie', {get: () => '', set: () => {}})")
    loaded = []
    parisian.on("request", lambda request: loaded.append(request) if request.is_navigation_request() else None)
    parisian.goto(live_server.url + reverse("match", args=[seat_friends().code]))
    parisian.wait_for_timeout(1000)
    assert len(loaded) == 1


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_visitor_from_paris_sees_no_utc(parisian, live_server):
    match = seat_friends()
    dora = accounts.get_or_create_player("dora@example.org", name="Dora", language="fr", now=NOON)
    ann = Player.objects.get(address="ann@example.org")
    pages = [reverse("match", args=[match.code]), reverse("moment", args=[match.code, 1]), table_link(match), "/"]
    pages += [reverse("sign-in"), link("opening", plan(dora)), seat_link("ready", gather().places.get(seat=1))]
    for path in pages:
        parisian.goto(live_server.url + path)
        parisian.wait_for_load_state("networkidle")
        shown = parisian.locator("body").evaluate("body => body.innerText")
        chosen = parisian.locator("select[name=zone]")
        assert "(UTC)" not in shown, path
        if chosen.count():
            assert chosen.first.input_value() == PARIS
    parisian.context.add_cookies([signed_in(ann, live_server.url)])
    parisian.goto(live_server.url + reverse("my-games"))
    click_through(parisian.locator("#ask-zone a"))
    assert parisian.locator("select[name=zone]").input_value() == PARIS
    click_through(parisian.locator("main form button"))
    parisian.wait_for_url("**/my/")
    ann.refresh_from_db()
    assert (ann.zone, ann.zone_asked) == (PARIS, True)


def test_deadlines_on_pages_are_told_in_the_readers_own_time(client):
    match = seat_friends()
    Player.objects.update(zone=PARIS)
    assert "Tue 17 Nov, 13:00 your time" in client.get(table_link(match)).content.decode()
    Player.objects.update(zone="UTC")
    assert "Tue 17 Nov, 12:00 (UTC)" in client.get(table_link(match)).content.decode()
