"""For whoever watches the house from outside."""

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from beanpost.play import clock, late


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Well, or what is the matter: the database, or questions whose time was up long ago."""
    try:
        health = late.health(clock.now())
    except DatabaseError:
        return HttpResponse("The database does not answer.\n", content_type="text/plain", status=503)
    if health.is_well:
        return HttpResponse("ok\n", content_type="text/plain")
    told = (
        f"Questions overdue: {health.overdue}. Questions put off: {health.stalled}. Last sweep: {health.last_sweep}.\n"
    )
    return HttpResponse(told, content_type="text/plain", status=503)
