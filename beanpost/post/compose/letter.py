"""Compose a letter: from its contents to the exact bytes that are sent, in the reader's language and time zone."""

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

from beanpost.i18n import translations
from beanpost.play.display import calendars, match_rows
from beanpost.play.display.scene import Scene
from beanpost.play.models import Match, Place
from beanpost.play.tickets import FewerTicket, sign
from beanpost.post import mime, preferences
from beanpost.post.compose import (
    digests,
    find_my_games,  # noqa: F401 (registers its kind of letter)
    inline_css,
    messages,
    threads,
)
from beanpost.post.compose.album import Album, provider_takes_pictures
from beanpost.post.compose.contents import contents, is_about_question, is_refused
from beanpost.post.compose.menus import numbered
from beanpost.post.compose.reply_answers import ANSWERS
from beanpost.post.models import LONGEST_SUBJECT, Letter
from beanpost.post.outbox import addresses
from beanpost.post.outbox.claims import ComposedLetter
from beanpost.post.outbox.queue import current

COLUMNS = 76
ANSWERABLE = {"turn", "reminder", "excused", "answer"}  # kinds that print a question and its moves
ABOUT_ALL = {"digest", "which", "lost"}  # kinds about all tables of a player
MOST_LOOKS = 3
NO_ROW = 0  # the primary key of a preview: no row has it, so nobody can answer it
LONGEST = 80_000  # bytes of HTML and pictures: with its text such a letter stays below 100 KB
LONGEST_HTML = 98_000  # bytes of HTML alone: Gmail cuts off a little more than this


class Unsettled(Exception):
    """The match changed during every attempt; compose the letter later."""


def compose(letter: Letter, now: datetime) -> ComposedLetter | None:
    """Return the letter as it will be sent, or None if nobody needs it any more."""
    with translation.override(letter.recipient.language), timezone.override(letter.recipient.tz):
        context = contents_at_one_moment(letter)
        return written(letter, context, now) if context else None


class Seen(NamedTuple):
    """A preview of a letter."""

    subject: str
    html: str


def as_it_would_arrive(match: Match, place: Place, now: datetime) -> Seen | None:
    """Preview the letter this seat would get now, for players without an address. It is not stored, sent or answerable.

    The stylesheet is not inlined: browsers keep it, and the page is half as long.
    """
    assert place.player is not None
    kind, values = current(match, place)
    letter = Letter(NO_ROW, recipient=place.player, match=match, kind=kind, values=values, created_at=now, due_at=now)
    context = contents_at_one_moment(letter)
    if context is None:
        return None
    subject = titled(letter, context)
    return Seen(subject, filled(letter, "html", {**context, "subject": subject, "answerable": False}))


def load_matches(batch: Iterable[Letter]) -> None:
    """Load the matches of all letters that are still to be composed, with a few queries for the whole batch.

    Letters of one match share the loaded rows.
    """
    tables: dict[int, Match] = {}
    for letter in batch:
        if letter.match and not letter.is_written:
            letter.match = tables.setdefault(letter.match.pk, letter.match)
    match_rows.attach_rows(list(tables.values()))


def is_needed(letter: Letter, asked: Collection[Letter]) -> bool:
    """Return whether a stored letter must still be sent. `asked`: the letters whose question is still open."""
    if is_about_question(letter):
        return letter in asked and not is_refused(letter)
    return contents_at_one_moment(letter) is not None


def contents_at_one_moment(letter: Letter) -> Mapping[str, Any] | None:
    """Return the letter's contents as of one moment: if somebody has moved meanwhile, read the match again."""
    for _ in range(MOST_LOOKS):
        context = contents(letter)
        if context is None:
            return None
        if still := up_to_date(letter, context):
            return still
        if letter.match:
            letter.match.refresh_from_db()
    raise Unsettled


def up_to_date(letter: Letter, context: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the contents with the counts of earlier letters, or None if a match has changed since it was read."""
    if letter.match is None:
        return None if have_gone_on([one["match"] for one in context.get("questions", [])]) else context
    before = threads.before(letter)
    if before.length != letter.match.length:
        return None
    first, went = not before.from_table, before.went
    offered = preferences.offers_daily_letter(letter, went=went, is_first=first)
    fewer = sign(FewerTicket(letter.recipient_id, "daily")) if offered else ""
    return {**context, "first": first, "went": went, "fewer_ticket": fewer}


def have_gone_on(matches: Sequence[Match]) -> bool:
    lengths = dict(Match.objects.filter(pk__in=[match.pk for match in matches]).values_list("pk", "length"))
    return any(lengths[match.pk] != match.length for match in matches)


def written(letter: Letter, context: Mapping[str, Any], now: datetime) -> ComposedLetter:
    asked = question(letter, context)
    context = {**context, "answerable": bool(settings.INBOUND_DOMAIN) and is_answerable(letter, context, asked)}
    subject = titled(letter, context)
    album = Album(shown=provider_takes_pictures() and not letter.recipient.without_pictures)
    context, html = (context, "") if letter.recipient.text_only else in_html(letter, context, subject, album)
    text = folded(filled(letter, "txt", context))
    address = letter.goes_to
    head = {"Subject": subject, "From": settings.DEFAULT_FROM_EMAIL, "To": address}
    if context["answerable"]:
        head["Reply-To"] = addresses.address(addresses.TURN, letter.pk)
    elif context.get("reply_to"):
        head["Reply-To"] = context["reply_to"]  # a person, such as a league's organiser
    head |= messages.headers(letter, context, now)
    head |= answering(letter, head)
    scenes = [one["scene"] for one in context.get("questions", [context]) if one.get("scene")]
    calendar = calendars.build_letter_calendar(scenes, now) if letter.recipient.calendar else ""
    return ComposedLetter(
        address=address,
        subject=subject,
        source=mime.to_bytes(head, text, html, calendar, album.used),
        options=printed(letter, context),
        asked=asked,
    )


def is_answerable(letter: Letter, context: Mapping[str, Any], asked: Mapping[str, int]) -> bool:
    return bool(asked) or (letter.kind in ABOUT_ALL and bool(context["questions"]))


def answering(letter: Letter, head: Mapping[str, str]) -> dict[str, str]:
    """Return the extra headers of an answer to an email, which keep machines from replying to it."""
    if letter.kind not in ANSWERS:
        return {}
    thread = [head.get("References", ""), letter.values.get("answers", "")]
    return {"Auto-Submitted": "auto-replied", "References": " ".join(filter(None, thread))}


def in_html(letter: Letter, context: Mapping[str, Any], subject: str, album: Album) -> tuple[Mapping[str, Any], str]:
    """Render the HTML and return it with its contents, shortened until Gmail shows the letter whole.

    A long letter does without pictures first, then without some of its tables and moves.
    """
    album.clear()
    html = inline_css.inlined(filled(letter, "html", {**context, "subject": subject, "album": album}))
    if len(html.encode()) + album.weight <= (LONGEST if album.weight else LONGEST_HTML):
        return context, html
    if album.weight:
        album.shown = False
        return in_html(letter, context, subject, album)
    shorter = digests.shortened(context)
    return in_html(letter, shorter, subject, album) if shorter else (context, html)


def titled(letter: Letter, context: Mapping[str, Any]) -> str:
    title = " ".join(filled(letter, "subject.txt", context).split())
    return title if len(title) <= LONGEST_SUBJECT else f"{title[: LONGEST_SUBJECT - 1]}…"


def filled(letter: Letter, part: str, context: Mapping[str, Any]) -> str:
    context = {**context, "games_shown": games_shown(context), **translations.functions()}
    return render_to_string(f"letters/{letter.kind}.{part}", context, using="jinja2")


def games_shown(context: Mapping[str, Any]) -> list[str]:
    """Return the games whose tables the letter may draw: each adds its own styles."""
    scenes = [one["scene"] for one in (context, *context.get("questions", ())) if one.get("scene")]
    return list(dict.fromkeys(scene.rules.slug for scene in scenes))


def printed(letter: Letter, context: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the numbered moves as printed: a reply "2" means the second of these."""
    if letter.kind in ABOUT_ALL:
        tables = [one for one in context["questions"] if one["printed"]]
        return [move for one in tables for move in numbered(one["scene"], one["before"], asked=asked_in(one["scene"]))]
    return numbered(context["scene"]) if context.get("scene") else []


def question(letter: Letter, context: Mapping[str, Any]) -> dict[str, int]:
    """Return the question that a reply answers, as in the links (seat, occupant, question); {} if the letter asks none.

    A letter about all tables that has only one question is answered like a letter of that table.
    """
    shown: Scene | None = context.get("scene")
    if letter.kind in ABOUT_ALL and len(context["questions"]) == 1 and not context["more"]:
        shown = context["questions"][0]["scene"]
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
    """Wrap plain text: short lines, single blank lines, unbroken links.

    >>> print(folded("Dear Ann,\\n\\n\\n\\nit is your turn.  \\n"))
    Dear Ann,
    <BLANKLINE>
    it is your turn.
    <BLANKLINE>
    """
    lines = map(fold_line, map(str.rstrip, text.strip("\n").splitlines()))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"


def fold_line(line: str) -> str:
    """Wrap a long line, indented like its beginning; never break a link."""
    return line if len(line) <= COLUMNS or line.split() == [line] else wrapped(line)


@lru_cache(maxsize=512)
def wrapped(line: str) -> str:
    """Cached because most long lines are standard sentences, the same in many letters."""
    indent = re.match(r"\s*(?:[-·>]|\d+\.)?\s*", line)
    assert indent is not None
    hanging = re.sub(r"[^>\s]", " ", indent[0])
    return textwrap.fill(line, COLUMNS, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)
