"""Health for monitoring: as text from outside, and in plain words in the admin."""

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import translation
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4 as CONTENT_TYPE_LATEST
from prometheus_client import generate_latest

from beanpost.monitoring import counters
from beanpost.play import clock
from beanpost.post import metrics as mail_metrics
from beanpost.post.metrics import Sign

DATABASE_DOWN = Sign("database_up", 0, "The database does not answer.", is_well=False)


def build_text_response(body: str, status: int = 200) -> HttpResponse:
    return HttpResponse(body, content_type="text/plain; charset=utf-8", status=status)


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer "ok" if this process answers requests. A load balancer asks this. The database is not asked, because no
    other process would do better without it.
    """
    return build_text_response("ok\n")


def check_signs() -> list[Sign]:
    """Return all health signs, in English."""
    try:
        with translation.override("en"):
            return list(mail_metrics.collect_signs(clock.now()))
    except Error:
        return [DATABASE_DOWN]


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Whether everything works together: one sign per line for the host, one word for strangers."""
    found = check_signs()
    is_well = all(sign.is_well for sign in found)
    body = "ok\n" if is_well else "BAD\n"
    if is_from_host(request):
        body = "".join(f"{'ok  ' if sign.is_well else 'BAD '} {sign.text}\n" for sign in found)
    return build_text_response(body, 200 if is_well else 503)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer Prometheus: figures from the database, and what the processes of this server have counted."""
    if not is_from_host(request):
        raise PermissionDenied
    body = generate_latest(mail_metrics.build_registry(check_signs(), clock.now())) + generate_latest(
        counters.collect_counters()
    )
    return HttpResponse(body, content_type=CONTENT_TYPE_LATEST)


def is_from_host(request: HttpRequest) -> bool:
    """Whether the request has the token, or comes from this machine itself and through no proxy."""
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if settings.METRICS_TOKEN and constant_time_compare(given, settings.METRICS_TOKEN):
        return True
    address, forwarded = request.META.get("REMOTE_ADDR"), "X-Forwarded-For" in request.headers
    return not forwarded and (not address or address.startswith("127.") or address == "::1")


@admin.site.admin_view
@require_safe
def office(request: HttpRequest) -> HttpResponse:
    """Show the signs to the host, in plain words."""
    if not request.user.is_superuser:
        raise PermissionDenied
    found = list(mail_metrics.collect_signs(clock.now()))
    context: dict[str, Any] = {"title": _("Site health"), "signs": found, **admin.site.each_context(request)}
    return TemplateResponse(request, "admin/watching.html", context)
