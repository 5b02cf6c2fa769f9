"""A league's news goes to its webhooks: public facts, once, signed, to public addresses."""

import hashlib
import hmac
import json
import socket
import time
from contextlib import suppress
from datetime import timedelta
from http.client import HTTPException
from threading import Thread
from xml.etree import ElementTree

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from beanpost.leagues.admin.forms import WebhookForm
from beanpost.leagues.models import League, Round, Webhook, WebhookCall
from beanpost.leagues.records.news import list_news
from beanpost.leagues.webhooks import calls, https, payloads
from beanpost.players.models import Player
from tests.friends import NOON
from tests.leagues.office import season_after_one_round

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(minutes=5)


class Chat:
    """Stands in for the network: notes what is posted, and answers with a status or an error."""

    def __init__(self):
        self.posts, self.answer = [], 204

    def post(self, url, body, headers):
        self.posts.append((url, body, headers))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture
def chat(monkeypatch):
    chat = Chat()
    monkeypatch.setattr(https, "post", chat.post)
    return chat


@pytest.fixture
def season():
    return season_after_one_round()


@pytest.fixture
def webhook(season):
    hook = Webhook.objects.create(league=season.league, url="https://chat.example/hook/1", format="json")
    Webhook.objects.update(created_at=NOON - timedelta(hours=1))
    hook.refresh_from_db()
    return hook


def test_news_tell_public_facts_only(season):
    news = list_news(season.league)
    assert {each.kind for each in news} >= {"result", "round"}
    assert "example.org" not in str(news)
    assert all("round 2" not in each.title for each in news), "a round that was only drawn is still secret"


def test_each_piece_of_news_is_sent_once(chat, webhook):
    expected = len(list_news(webhook.league))
    assert calls.send_due_calls(LATER) == expected > 0
    assert calls.send_due_calls(LATER + timedelta(minutes=1)) == 0
    assert len(chat.posts) == expected
    kinds = {json.loads(body)["event"] for _url, body, _headers in chat.posts}
    assert kinds <= {"result", "round", "standings"}


def test_every_call_is_signed(chat, webhook):
    calls.send_due_calls(LATER)
    url, body, headers = chat.posts[0]
    assert url == webhook.url
    proof = hmac.new(webhook.secret.encode(), body, hashlib.sha256).hexdigest()
    assert headers["X-Beanpost-Signature"] == f"sha256={proof}"


def test_only_wanted_news_is_sent(chat, webhook):
    Webhook.objects.update(results=False)
    calls.send_due_calls(LATER)
    assert {json.loads(body)["event"] for _url, body, _headers in chat.posts} == {"round"}


def test_a_failed_call_is_repeated_with_the_same_bytes(chat, webhook):
    Webhook.objects.update(results=False)
    chat.answer = 503
    assert calls.send_due_calls(LATER) == 0
    assert WebhookCall.objects.get().error == "503"
    assert calls.send_due_calls(LATER) == 0
    assert len(chat.posts) == 1, "it waits before it tries again"
    chat.answer = 204
    assert calls.send_due_calls(LATER + timedelta(minutes=2)) == 1
    assert chat.posts[0][1] == chat.posts[1][1]


def test_the_leagues_page_says_in_words_why_news_could_not_be_sent(admin_client, chat, webhook):
    Webhook.objects.update(results=False)
    page = reverse("admin:leagues_league_change", args=[webhook.league_id])
    chat.answer = socket.gaierror()
    calls.send_due_calls(LATER)
    assert "the last news could not be sent: no server has this name" in admin_client.get(page).content.decode()
    WebhookCall.objects.update(error="503")
    assert "the last news could not be sent: 503" in admin_client.get(page).content.decode()


def test_a_redirect_is_not_followed(chat, webhook):
    chat.answer = 302
    assert calls.send_due_calls(LATER) == 0
    assert not WebhookCall.objects.filter(state=WebhookCall.State.SENT).exists()


def test_a_webhook_that_keeps_failing_is_switched_off(chat, webhook, monkeypatch):
    monkeypatch.setattr(calls, "MAX_FAILURES", 1)
    chat.answer = https.PrivateAddress()
    calls.send_due_calls(LATER)
    webhook.refresh_from_db()
    assert not webhook.active
    count = len(chat.posts)
    calls.send_due_calls(LATER + timedelta(hours=1))
    assert len(chat.posts) == count


def test_a_webhook_gets_a_limited_number_of_calls_an_hour(chat, webhook, monkeypatch):
    monkeypatch.setattr(calls, "MAX_AN_HOUR", 1)
    assert calls.send_due_calls(LATER) == 1
    assert calls.send_due_calls(LATER + timedelta(minutes=1)) == 0


def test_the_host_can_switch_webhooks_off(chat, webhook, settings):
    settings.OUTGOING_WEBHOOKS = False
    assert calls.send_due_calls(LATER) == 0
    assert not chat.posts


def test_news_from_before_the_webhook_is_not_told(chat, webhook):
    Webhook.objects.update(created_at=LATER)
    Round.objects.exclude(published_at=None).update(published_at=NOON)
    calls.send_due_calls(LATER + timedelta(minutes=1))
    assert all(json.loads(body)["event"] != "round" for _url, body, _headers in chat.posts)


@pytest.mark.parametrize("kind", ["discord", "slack"])
def test_a_player_cannot_call_everybody_in_a_chat(season, kind):
    player = season.entries.first().player
    player.name = "@everyone <!channel>"
    player.save()
    hook = Webhook(league=season.league, format=kind)
    bodies = [json.loads(payloads.build_body(hook, each)) for each in list_news(season.league)]
    if kind == "discord":
        assert all(each["allowed_mentions"] == {"parse": []} for each in bodies)
    else:
        assert "<!channel>" not in json.dumps(bodies)


@pytest.mark.parametrize("url", ["http://chat.example/", "ftp://chat.example/", "https://", "chat.example"])
def test_only_https_is_accepted(season, url):
    with pytest.raises(ValidationError):
        Webhook(league=season.league, url=url).full_clean()


PRIVATE = [
    "127.0.0.1",
    "10.0.0.8",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "::1",
    "fe80::1",
    "fec0::1",
]
STANDING_FOR_IPV4 = ["::ffff:10.0.0.8", "::10.0.0.8", "64:ff9b::a00:8", "2002:a00:8::1", "2001:0:a00:8::1"]


@pytest.mark.parametrize("address", [*PRIVATE, *STANDING_FOR_IPV4])
def test_a_name_that_leads_to_a_private_address_is_refused_before_connecting(monkeypatch, address):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    answer = [(family, socket.SOCK_STREAM, 6, "", (address, 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answer)
    monkeypatch.setattr(socket, "create_connection", lambda *_, **__: pytest.fail("it connected"))
    with pytest.raises(https.PrivateAddress):
        https.post("https://chat.example/hook", b"{}", {})


@pytest.mark.parametrize(
    "url",
    [
        "http://chat.example/hook",
        "https://ann:pinto@chat.example/hook",
        "https://chat.example:22/",
        "https://chat.example:99999/",
    ],
)
def test_a_url_without_https_with_a_password_or_with_another_services_port_is_refused(league, url):
    form = WebhookForm({"url": url, "active": "on"})
    assert not form.is_valid()
    assert "Use an https:// address" in str(form.errors["url"])
    with pytest.raises(ValueError):
        https.post(url, b"{}", {})


@pytest.mark.parametrize(
    "url", ["https://chat.example/hook", "https://chat.example:443/", "https://chat.example:8065/"]
)
def test_the_usual_ports_are_accepted(league, url):
    assert WebhookForm({"url": url, "active": "on"}).is_valid()


def drip(door):
    """Answer the first caller one byte at a time, without end."""
    caller, _where = door.accept()
    with caller, suppress(OSError):
        while True:
            caller.sendall(b"H")
            time.sleep(0.05)


def test_a_server_that_drips_its_answer_holds_no_worker(monkeypatch):
    connect = socket.create_connection
    with socket.create_server(("127.0.0.1", 0)) as door:
        server = Thread(target=drip, args=[door])
        server.start()
        here = door.getsockname()
        monkeypatch.setattr(https.PublicConnection, "connect", lambda self: setattr(self, "sock", connect(here, 10)))
        monkeypatch.setattr(https, "MAX_SECONDS", 0.4)
        began = time.monotonic()
        with pytest.raises((OSError, HTTPException)):
            https.post("https://chat.example/hook", b"{}", {})
        assert time.monotonic() - began < 5
        server.join()


def test_another_address_of_the_name_is_tried_if_the_first_does_not_answer(monkeypatch):
    tried = []

    def connect(where, _timeout):
        tried.append(where[0])
        if ":" in where[0]:
            raise OSError("no IPv6 here")
        raise ConnectionRefusedError

    found = [(0, 0, 6, "", (address, 443)) for address in ("2606:2800:220:1::1", "93.184.216.34")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(ConnectionRefusedError):
        https.post("https://chat.example/hook", b"{}", {})
    assert tried == ["2606:2800:220:1::1", "93.184.216.34"]


def test_a_webhook_that_is_switched_on_again_gets_as_many_tries_as_a_new_one(webhook):
    Webhook.objects.update(active=False, failures=calls.MAX_FAILURES)
    webhook.refresh_from_db()
    assert WebhookForm({"url": webhook.url, "active": "on"}, instance=webhook).save().failures == 0


def test_a_forged_form_adds_no_more_webhooks_than_the_page_offers(at_olgas, league):
    page = reverse("admin:leagues_league_change", args=[league.pk])
    form = at_olgas.get(page).context["adminform"].form
    sent = {name: value for name, value in form.initial.items() if value is not None and name in form.fields}
    rows = {f"webhooks-{n}-url": f"https://chat.example/{n}" for n in range(9)}
    rows |= {f"webhooks-{n}-format": "json" for n in range(9)}
    at_olgas.post(page, sent | rows | {"webhooks-TOTAL_FORMS": 9, "webhooks-INITIAL_FORMS": 0})
    assert not Webhook.objects.exists()
    few = {name: value for name, value in rows.items() if name.split("-")[1] in "01"}
    at_olgas.post(page, sent | few | {"webhooks-TOTAL_FORMS": 2, "webhooks-INITIAL_FORMS": 0})
    assert Webhook.objects.count() == 2


def test_the_atom_feed_tells_the_same_news(client, season):
    answer = client.get(reverse("league-atom", args=[season.league.slug]))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("application/atom+xml")
    shown = answer.content.decode()
    assert all(f"#{each.key}" in shown for each in list_news(season.league))
    assert "example.org" not in shown


def test_a_feed_leaves_out_characters_that_xml_does_not_know(client, season):
    """Text copied from a word processor has vertical tabs in it."""
    League.objects.update(about="Beans\x0bfor \x1ball", name="Bean\x0b League")
    for name in ("league-atom", "league-feed"):
        answer = client.get(reverse(name, args=[season.league.slug]))
        assert answer.status_code == 200
        assert not set("\x0b\x1b") & set(answer.content.decode())


def test_a_name_with_html_in_it_is_shown_as_it_was_typed(client, season):
    Player.objects.update(name="<b>Bea")
    for name in ("league-atom", "league-feed"):
        feed = ElementTree.fromstring(client.get(reverse(name, args=[season.league.slug])).content)
        told = [each.text or "" for each in feed.iter() if each.tag.endswith(("summary", "description"))]
        assert any("&lt;b&gt;Bea" in text for text in told)
        assert not any("<b>" in text for text in told)


def test_an_organiser_sees_the_webhooks_of_their_own_league_only(at_olgas, league, other_league, settings):
    page = reverse("admin:leagues_league_change", args=[league.pk])
    assert "webhooks-TOTAL_FORMS" in at_olgas.get(page).content.decode()
    other = reverse("admin:leagues_league_change", args=[other_league.pk])
    assert "webhooks-TOTAL_FORMS" not in at_olgas.get(other, follow=True).content.decode()
    settings.OUTGOING_WEBHOOKS = False
    assert "webhooks-TOTAL_FORMS" not in at_olgas.get(page).content.decode()
