"""Queue the news of leagues for their webhooks, send it, and retry.

The same news is queued once per webhook. Each attempt sends the same bytes, and a webhook gets one call at a time.
After some failures in a row it is switched off. One to a service that the host has not listed rests. Its organiser
sees both in the office.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db.models import F, Q, QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from beanpost.database import batches
from beanpost.leagues.models import Webhook, WebhookCall
from beanpost.leagues.records.news import NewsItem, list_news
from beanpost.leagues.webhooks import https, payloads
from beanpost.site.links import link

LOOK_BACK = timedelta(days=1)  # older news is not sent: a webhook may have been off for a while
MAX_AN_HOUR = 60  # calls of one webhook; further news is only in the feed
MAX_ATTEMPTS = 8  # pauses double from a minute: two hours in all
MAX_FAILURES = 5
LEASE = timedelta(minutes=1)  # longer than the time limit of a call, or it would go out twice
KEEP_FOR = timedelta(days=3)  # longer than LOOK_BACK, or news would be queued twice


def queue_all_news(now: datetime) -> None:
    """Queue the news for every webhook, once a minute."""
    for webhook in find_webhooks().select_related("league"):
        if https.is_listed(webhook.url):
            batches.run_safely(f"Webhook {webhook.pk}", queue_news, webhook, now)


def find_webhooks() -> QuerySet[Webhook]:
    return Webhook.objects.filter(active=True) if settings.OUTGOING_WEBHOOKS else Webhook.objects.none()


def queue_news(webhook: Webhook, now: datetime) -> int:
    wanted = {"result": webhook.results, "round": webhook.rounds, "standings": webhook.standings}
    news = [
        each for each in list_news(webhook.league, since=max(webhook.created_at, now - LOOK_BACK)) if wanted[each.kind]
    ]
    known = set(webhook.calls.values_list("key", flat=True))
    return queue_calls(webhook, [each for each in reversed(news) if each.key not in known], now)


def queue_test(webhook: Webhook, now: datetime) -> int:
    """Queue a call that says that it is a test."""
    with translation.override(webhook.league.language):
        url = link("league", webhook.league.slug)
        text = _("If you can read this, the league’s news will arrive here too.")
        news = NewsItem("test", f"test/{now:%y%m%d%H%M%S}", now, _("A test call"), text, url)
    return queue_calls(webhook, [news], now)


def queue_calls(webhook: Webhook, fresh: list[NewsItem], now: datetime) -> int:
    room = MAX_AN_HOUR - webhook.calls.filter(created_at__gt=now - timedelta(hours=1)).count()
    calls = [
        WebhookCall(webhook=webhook, key=each.key, body=payloads.build_body(webhook, each), created_at=now, due_at=now)
        for each in fresh[: max(room, 0)]
    ]
    WebhookCall.objects.bulk_create(calls, ignore_conflicts=True)
    return len(calls)


def find_due_calls(now: datetime) -> QuerySet[WebhookCall]:
    return WebhookCall.objects.filter(state=WebhookCall.State.WAITING, due_at__lte=now, webhook__in=find_webhooks())


def list_due_webhooks(now: datetime) -> dict[int, str]:
    """Return the listed webhooks that have something to send, each with its receiver: the host that it calls."""
    due = find_due_calls(now).order_by().values_list("webhook", "webhook__url").distinct()
    return {webhook: https.find_receiver(url) for webhook, url in due if https.is_listed(url)}


def send_next_call(webhook: int, now: datetime) -> bool:
    """Send what this webhook is due next, unless a call of it is under way. Return whether it was taken."""
    own = Webhook.objects.filter(pk=webhook)
    if not own.filter(Q(busy_until=None) | Q(busy_until__lte=now)).update(busy_until=now + LEASE):
        return False
    call = (
        find_due_calls(now).filter(webhook=webhook).select_related("webhook__league").order_by("due_at", "pk").first()
    )
    taken = bool(call and https.is_listed(call.webhook.url) and send_call(call, now))
    own.update(busy_until=None)
    return taken


def send_call(call: WebhookCall, now: datetime) -> bool:
    call.attempts += 1  # stored first: the worker may be killed during the call
    WebhookCall.objects.filter(pk=call.pk).update(attempts=call.attempts, due_at=now + LEASE)
    body = call.body.encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Beanpost",
        "X-Beanpost-Delivery": str(call.pk),
        "X-Beanpost-Signature": payloads.sign_body(call.webhook.secret, body),
    }
    try:
        status = https.post(call.webhook.url, body, headers)
    except (OSError, ValueError, SoftTimeLimitExceeded) as error:  # what `requests` raises is an OSError
        put_off_call(call, type(error).__name__, now)
        return False
    if not 200 <= status < 300:  # a redirect counts as a failure
        put_off_call(call, str(status), now)
        return False
    WebhookCall.objects.filter(pk=call.pk).update(state=WebhookCall.State.SENT, error="")
    Webhook.objects.filter(pk=call.webhook_id).update(failures=0)
    return True


def put_off_call(call: WebhookCall, error: str, now: datetime) -> None:
    rows = WebhookCall.objects.filter(pk=call.pk)
    if call.attempts < MAX_ATTEMPTS:
        rows.update(due_at=now + timedelta(minutes=2 ** (call.attempts - 1)), error=error)
        return
    rows.update(state=WebhookCall.State.FAILED, error=error)
    own = Webhook.objects.filter(pk=call.webhook_id)
    own.update(failures=F("failures") + 1)
    own.filter(failures__gte=MAX_FAILURES).update(active=False)
