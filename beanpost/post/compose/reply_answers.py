"""Contents of the letters that answer a reply. `receive.replies` queues them, with what it found."""

from __future__ import annotations

import re
from email.utils import parseaddr

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from beanpost.play import moves
from beanpost.play.display import scene, story
from beanpost.play.display.orders.offers import describe_offered_orders, describe_plan
from beanpost.play.display.orders.similar import ALIKE, find_most_alike
from beanpost.play.display.question import join_plan, split_plan
from beanpost.play.display.scene import Scene
from beanpost.play.display.wording import add_colon, quote
from beanpost.play.models import Match
from beanpost.play.moves import is_holder_seated_at
from beanpost.play.tickets import MoveTicket, PlanTicket, sign
from beanpost.post.compose.contents import Contents, build_turn, find_other_names, find_title
from beanpost.post.compose.menus import Menu, list_marked_moves
from beanpost.post.kinds import Kind
from beanpost.post.models import Letter, Reply
from games.engine import catalogue

LINK = re.compile(r"^https?://\S+$", re.MULTILINE)


def build_answer(letter: Letter) -> Contents | None:
    """Repeat the question with its moves, and say what was not understood. None if it was answered meanwhile."""
    context = build_turn(letter)
    if context is None:
        return None
    shown, lines = context["scene"], letter.values.get("lines", [])
    values = {"why": letter.values["why"], "heard": letter.values.get("heard", ""), "meant": [], "refusal": ""}
    if values["why"] == Reply.Finding.UNCLEAR:
        return context | values | {"meant": [describe_with_mark(shown, context["menu"], line) for line in lines]}
    if values["why"] == Reply.Finding.COSTLY:
        line, order = split_plan(lines[0])
        price = {"price": letter.values["price"], "costly": describe_plan(shown, line, order)}
        asked = (shown.match.pk, shown.place.seat, shown.place.occupant, shown.wait.opened)
        plan = PlanTicket(*asked, line, order) if order else None
        return (
            context
            | values
            | price
            | {"page": "plan" if plan else "move", "ticket": sign(plan or MoveTicket(*asked, line))}
        )
    if values["why"] == "two":
        said = [(words, *split_plan(line)) for words, line in letter.values.get("said", [])]
        readings = [f"{add_colon(quote(words))} {describe_plan(shown, *move)}" for words, *move in said]
        return context | values | {"meant": readings}
    if values["why"] == "orders":
        return context | values | {"meant": [quote(words) for words, _order in letter.values.get("said", [])]}
    if values["why"] == "order":
        beside = letter.values.get("beside")
        return context | values | {"meant": [f"{say_move_not_made(beside)} {say_still_your_turn()}"] if beside else []}
    if values["why"] == Reply.Finding.UNREAD:
        return (
            context
            | values
            | {"meant": find_most_alike(values["heard"], describe_offered_orders(shown), at_least=ALIKE)}
        )
    refusal = moves.find_refusal(shown.match, shown.reader, lines[0]) if lines else None
    return context | values | {"refusal": shown.say(refusal.phrase) if refusal else letter.values.get("refusal", "")}


def describe_with_mark(shown: Scene, menu: Menu, text: str) -> str:
    """Return a move in words, and the mark that this answer prints beside it, if it does."""
    marks = {join_plan(move["line"], move.get("order", "")): move["mark"] for move in list_marked_moves(menu)}
    label = describe_plan(shown, *split_plan(text))
    return f"{marks[text]}. {label}" if text in marks else label


def say_move_not_made(move: str) -> str:
    """Say that the move beside an order was not made. It need not be a legal move."""
    return _(
        "You also wrote %(move)s, which is a move. We take only one of them from an email, so we didn’t play it."
    ) % {"move": quote(move)}


def say_still_your_turn() -> str:
    return _("It’s still your turn: move below, or send your move in a separate email.")


def build_unheard(letter: Letter) -> Contents | None:
    """Say what happened instead.

    Players who still hold the seat also read what they can do now; others read only what is public.
    """
    match = letter.match
    if match is None or match.started_at is None:
        return None
    ticket = sign_own_ticket(letter, match) if catalogue.is_installed(match.game, match.edition) else ""
    shown = scene.build_scene_for_player(match, letter.recipient) if ticket else None
    seqs = letter.values.get("seqs", [])
    lines = [story.find_line(match, shown.reader if shown else None, seq) for seq in seqs]
    beside = letter.values.get("beside")
    return {
        "why": letter.values["why"],
        "heard": letter.values.get("heard", ""),
        "title": find_title(match),
        "others": find_other_names(letter),
        "played": [line.text for line in lines if line],
        "not_made": say_move_not_made(beside) if beside else "",
        "own": shown,
        "ticket": ticket,
    }


def sign_own_ticket(letter: Letter, match: Match) -> str:
    """Return a ticket for requesting the current letter, if the reader still holds the seat; otherwise ""."""
    asked = letter.values.get("asked")
    if not asked or match.phase != Match.Phase.RUNNING:
        return ""
    ticket = MoveTicket(**asked)
    seated = any(is_holder_seated_at(ticket, place) for place in match.places.filter(player=letter.recipient))
    return sign(ticket) if seated else ""


def build_links_only(letter: Letter) -> Contents:
    """Repeat the first link of the letter that was answered: it does what the letter is for."""
    about = Letter.objects.select_related("body").filter(pk=letter.values["about"]).first()
    found = LINK.search(about.text) if about else None
    reason = _("Thank you for writing back, but we can’t read replies to that letter.")
    if letter.values["unsigned"]:
        reason = _(
            "Thank you for writing back, but your email program wrote to %(address)s, where we can’t read replies."
        ) % {"address": parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}
    return {"first_link": found[0] if found else "", "reason": reason}


KINDS = (
    Kind("answer", _l("About your reply"), build_answer, answerable=True, answers=True),
    Kind("unheard", _l("About your reply"), build_unheard, answers=True, to_anybody=True),
    Kind("links_only", _l("About your reply"), build_links_only, answers=True, proves_mailbox=True),
)
