"""Writing a letter: from what it says to the very bytes that are sent, in the reader's language and hours."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import css_inline
from django.template import Context, Engine
from django.utils import timezone, translation

from beanpost.play.models import Match
from beanpost.play.scene import Scene
from beanpost.post import envelopes
from beanpost.post.contents import contents
from beanpost.post.models import Letter
from beanpost.post.outbox import Written

DOZEN = 12  # so many moves are printed; the rest is on the page
COLUMNS = 76
MOST_LOOKS = 3

# Mail programs drop stylesheets: every rule is written onto what it is for. What only a stylesheet can say stays.
INLINER = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)


class Unsettled(Exception):
    """The table changed each time we looked at it: to be written later."""


def compose(letter: Letter, now: datetime) -> Written | None:
    """The letter as it will be sent, or nothing if nobody needs it any more."""
    with translation.override(letter.recipient.language), timezone.override(letter.recipient.tz):
        said = settled(letter)
        return written(letter, said, now) if said else None


def is_needed(letter: Letter) -> bool:
    """Whether a letter that was written before is still to be sent."""
    return settled(letter) is not None


def settled(letter: Letter) -> Mapping[str, Any] | None:
    """What the letter says, from one look at the table: if somebody moves meanwhile, look again."""
    for _ in range(MOST_LOOKS):
        if letter.match:
            letter.match.refresh_from_db()
        said = contents(letter)
        if said is None or letter.match is None or length(letter.match) == letter.match.length:
            return said
    raise Unsettled


def length(match: Match) -> int:
    return Match.objects.values_list("length", flat=True).get(pk=match.pk)


def written(letter: Letter, said: Mapping[str, Any], now: datetime) -> Written:
    subject = " ".join(filled(letter, "subject.txt", said, escaped=False).split())
    text = folded(filled(letter, "txt", said, escaped=False))
    html = INLINER.inline(filled(letter, "html", {**said, "subject": subject}, escaped=True))
    head = envelopes.headers(letter, said.get("seat_ticket", ""), said["player_ticket"], now)
    address = letter.values.get("to") or letter.recipient.address
    message = envelopes.fresh(letter, subject, text, html, head, address)
    return Written(
        address=address,
        message_id=head["Message-ID"],
        subject=subject,
        text=text,
        html=html,
        source=envelopes.unfolded(message.message().as_bytes()),
        options=printed(said.get("scene")),
    )


def filled(letter: Letter, part: str, said: Mapping[str, Any], *, escaped: bool) -> str:
    template = Engine.get_default().get_template(f"letters/{letter.kind}.{part}")
    return template.render(Context(dict(said), autoescape=escaped, use_tz=True))


def printed(shown: Scene | None) -> list[dict[str, Any]]:
    """The numbered moves as they stand in the letter: an answer "2" will mean the second of these."""
    options = shown.options[:DOZEN] if shown else []
    return [{"number": option.number, "line": option.line, "label": option.label} for option in options]


def folded(text: str) -> str:
    """Plain text as it is read: short lines, single blank lines, links whole.

    >>> print(folded("Dear Ann,\\n\\n\\n\\nit is your turn.  \\n"))
    Dear Ann,
    <BLANKLINE>
    it is your turn.
    <BLANKLINE>
    """
    lines = (fold_line(line.rstrip()) for line in text.strip("\n").splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"


def fold_line(line: str) -> str:
    """A long line as several, each indented as its beginning; a link is never broken."""
    if len(line) <= COLUMNS:
        return line
    indent = re.match(r"\s*(?:[-·>]|\d+\.)?\s*", line)
    assert indent is not None
    hanging = re.sub(r"[^>\s]", " ", indent[0])
    return textwrap.fill(line, COLUMNS, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)
