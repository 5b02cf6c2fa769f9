"""The demo's mailboxes: every letter as it was sent. In the URLconf only in the demo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from csp.constants import UNSAFE_INLINE
from csp.decorators import csp_update
from django.db.models import Count, F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from beanpost.pages.access import View, render_page
from beanpost.play import clock
from beanpost.play.models import Place
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post import kinds, mime
from beanpost.post.models import Letter
from beanpost.post.outbox import claims

MAX_LETTERS = 60

# Inline styles are allowed only on pages that show a letter: they are the letter's own, as in a mail program.
as_mail = cast(Callable[[View], View], csp_update({"style-src": [UNSAFE_INLINE]}))


@dataclass(frozen=True)
class Mailbox:
    name: str  # in its URL: "ann"
    owner: Player
    letters: int = 0
    asked: bool = False  # whether a table waits for the owner
    coming: bool = False  # whether a letter to the owner is due now


def load_mailbox_owners() -> dict[str, Player]:
    """Return all mailboxes by name, without guests and players whose data was erased.

    A player with the same name as an earlier one gets a number too.
    """
    found: dict[str, Player] = {}
    for player in Player.objects.filter(guest=False).exclude(address__endswith=accounts.ERASED).order_by("pk"):
        name = slugify(player.name, allow_unicode=True)
        found[name if name and name not in found else f"{name}-{player.pk}"] = player
    return found


def list_mailboxes() -> list[Mailbox]:
    sent = Letter.objects.filter(state=Letter.State.SENT).values_list("recipient").annotate(Count("pk"))
    letters = dict(sent)
    asked = set(Place.objects.filter(match__waits__seat=F("seat")).values_list("player", flat=True))
    coming = set(claims.find_due(clock.now()).values_list("recipient", flat=True))
    return [
        Mailbox(name, owner, letters.get(owner.pk, 0), owner.pk in asked, owner.pk in coming)
        for name, owner in load_mailbox_owners().items()
    ]


@require_safe
def mailboxes(request: HttpRequest) -> HttpResponse:
    return render_page(request, "mailboxes", boxes=list_mailboxes())


@require_safe
def mailbox(request: HttpRequest, name: str) -> HttpResponse:
    found = list_mailboxes()
    box = next((box for box in found if box.name == name), None)
    if box is None:
        raise Http404
    sent = Letter.objects.filter(recipient=box.owner, state=Letter.State.SENT).order_by("-sent_at", "-pk")
    questions = find_open_questions(box.owner)
    of_matches = sent.filter(match__in=[match for match, _ in questions])
    open_letters = [letter for letter in of_matches if find_question(letter) in questions]
    others = sent.exclude(pk__in=[letter.pk for letter in open_letters])[:MAX_LETTERS]
    letters = [(letter, True) for letter in open_letters] + [(letter, False) for letter in others]
    rows = [(letter, kinds.name_kind(letter.kind), is_open) for letter, is_open in letters]
    asked = [other for other in found if other.asked]
    return render_page(request, "mailbox", box=box, boxes=found, asked=asked, rows=rows)


def find_open_questions(owner: Player) -> set[tuple[int | None, int]]:
    """Return the questions open to this player, each as its match and the line after which it was asked."""
    asked = Place.objects.filter(player=owner, match__waits__seat=F("seat"))
    return set(asked.values_list("match", "match__waits__opened"))


def find_question(letter: Letter) -> tuple[int | None, int]:
    return letter.match_id, letter.values.get("opened", -1)


def find_letter(name: str, pk: int) -> Letter:
    owner = load_mailbox_owners().get(name)
    return get_object_or_404(Letter.objects.select_related("recipient"), pk=pk, recipient=owner)


@require_safe
@as_mail
def letter(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    found = find_letter(name, pk)
    is_open = find_question(found) in find_open_questions(found.recipient)
    return render_page(
        request,
        "letter",
        letter=found,
        html=mime.render_for_browser(found.source),
        box=name,
        kind=kinds.name_kind(found.kind),
        is_open=is_open,
    )


@require_safe
@as_mail
def html(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    return HttpResponse(mime.render_for_browser(find_letter(name, pk).source))


@require_safe
def text(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    return render_page(request, "letter_text", letter=find_letter(name, pk), box=name)


@require_safe
def source(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    return HttpResponse(find_letter(name, pk).source, content_type="text/plain; charset=utf-8")
