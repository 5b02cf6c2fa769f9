"""A league's news goes to its webhooks: public facts, once, signed, to services that the host has listed."""

import dataclasses
import hashlib
import hmac
import json
import socket
import time
import tracemalloc
from contextlib import suppress
from datetime import timedelta
from threading import Event, Thread
from xml.etree import ElementTree

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core.exceptions import ValidationError
from django.urls import reverse

from beanpost.celery import app
from beanpost.leagues import tasks
from beanpost.leagues.admin.forms import WebhookForm
from beanpost.leagues.models import League, Round, Webhook, WebhookCall
from beanpost.leagues.records.news import NewsItem, list_news
from beanpost.leagues.webhooks import calls, https, payloads, threads
from beanpost.management.commands import serve
from beanpost.monitoring import counters
from beanpost.play import clock
from beanpost.players.models import Player
from tests.friends import NOON
from tests.leagues.office import season_after_one_round

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(minutes=5)


class Chat:
    """Stands in for the network: notes what is posted, and answers with a status or an error."""

    def __init__(self):
        self.posts, self.answer, self.meanwhile = [], 204, lambda: None

    def post(self, url, body, headers):
        self.posts.append((url, body, headers))
        self.meanwhile()
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


def send_due(now):
    """Do what the tasks do in a minute. Return how many calls were taken."""
    calls.queue_all_news(now)
    return sum(sum(iter(lambda pk=pk: calls.send_next_call(pk, now), False)) for pk in calls.list_due_webhooks(now))


@pytest.fixture(autouse=True)
def listed(settings):
    settings.OUTGOING_WEBHOOK_HOSTS = ["discord.com", "hooks.slack.com", "chat.example"]


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
    assert send_due(LATER) == expected > 0
    assert send_due(LATER + timedelta(minutes=1)) == 0
    assert len(chat.posts) == expected
    kinds = {json.loads(body)["event"] for _url, body, _headers in chat.posts}
    assert kinds <= {"result", "round", "standings"}


def test_every_call_is_signed(chat, webhook):
    send_due(LATER)
    url, body, headers = chat.posts[0]
    assert url == webhook.url
    proof = hmac.new(webhook.secret.encode(), body, hashlib.sha256).hexdigest()
    assert headers["X-Beanpost-Signature"] == f"sha256={proof}"


def test_only_wanted_news_is_sent(chat, webhook):
    Webhook.objects.update(results=False)
    send_due(LATER)
    assert {json.loads(body)["event"] for _url, body, _headers in chat.posts} == {"round"}


def test_a_failed_call_is_repeated_with_the_same_bytes(chat, webhook):
    Webhook.objects.update(results=False)
    chat.answer = 503
    assert send_due(LATER) == 0
    assert WebhookCall.objects.get().error == "503"
    assert send_due(LATER) == 0
    assert len(chat.posts) == 1, "it waits before it tries again"
    chat.answer = 204
    assert send_due(LATER + timedelta(minutes=2)) == 1
    assert chat.posts[0][1] == chat.posts[1][1]


def test_the_leagues_page_says_in_words_why_news_could_not_be_sent(admin_client, chat, webhook):
    Webhook.objects.update(results=False)
    page = reverse("admin:leagues_league_change", args=[webhook.league_id])
    chat.answer = ConnectionError()
    send_due(LATER)
    assert "the last news could not be sent: the server can’t be reached" in admin_client.get(page).content.decode()
    WebhookCall.objects.update(error="503")
    assert "the last news could not be sent: 503" in admin_client.get(page).content.decode()


def test_a_redirect_counts_as_a_failure(chat, webhook):
    chat.answer = 302
    assert send_due(LATER) == 0
    assert not WebhookCall.objects.filter(state=WebhookCall.State.SENT).exists()


def test_a_webhook_that_keeps_failing_is_switched_off(chat, webhook, monkeypatch):
    monkeypatch.setattr(calls, "MAX_FAILURES", 1)
    monkeypatch.setattr(calls, "MAX_ATTEMPTS", 1)
    chat.answer = ConnectionError()
    send_due(LATER)
    webhook.refresh_from_db()
    assert not webhook.active
    count = len(chat.posts)
    send_due(LATER + timedelta(hours=1))
    assert len(chat.posts) == count


def test_a_webhook_gets_a_limited_number_of_calls_an_hour(chat, webhook, monkeypatch):
    monkeypatch.setattr(calls, "MAX_AN_HOUR", 1)
    assert send_due(LATER) == 1
    assert send_due(LATER + timedelta(minutes=1)) == 0


def test_the_host_can_switch_webhooks_off(chat, webhook, settings):
    settings.OUTGOING_WEBHOOKS = False
    assert send_due(LATER) == 0
    assert not chat.posts


def test_news_from_before_the_webhook_is_not_told(chat, webhook):
    Webhook.objects.update(created_at=LATER)
    Round.objects.exclude(published_at=None).update(published_at=NOON)
    send_due(LATER + timedelta(minutes=1))
    assert all(json.loads(body)["event"] != "round" for _url, body, _headers in chat.posts)


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        ("discord", "\\[Free\\]\\(https://evil.example\\) \\*\\*beats\\*\\* \\_\\~\\~\\`all\\`\\~\\~\\_"),
        ("slack", "［Free］(https://evil.example) ＊＊beats＊＊ ＿～～｀all｀～～＿"),
    ],
)
def test_no_name_is_a_link_or_markdown_in_a_chat(kind, shown):
    text = "[Free](https://evil.example) **beats** _~~`all`~~_"
    news = NewsItem("result", "1", NOON, "Table 1", text, "https://beans.example/a_league")
    body = payloads.WRITERS[kind](Webhook(league=League(name="Beans"), format=kind), news)
    assert shown in body.get("content", body.get("text"))
    assert body.get("mrkdwn", False) is False
    assert body.get("content", body.get("text")).rstrip(">").endswith("https://beans.example/a_league")
    long = dataclasses.replace(news, text="*" * 5_000)
    assert len(payloads.WRITERS["discord"](Webhook(league=League(name="Beans")), long)["content"]) < 2_000


def test_no_name_is_a_heading_or_a_tag_in_mattermost():
    news = NewsItem("round", "1", NOON, "Round 1", "# Ann – #beans – a|b – \\", "https://beans.example/")
    text = payloads.WRITERS["slack"](Webhook(league=League(name="Beans")), news)["text"]
    assert "＃ Ann – ＃beans – a｜b – ＼" in text


@pytest.mark.parametrize("kind", ["discord", "slack"])
def test_no_name_begins_a_list_or_is_a_picture_in_a_chat(kind):
    news = NewsItem("round", "1", NOON, "Round 1", "- x – :+1:\n+ y – :bean::bean: 12:30", "https://beans.example/")
    body = payloads.WRITERS[kind](Webhook(league=League(name="Beans"), format=kind), news)
    lines = body.get("content", body.get("text")).splitlines()
    assert lines[:3] == ["Beans: Round 1", "\u200b- x – :\u200b+1:", "\u200b+ y – :\u200bbean::\u200bbean: 12:30"]


def test_no_name_calls_everybody_in_mattermost():
    news = NewsItem("result", "1", NOON, "Table 1", "@channel beats @all", "https://beans.example/")
    text = payloads.WRITERS["slack"](Webhook(league=League(name="Beans")), news)["text"]
    assert "@\u200bchannel beats @\u200ball" in text


@pytest.mark.parametrize("kind", ["discord", "slack"])
def test_a_player_cannot_call_everybody_in_a_chat(season, kind):
    player = season.entries.first().player
    player.name = "@everyone <!channel>"
    player.save()
    hook = Webhook(league=season.league, format=kind)
    bodies = [json.loads(payloads.build_body(hook, each)) for each in list_news(season.league)]
    assert "everyone" in json.dumps(bodies)
    if kind == "discord":
        assert all(each["allowed_mentions"] == {"parse": []} for each in bodies)
    else:
        assert "<!channel>" not in json.dumps(bodies)


@pytest.mark.parametrize("url", ["http://chat.example/", "ftp://chat.example/", "https://", "chat.example"])
def test_only_https_is_accepted(season, url):
    with pytest.raises(ValidationError):
        Webhook(league=season.league, url=url).full_clean()


LISTED = ("discord.com", "chat.example", "bridge.example:8443", ".club.example")


@pytest.mark.parametrize(
    "url",
    [
        "https://discord.com/api/webhooks/1/x",
        "https://DISCORD.com/api?wait=true",
        "https://bridge.example:8443/hook",
        "https://chat.club.example/hooks/1",
    ],
)
def test_a_webhook_may_lead_to_a_listed_service(league, settings, url):
    settings.OUTGOING_WEBHOOK_HOSTS = LISTED
    assert WebhookForm({"url": url, "active": "on"}).is_valid()


@pytest.mark.parametrize(
    "url",
    [
        "http://discord.com/hook",
        "https://ann:pinto@discord.com/hook",
        "https://discord.com:444/hook",
        "https://discord.com:443@evil.example/hook",
        "https://discord.com.evil.example/hook",
        "https://evil.example/https://discord.com/",
        "https://evil.example\\@discord.com/hook",
        "https://evil.example\\.club.example/hook",
        "https://evil.example#.club.example/hook",
        "https://ptb.discord.com/hook",
        "https://club.example/hook",
        "https://notclub.example/hook",
        "https://bridge.example/hook",
        "https://127.0.0.1/hook",
        "https://[::1]/hook",
        "https://disc\u1d3frd.com/hook",
        "https://discord.com",
    ],
)
def test_any_other_address_is_refused_with_the_names_of_the_services(league, settings, url):
    settings.OUTGOING_WEBHOOK_HOSTS = LISTED
    form = WebhookForm({"url": url, "active": "on"})
    assert not form.is_valid()
    assert not https.is_listed(url)
    if "Enter a valid URL" not in str(form.errors["url"]):
        services = "Discord (https://discord.com/api/webhooks/…), https://chat.example/…, "
        services += "https://bridge.example:8443/…, https://….club.example/…"
        assert services in str(form.errors["url"])


def test_a_webhook_to_a_place_that_is_not_listed_rests_and_says_so(admin_client, chat, webhook, settings):
    send_due(LATER - timedelta(minutes=1))
    settings.OUTGOING_WEBHOOK_HOSTS = ["discord.com"]
    chat.posts.clear()
    WebhookCall.objects.update(state=WebhookCall.State.WAITING)
    assert send_due(LATER) == 0
    assert not chat.posts
    webhook.refresh_from_db()
    assert (webhook.active, webhook.failures) == (True, 0)
    page = reverse("admin:leagues_league_change", args=[webhook.league_id])
    assert "this site sends no news to this service" in admin_client.get(page).content.decode()


def answering(status_line, more=b""):
    """Listen for one caller, and return the port and the bytes that it sends."""
    door, got = socket.create_server(("127.0.0.1", 0)), []

    def serve():
        caller, _where = door.accept()
        with door, caller, suppress(OSError):
            got.append(caller.recv(65_536))
            caller.sendall(status_line + b"\r\nLocation: https://other.example/\r\n\r\n")
            for _ in range(2_000):
                caller.sendall(more)

    Thread(target=serve, daemon=True).start()
    return door.getsockname()[1], got


def test_a_redirect_is_an_answer_and_not_followed():
    port, got = answering(b"HTTP/1.1 302 Found")
    assert https.post(f"http://127.0.0.1:{port}/hook", b"{}", {"X-Beans": "1"}) == 302
    assert got[0].startswith(b"POST /hook HTTP/1.1")
    assert b"X-Beans: 1" in got[0]


def test_the_text_of_an_answer_is_not_read():
    port, _got = answering(b"HTTP/1.1 200 OK", b"x" * 1_000_000)
    tracemalloc.start()
    assert https.post(f"http://127.0.0.1:{port}/hook", b"{}", {}) == 200
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 8_000_000


def test_an_organiser_sees_the_services_and_sends_a_test_call(at_olgas, league, chat):
    page = reverse("admin:leagues_league_change", args=[league.pk])
    shown = at_olgas.get(page)
    slack = "Slack (https://hooks.slack.com/services/…), https://chat.example/…"
    assert f"Discord (https://discord.com/api/webhooks/…), {slack}" in shown.content.decode()
    sent = {name: value for name, value in shown.context["adminform"].form.initial.items() if value is not None}
    row = {"url": "https://chat.example/1", "format": "json", "active": "on", "try_it": "on"}
    rows = {f"webhooks-0-{name}": value for name, value in row.items()}
    answer = at_olgas.post(page, sent | rows | {"webhooks-TOTAL_FORMS": 1, "webhooks-INITIAL_FORMS": 0}, follow=True)
    assert "We’ll make a test call" in answer.content.decode()
    assert send_due(clock.now()) == 1
    [(url, body, _headers)] = chat.posts
    assert (url, json.loads(body)["event"]) == ("https://chat.example/1", "test")
    assert "the last news was sent" in at_olgas.get(page).content.decode()


def test_a_webhook_gets_one_call_at_a_time(chat, webhook):
    calls.queue_all_news(LATER)
    inside = []
    chat.meanwhile = lambda: inside.append(calls.send_next_call(webhook.pk, LATER))
    assert calls.send_next_call(webhook.pk, LATER)
    assert (inside, len(chat.posts)) == ([False], 1)


def test_a_call_whose_worker_was_killed_is_made_again(chat, webhook):
    Webhook.objects.update(results=False)
    calls.queue_all_news(LATER)
    chat.answer = KeyboardInterrupt()  # nothing of ours runs after a kill
    with pytest.raises(KeyboardInterrupt):
        calls.send_next_call(webhook.pk, LATER)
    chat.answer = 204
    assert calls.send_next_call(webhook.pk, LATER + timedelta(seconds=20)) is False
    assert calls.send_next_call(webhook.pk, LATER + calls.LEASE)
    assert chat.posts[0][1] == chat.posts[1][1]
    assert WebhookCall.objects.get().attempts == 2


def test_a_call_that_reaches_the_time_limit_is_put_off(chat, webhook):
    chat.answer = SoftTimeLimitExceeded()
    calls.queue_all_news(LATER)
    assert calls.send_next_call(webhook.pk, LATER) is False
    assert WebhookCall.objects.filter(error="SoftTimeLimitExceeded", due_at__gt=LATER).count() == 1


def test_a_worker_of_its_own_calls_webhooks_and_has_a_time_limit():
    for task in (tasks.call_webhooks, tasks.call_webhook):
        assert (task.soft_time_limit, task.time_limit) == (10, 15)
        assert app.amqp.router.route({}, task.name)["queue"].name == "slow"


def test_the_worker_has_each_webhook_called_that_has_news(chat, webhook, monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: LATER)
    monkeypatch.setitem(app.conf, "task_always_eager", True)
    tasks.queue_webhook_calls()
    tasks.call_webhooks()
    assert len(chat.posts) == len(list_news(webhook.league)) > 1


@pytest.fixture
def hanging(chat, webhook, monkeypatch):
    """Two services never end a call and a third answers. A function makes one round of calls at a time of its own."""
    webhook.delete()
    for host in ("discord.com", "hooks.slack.com", "chat.example"):
        Webhook.objects.create(league=webhook.league, url=f"https://{host}/1", results=False)
    Webhook.objects.update(created_at=NOON - timedelta(hours=1))
    monkeypatch.setattr(threads, "MAX_SECONDS", 0.3)
    released, resting = Event(), {}
    chat.meanwhile = lambda: released.wait(20) if "chat.example" not in chat.posts[-1][0] else None

    def make_round(now):
        chat.posts.clear()
        WebhookCall.objects.all().delete()
        Webhook.objects.update(busy_until=None)
        for each in Webhook.objects.all():
            calls.queue_test(each, now)
        monkeypatch.setattr(clock, "now", lambda: now)
        threads.call_due_webhooks(resting)
        return [url.split("/")[2] for url, _body, _headers in chat.posts]

    yield make_round
    released.set()


@pytest.mark.django_db(transaction=True)
def test_two_receivers_that_hang_make_webhooks_rest_for_an_hour_and_no_longer(hanging, caplog):
    before = counters.HANGING_WEBHOOKS._value.get()
    assert hanging(LATER) == ["discord.com", "hooks.slack.com"]
    assert counters.HANGING_WEBHOOKS._value.get() - before == 2
    assert "Calls to discord.com and hooks.slack.com hang. No webhook is called for an hour." in caplog.text
    assert hanging(LATER + timedelta(minutes=59)) == []
    caplog.clear()
    # Both calls still hang: they are left alone, and their receivers are tried once more.
    assert hanging(LATER + timedelta(minutes=61)) == ["discord.com", "hooks.slack.com"]
    assert "Webhooks of discord.com are called again." in caplog.text


@pytest.mark.django_db(transaction=True)
def test_a_receiver_whose_call_hangs_gets_no_other_and_the_rest_are_called(hanging):
    Webhook.objects.filter(url__contains="slack").delete()
    assert hanging(LATER) == ["discord.com", "chat.example"]
    Webhook.objects.create(league=League.objects.get(), url="https://discord.com/2")
    assert hanging(LATER + timedelta(minutes=1)) == ["chat.example"]


@pytest.mark.django_db(transaction=True)
def test_serve_waits_for_no_webhook(chat, webhook, monkeypatch):
    calls.queue_all_news(LATER)
    monkeypatch.setattr(clock, "now", lambda: LATER)
    monkeypatch.setattr(threads, "PAUSE", 0)
    monkeypatch.setitem(app.conf, "beat_schedule", dict(app.conf.beat_schedule))
    inside, released = Event(), Event()
    chat.meanwhile = lambda: (inside.set(), released.wait(20))
    with serve.run_webhooks():
        assert inside.wait(20)
        assert "webhooks" not in app.conf.beat_schedule
    assert not released.is_set()
    released.set()


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


def test_a_forged_form_with_a_thousand_webhooks_is_refused_quickly(at_olgas, league):
    page = reverse("admin:leagues_league_change", args=[league.pk])
    at_olgas.get(page)  # reads the templates
    began = time.thread_time()
    refused = at_olgas.post(page, {"name": "Beans", "webhooks-TOTAL_FORMS": "1000", "webhooks-INITIAL_FORMS": "0"})
    assert time.thread_time() - began < 1
    assert (refused.status_code, len(refused.content) < 1_000_000) == (200, True)


def test_the_atom_feed_tells_the_same_news(client, season):
    answer = client.get(reverse("league-feed", args=[season.league.slug]))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("application/atom+xml")
    shown = answer.content.decode()
    assert all(f"#{each.key}" in shown for each in list_news(season.league))
    assert "example.org" not in shown


def test_a_feed_leaves_out_characters_that_xml_does_not_know(client, season):
    """Text copied from a word processor has vertical tabs in it."""
    League.objects.update(about="Beans\x0bfor \x1ball", name="Bean\x0b League")
    answer = client.get(reverse("league-feed", args=[season.league.slug]))
    assert answer.status_code == 200
    assert not set("\x0b\x1b") & set(answer.content.decode())


def test_a_name_with_html_in_it_is_shown_as_it_was_typed(client, season):
    Player.objects.update(name="<b>Bea")
    feed = ElementTree.fromstring(client.get(reverse("league-feed", args=[season.league.slug])).content)
    told = [each.text or "" for each in feed.iter() if each.tag.endswith("summary")]
    assert any("&lt;b&gt;Bea" in text for text in told)
    assert not any("<b>" in text for text in told)


def test_an_organiser_sees_the_webhooks_of_their_own_league_only(at_olgas, league, other_league, settings):
    page = reverse("admin:leagues_league_change", args=[league.pk])
    assert "webhooks-TOTAL_FORMS" in at_olgas.get(page).content.decode()
    other = reverse("admin:leagues_league_change", args=[other_league.pk])
    assert "webhooks-TOTAL_FORMS" not in at_olgas.get(other, follow=True).content.decode()
    settings.OUTGOING_WEBHOOKS = False
    assert "webhooks-TOTAL_FORMS" not in at_olgas.get(page).content.decode()
