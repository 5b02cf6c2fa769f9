"""A match as anybody may see it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from beanpost.pages.doors import page, status_of
from beanpost.pages.forms import JoinForm
from beanpost.pages.gathering import answers
from beanpost.play import export as exports
from beanpost.play import scene
from beanpost.play.models import Match


@require_safe
def match(request: HttpRequest, code: str) -> HttpResponse:
    found = get_object_or_404(Match.objects.select_related("keeper"), code=code)
    if found.started_at is None:
        return gathering(request, found, JoinForm())
    return page(request, "match", scene=scene.of(found, None), match=found, secret=exports.revealed(found))


def gathering(request: HttpRequest, match: Match, form: JoinForm) -> HttpResponse:
    """A match that has not begun, with a way to join where anybody may."""
    return page(request, "gathering", status=status_of(form), match=match, form=form, **answers(match))


@require_safe
def pulse(request: HttpRequest, code: str) -> HttpResponse:
    """How many lines the log has, for a page that wants to know whether it is still up to date."""
    found = get_object_or_404(Match.objects.only("length"), code=code)
    return HttpResponse(f"{found.length}\n", content_type="text/plain")


@require_safe
def export(request: HttpRequest, code: str) -> HttpResponse:
    found = get_object_or_404(Match, code=code, started_at__isnull=False)
    return JsonResponse(exports.export(found, None), json_dumps_params={"ensure_ascii": False, "indent": 1})
