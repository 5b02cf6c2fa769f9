"""Writing a letter: from what it says to the very bytes that are sent, in the reader's language and hours."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone, translation

from beanpost import translations
from beanpost.play import looking
from beanpost.play.models import Match, Place
from beanpost.play.scene import Scene
from beanpost.post import addresses, calendars, digests, envelopes, mime, styling, threads
from beanpost.post import lost as _lost  # noqa: F401 (its kind of letter)
from beanpost.post.answers import ANSWERS
from beanpost.post.contents import contents, is_about_question, is_refused
from beanpost.post.menus import numbered
from beanpost.post.models import LONGEST_SUBJECT, Letter
from beanpost.post.outbox import Written, current

COLUMNS = 76
ANSWERABLE = {"turn", "reminder", "excused", "answer"}  # the kinds that print a question and its moves
ABOUT_ALL = {"digest", "which", "lost"}  # … and those of all tables
MOST_LOOKS = 3
NO_ROW = 0  # the number of a letter that is only looked at: no row has it, so nobody can answer it
LONGEST = 98_000  # bytes of HTML: Gmail cuts off a little more than this


class Unsettled(Exception):
    """The table changed each time we looked at it: to be written later."""


def compose(letter: Letter, now: datetime) -> Written | None:
    """The letter as it will be sent, or nothing if nobody needs it any more."""
    with translation.override(letter.recipient.language), timezone.override(letter.recipient.tz):
        said = settled(letter)
        return written(letter, said, now) if said else None


class Seen(NamedTuple):
    """A letter that is only looked at."""

    subject: str
    html: str


def as_it_would_arrive(match: Match, place: Place, now: datetime) -> Seen | None:
    """The letter this seat would get now, for who plays without an address: neither kept nor sent, nor answered.

    Browsers keep stylesheets: there the rules stay, which makes it half as long.
    """
    assert place.player is not None
    kind, values = current(match, place)
    letter = Letter(NO_ROW, recipient=place.player, match=match, kind=kind, values=values, created_at=now, due_at=now)
    said = settled(letter)
    if said is None:
        return None
    subject = titled(letter, said)
    return Seen(subject, filled(letter, "html", {**said, "subject": subject, "answerable": False}))


def look_at_tables(batch: Iterable[Letter]) -> None:
    """Look at the tables of all letters that are still to be written, with a few queries for all of them.

    Letters of one table, as to all who play there, are written from the same look.
    """
    tables: dict[int, Match] = {}
    for letter in batch:
        if letter.match and not letter.is_written:
            letter.match = tables.setdefault(letter.match.pk, letter.match)
    looking.at(list(tables.values()))


def is_needed(letter: Letter, asked: Collection[Letter]) -> bool:
    """Whether a letter that was written before is still to be sent. `asked`: those whose question is still open."""
    if is_about_question(letter):
        return letter in asked and not is_refused(letter)
    return settled(letter) is not None


def settled(letter: Letter) -> Mapping[str, Any] | None:
    """What the letter says, from one look at the table: if somebody has moved meanwhile, look again."""
    for _ in range(MOST_LOOKS):
        said = contents(letter)
        if said is None:
            return None
        if still := up_to_date(letter, said):
            return still
        if letter.match:
            letter.match.refresh_from_db()
    raise Unsettled


def up_to_date(letter: Letter, said: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What is said, and what went before it; nothing, if a table has gone on since it was looked at."""
    if letter.match is None:
        return None if have_gone_on([one["match"] for one in said.get("questions", [])]) else said
    before = threads.before(letter)
    if before.length != letter.match.length:
        return None
    return {**said, "first": not before.from_table, "went": before.went}


def have_gone_on(matches: Sequence[Match]) -> bool:
    lengths = dict(Match.objects.filter(pk__in=[match.pk for match in matches]).values_list("pk", "length"))
    return any(lengths[match.pk] != match.length for match in matches)


def written(letter: Letter, said: Mapping[str, Any], now: datetime) -> Written:
    asked = question(letter, said)
    said = {**said, "answerable": bool(settings.INBOUND_DOMAIN) and is_answerable(letter, said, asked)}
    subject = titled(letter, said)
    said, html = (said, "") if letter.recipient.text_only else in_html(letter, said, subject)
    text = folded(filled(letter, "txt", said))
    address = letter.goes_to
    head = {"Subject": subject, "From": settings.DEFAULT_FROM_EMAIL, "To": address}
    if said["answerable"]:
        head["Reply-To"] = addresses.address(addresses.TURN, letter.pk)
    head |= envelopes.headers(letter, said, now)
    head |= answering(letter, head)
    calendar = calendars.enclosed(said, now) if letter.recipient.calendar else ""
    return Written(
        address=address,
        subject=subject,
        source=mime.to_bytes(head, text, html, calendar),
        options=printed(letter, said),
        asked=asked,
    )


def is_answerable(letter: Letter, said: Mapping[str, Any], asked: Mapping[str, int]) -> bool:
    return bool(asked) or (letter.kind in ABOUT_ALL and bool(said["questions"]))


def answering(letter: Letter, head: Mapping[str, str]) -> dict[str, str]:
    """What an answer to somebody's mail has beside the rest: machines must not answer it again."""
    if letter.kind not in ANSWERS:
        return {}
    thread = [head.get("References", ""), letter.values.get("answers", "")]
    return {"Auto-Submitted": "auto-replied", "References": " ".join(filter(None, thread))}


def in_html(letter: Letter, said: Mapping[str, Any], subject: str) -> tuple[Mapping[str, Any], str]:
    """The letter as it is seen, and what stands in it: less, where it would be too long to be shown whole."""
    html = styling.inlined(filled(letter, "html", {**said, "subject": subject}))
    shorter = digests.shortened(said) if len(html.encode()) > LONGEST else None
    return in_html(letter, shorter, subject) if shorter else (said, html)


def titled(letter: Letter, said: Mapping[str, Any]) -> str:
    title = " ".join(filled(letter, "subject.txt", said).split())
    return title if len(title) <= LONGEST_SUBJECT else f"{title[: LONGEST_SUBJECT - 1]}…"


def filled(letter: Letter, part: str, said: Mapping[str, Any]) -> str:
    return render_to_string(f"letters/{letter.kind}.{part}", {**said, **translations.functions()}, using="jinja2")


def printed(letter: Letter, said: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The numbered moves as they stand in the letter: an answer "2" will mean the second of these."""
    if letter.kind in ABOUT_ALL:
        tables = [one for one in said["questions"] if one["printed"]]
        return [move for one in tables for move in numbered(one["scene"], one["before"], asked=asked_in(one["scene"]))]
    return numbered(said["scene"]) if said.get("scene") else []


def question(letter: Letter, said: Mapping[str, Any]) -> dict[str, int]:
    """What a reply to the letter would answer: seat, occupant and question, as in its links. Nothing: it asks none.

    A letter about all tables that tells of one alone is answered like a letter of that table.
    """
    shown: Scene | None = said.get("scene")
    if letter.kind in ABOUT_ALL and len(said["questions"]) == 1 and not said["more"]:
        shown = said["questions"][0]["scene"]
    elif letter.kind not in ANSWERABLE:
        return {}
    return asked_in(shown) if shown else {}


def asked_in(shown: Scene) -> dict[str, int]:
    if shown.wait is None or shown.place is None:
        return {}
    return {
        "match": shown.match.pk,
        "seat": shown.wait.seat,
        "occupant": shown.place.occupant,
        "question": shown.wait.opened,
        "since": shown.match.length,
    }


def folded(text: str) -> str:
    """Plain text as it is read: short lines, single blank lines, links whole.

    >>> print(folded("Dear Ann,\\n\\n\\n\\nit is your turn.  \\n"))
    Dear Ann,
    <BLANKLINE>
    it is your turn.
    <BLANKLINE>
    """
    lines = map(fold_line, map(str.rstrip, text.strip("\n").splitlines()))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"


def fold_line(line: str) -> str:
    """A long line as several, each indented as its beginning; a link is never broken."""
    return line if len(line) <= COLUMNS or line.split() == [line] else wrapped(line)


@lru_cache(maxsize=512)
def wrapped(line: str) -> str:
    """Most long lines are the house's own sentences, the same in many letters."""
    indent = re.match(r"\s*(?:[-·>]|\d+\.)?\s*", line)
    assert indent is not None
    hanging = re.sub(r"[^>\s]", " ", indent[0])
    return textwrap.fill(line, COLUMNS, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)
