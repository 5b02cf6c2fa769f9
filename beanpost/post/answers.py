"""What stands in the letters that answer a reply.

kind        values it is queued with             to whom
answer      why, opened, heard, lines, refusal,  whose reply made no move or gave an order, while the question is open
            beside (the move beside an order)
unheard     why, asked, seq                      whose reply came too late, or to a letter that is void
which       why, heard, tables                   whose reply to a letter about several tables named none, or had an
                                                 order beside a move (digests.py)
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from beanpost.play import scene
from beanpost.play.models import Match
from beanpost.play.telling import in_quotes
from beanpost.play.tickets import MoveTicket, sign
from beanpost.post.contents import KINDS, Contents, others, title, turn
from beanpost.post.models import Letter, Reply

ANSWERS = ("answer", "unheard", "which")


def answer(letter: Letter) -> Contents | None:
    """The question once more, with all its moves and what was not understood. Not if it was answered meanwhile."""
    said = turn(letter)
    if said is None:
        return None
    shown, lines = said["scene"], letter.values.get("lines", [])
    told = {"why": letter.values["why"], "heard": letter.values.get("heard", "")}
    if told["why"] == Reply.Finding.UNCLEAR:
        return said | told | {"meant": [shown.label(line) for line in lines]}
    if told["why"] == "order":
        beside = letter.values.get("beside")
        return said | told | {"meant": [not_made(beside)] if beside else []}
    refusal = shown.why_not(lines[0]) if lines else None
    return said | told | {"refusal": shown.told(refusal.phrase) if refusal else letter.values.get("refusal", "")}


def not_made(move: str) -> str:
    """What stands in the letter where an order was given, and a move beside it was not made, which need not be one that
    can be made.
    """
    return _(
        "You wrote %(move)s too, which is a move. Only one of them is taken from a mail, so it was not made. "
        "Your turn is still yours: you can move below, or by a mail of its own."
    ) % {"move": in_quotes(move)}


def unheard(letter: Letter) -> Contents | None:
    """What happened instead, as a bystander may hear it, and a way to a fresh letter. It tells no secret."""
    match = letter.match
    if match is None or match.started_at is None:
        return None
    shown = scene.of(match, None)
    line = shown.line(letter.values["seq"]) if letter.values.get("seq") else None
    return {
        "why": letter.values["why"],
        "title": title(match),
        "others": others(letter),
        "played": line.text if line else "",
        "ticket": own_ticket(letter, match),
    }


def own_ticket(letter: Letter, match: Match) -> str:
    """What asks for the current letter, for who still sits where the letter that was answered went."""
    asked = letter.values.get("asked")
    if not asked or match.phase != Match.Phase.RUNNING:
        return ""
    ticket = MoveTicket(**asked)
    sits = match.places.filter(seat=ticket.seat, occupant=ticket.occupant, player=letter.recipient)
    return sign(ticket) if sits.exists() else ""


KINDS |= {"answer": answer, "unheard": unheard}
