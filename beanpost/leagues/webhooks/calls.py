"""Queue the news of leagues for their webhooks, send it, and retry.

The same news is queued once per webhook. Each attempt sends the same bytes. After some failures in a row the webhook is
switched off, and its organiser sees that in the admin.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from http.client import HTTPException

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet

from beanpost.database import batches
from beanpost.leagues.models import Webhook, WebhookCall
from beanpost.leagues.records.news import list_news
from beanpost.leagues.webhooks import https, payloads

LOOK_BACK = timedelta(days=1)  # older news is not sent: a webhook may have been off for a while
MAX_AN_HOUR = 60  # calls of one webhook; further news is only in the feed
MAX_ATTEMPTS = 8  # pauses double from a minute: two hours in all
MAX_FAILURES = 5
LEASE = timedelta(minutes=5)  # longer than a run and its last call can take, or that call would go out twice
SECONDS_PER_RUN = 40
KEEP_FOR = timedelta(days=3)  # longer than LOOK_BACK, or news would be queued twice


def send_due_calls(now: datetime) -> int:
    """Queue and send what is due, once a minute. Return how many calls went out."""
    if not settings.OUTGOING_WEBHOOKS:
        return 0
    WebhookCall.objects.filter(created_at__lt=now - KEEP_FOR).delete()
    for webhook in Webhook.objects.filter(active=True).select_related("league"):
        batches.run_safely(f"Webhook {webhook.pk}", queue_news, webhook, now)
    sent, end = 0, time.monotonic() + SECONDS_PER_RUN
    while time.monotonic() < end and (call := claim_call(now)):
        sent += batches.run_safely(f"Call {call.pk}", send_call, call, now)
    return sent


def queue_news(webhook: Webhook, now: datetime) -> int:
    wanted = {"result": webhook.results, "round": webhook.rounds, "standings": webhook.standings}
    news = [
        each for each in list_news(webhook.league, since=max(webhook.created_at, now - LOOK_BACK)) if wanted[each.kind]
    ]
    known = set(webhook.calls.values_list("key", flat=True))
    room = MAX_AN_HOUR - webhook.calls.filter(created_at__gt=now - timedelta(hours=1)).count()
    fresh = [each for each in reversed(news) if each.key not in known][: max(room, 0)]
    calls = [
        WebhookCall(webhook=webhook, key=each.key, body=payloads.build_body(webhook, each), created_at=now, due_at=now)
        for each in fresh
    ]
    WebhookCall.objects.bulk_create(calls, ignore_conflicts=True)
    return len(calls)


def find_due_calls(now: datetime) -> QuerySet[WebhookCall]:
    return WebhookCall.objects.filter(state=WebhookCall.State.WAITING, due_at__lte=now, webhook__active=True)


@transaction.atomic
def claim_call(now: datetime) -> WebhookCall | None:
    """Claim one call: no other worker sends it during the lease."""
    free = find_due_calls(now).order_by("due_at", "pk").select_for_update(skip_locked=True, of=("self",))
    call = free.select_related("webhook__league").first()
    if call:
        call.attempts, call.due_at = call.attempts + 1, now + LEASE
        call.save(update_fields=["attempts", "due_at"])
    return call


def send_call(call: WebhookCall, now: datetime) -> bool:
    body = call.body.encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Beanpost",
        "X-Beanpost-Delivery": str(call.pk),
        "X-Beanpost-Signature": payloads.sign_body(call.webhook.secret, body),
    }
    try:
        status = https.post(call.webhook.url, body, headers)
    except (OSError, ValueError, HTTPException) as error:
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
    if call.attempts < MAX_ATTEMPTS and error != https.PrivateAddress.__name__:
        rows.update(due_at=now + timedelta(minutes=2 ** (call.attempts - 1)), error=error)
        return
    rows.update(state=WebhookCall.State.FAILED, error=error)
    own = Webhook.objects.filter(pk=call.webhook_id)
    own.update(failures=F("failures") + 1)
    own.filter(failures__gte=MAX_FAILURES).update(active=False)
