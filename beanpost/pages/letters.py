"""The demo's mailboxes: every letter as it was sent. Not in the URLconf unless this is the demo."""

from __future__ import annotations

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from beanpost.pages.doors import page
from beanpost.players.models import Player
from beanpost.post.models import Letter

MAILBOX = 60
as_mail = csp_update({"style-src": [UNSAFE_INLINE], "frame-ancestors": [SELF]})


@require_safe
def mailboxes(request: HttpRequest) -> HttpResponse:
    players = Player.objects.order_by("name")
    boxes = [(player, Letter.objects.filter(recipient=player, state="sent").count()) for player in players]
    return page(request, "mailboxes", boxes=boxes)


@require_safe
def mailbox(request: HttpRequest, name: str) -> HttpResponse:
    owner = get_object_or_404(Player, name__iexact=name)
    sent = Letter.objects.filter(recipient=owner, state="sent").order_by("-sent_at", "-pk")[:MAILBOX]
    return page(request, "mailbox", owner=owner, letters=sent, others=Player.objects.exclude(pk=owner.pk))


def find(name: str, pk: int) -> Letter:
    return get_object_or_404(Letter.objects.select_related("recipient"), pk=pk, recipient__name__iexact=name)


@require_safe
def letter(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    return page(request, "letter", letter=find(name, pk), box=name)


# Only here may styles stand in the page: they are the letter's own, as a mail program would show it.
@require_safe
def html(request: HttpRequest, name: str, pk: int) -> HttpResponseBase:
    def show(request: HttpRequest) -> HttpResponse:
        return HttpResponse(find(name, pk).html)

    return as_mail(xframe_options_sameorigin(show))(request)


@require_safe
def source(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    return HttpResponse(find(name, pk).source, content_type="text/plain; charset=utf-8")
