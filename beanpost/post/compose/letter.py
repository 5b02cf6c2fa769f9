"""Compose a letter: from its contents to the exact bytes that are sent, in the reader's language and time zone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from html import unescape
from typing import Any, NamedTuple

import css_inline
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone, translation

import games
from beanpost.i18n import translations
from beanpost.play import load
from beanpost.play.display.lists import calendars
from beanpost.play.display.scene import Scene
from beanpost.play.models import Match, Place
from beanpost.play.tickets import FewerTicket, sign
from beanpost.players.models import Player
from beanpost.post import kinds, mime, preferences
from beanpost.post.compose import acknowledgements, digests, headers, plain_text
from beanpost.post.compose.album import Album, does_provider_take_pictures
from beanpost.post.compose.contents import build_contents, is_about_question, is_refused
from beanpost.post.compose.menus import list_marked_moves
from beanpost.post.models import LONGEST_SUBJECT, Letter
from beanpost.post.outbox import addresses
from beanpost.post.outbox.claims import ComposedLetter
from beanpost.post.outbox.queue import choose_current_letter

MAX_TRIES = 3
OFFERED_EVERY = 10  # after so many letters of a match, the next one offers one letter a day
NO_ROW = 0  # the primary key of a preview: no row has it, so nobody can answer it
TITLE = re.compile(r"<title>(.*?)</title>", re.S)
INLINER = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
LONGEST = 98_000  # bytes of HTML and pictures, decoded: Gmail cuts off HTML that is a little longer


class Unsettled(Exception):
    """The match changed during every attempt; compose the letter later."""


def compose(letter: Letter, now: datetime) -> ComposedLetter | None:
    """Return the letter as it will be sent, or None if nobody needs it any more."""
    with translation.override(letter.recipient.language), timezone.override(letter.recipient.tz):
        context = load_consistent_contents(letter)
        return compose_message(letter, context, now) if context else None


class Preview(NamedTuple):
    """A preview of a letter."""

    subject: str
    html: str


def preview(match: Match, place: Place, now: datetime) -> Preview | None:
    """Preview the letter this seat would get now, for guests of a practice match. It is not stored, sent or answerable.

    The stylesheet is not inlined: browsers keep it, and the page is half as long.
    """
    assert place.player is not None
    kind, values = choose_current_letter(match, place)
    letter = Letter(NO_ROW, recipient=place.player, match=match, kind=kind, values=values, created_at=now, due_at=now)
    context = load_consistent_contents(letter)
    if context is None:
        return None
    source = render(letter, {**context, "answerable": False})
    return Preview(read_subject(source), plain_text.keep_html(source))


def load_matches(batch: Iterable[Letter]) -> None:
    """Load the matches of all letters that are still to be composed, with a few queries for the whole batch.

    Letters of one match share the loaded rows.
    """
    tables: dict[int, Match] = {}
    for letter in batch:
        if letter.match and not letter.is_written:
            letter.match = tables.setdefault(letter.match.pk, letter.match)
    load.load_matches(list(tables.values()))


def is_needed(letter: Letter, asked: Collection[Letter]) -> bool:
    """Return whether a stored letter must still be sent. `asked`: the letters whose question is still open."""
    if is_about_question(letter):
        return letter in asked and not is_refused(letter)
    return load_consistent_contents(letter) is not None


def load_consistent_contents(letter: Letter) -> Mapping[str, Any] | None:
    """Return the letter's contents as of one moment: if somebody has moved meanwhile, read the match again."""
    for _ in range(MAX_TRIES):
        context = build_contents(letter)
        if context is None:
            return None
        if still := add_counts_if_current(letter, context):
            return still
        if letter.match:
            letter.match.refresh_from_db()
    raise Unsettled


def add_counts_if_current(letter: Letter, context: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the contents with the counts of earlier letters, or None if a match has changed since it was read."""
    if letter.match is None:
        return None if have_changed([one["match"] for one in context.get("questions", [])]) else context
    before = headers.count_earlier_letters(letter)
    if before.length != letter.match.length:
        return None
    first, sent_count = not before.from_table, before.sent_count
    offered = should_offer_daily_letter(letter, sent_count=sent_count, is_first=first)
    fewer = sign(FewerTicket(letter.recipient_id, letter.recipient.sessions, preferences.DAILY)) if offered else ""
    told = context.get("acknowledged", [])
    if before.unacknowledged and context.get("scene"):
        told = told + acknowledgements.find_joined(letter, context["scene"])
    counts = {"first": first, "sent_count": sent_count, "fewer_ticket": fewer}
    return {**context, **counts, "acknowledged": told}


def should_offer_daily_letter(letter: Letter, *, sent_count: int, is_first: bool) -> bool:
    """Return whether a letter offers one letter a day: each tenth of a match, and the first of a game with many."""
    if letter.match is None or letter.recipient.how_often != Player.HowOften.EVERY:
        return False
    if not kinds.load()[letter.kind].offers_daily:
        return False
    many = is_first and games.get(letter.match.game, letter.match.edition).writes_often
    return many or (sent_count > 0 and sent_count % OFFERED_EVERY == 0)


def have_changed(matches: Sequence[Match]) -> bool:
    lengths = dict(Match.objects.filter(pk__in=[match.pk for match in matches]).values_list("pk", "length"))
    return any(lengths[match.pk] != match.length for match in matches)


def compose_message(letter: Letter, context: Mapping[str, Any], now: datetime) -> ComposedLetter:
    asked = find_question(letter, context)
    context = {**context, "answerable": bool(settings.INBOUND_DOMAIN) and is_answerable(letter, context, asked)}
    draws = does_provider_take_pictures() and not letter.recipient.without_pictures
    context, source, html, album = render_whole(letter, context, draws=draws)
    subject, text = read_subject(source), plain_text.read_text(source)
    address = letter.target_address
    head = {"Subject": subject, "From": settings.DEFAULT_FROM_EMAIL, "To": address}
    if context.get("reply_to") and not context["answerable"]:
        head["Reply-To"] = context["reply_to"]  # a person, such as a league's organiser
    elif settings.INBOUND_DOMAIN:  # a letter that can't be answered too: its reader is told which link to use
        head["Reply-To"] = addresses.build_address(addresses.TURN, letter.pk)
    head |= headers.build_headers(letter, context, now)
    head |= build_answer_headers(letter, head)
    scenes = [one["scene"] for one in context.get("questions", [context]) if one.get("scene")]
    calendar = calendars.build_letter_calendar(scenes, now) if letter.recipient.calendar else ""
    return ComposedLetter(
        address=address,
        subject=subject,
        source=mime.build_message(head, text, html, calendar, album.used),
        options=list_printed_moves(letter, context),
        asked=asked,
        joined=list_joined(letter, context),
    )


def list_joined(letter: Letter, context: Mapping[str, Any]) -> list[int]:
    """Return the primary keys of the acknowledgements that the letter makes needless."""
    return [told.letter for told in context.get("acknowledged", []) if told.letter != letter.pk]


def is_answerable(letter: Letter, context: Mapping[str, Any], asked: Mapping[str, int]) -> bool:
    return bool(asked) or (kinds.load()[letter.kind].about_all and bool(context["questions"]))


def build_answer_headers(letter: Letter, head: Mapping[str, str]) -> dict[str, str]:
    """Return the extra headers of an answer to an email, which keep machines from replying to it."""
    if not (kinds.load()[letter.kind].answers or letter.kind == kinds.PLAYED):
        return {}
    thread = [head.get("References", ""), letter.values.get("answers", "")]
    return {"Auto-Submitted": "auto-replied", "References": " ".join(filter(None, thread))}


def render_whole(
    letter: Letter, context: Mapping[str, Any], *, draws: bool
) -> tuple[Mapping[str, Any], str, str, Album]:
    """Return the letter's contents, the letter as its template renders it, its HTML, short enough for Gmail to show it
    whole, and its pictures.

    A long letter does without pictures first, then without some of its tables and moves.
    """
    album = Album(shown=draws)
    source = render(letter, {**context, "album": album})
    if letter.recipient.text_only:
        return context, source, "", album
    html = inline_styles(plain_text.keep_html(source))
    if len(html.encode()) + album.weight <= LONGEST:
        return context, source, html, album
    if album.weight:
        return render_whole(letter, context, draws=False)
    shorter = digests.shorten(context)
    return render_whole(letter, shorter, draws=draws) if shorter else (context, source, html, album)


def inline_styles(html: str) -> str:
    """Inline the stylesheet: mail programs drop <style>. At-rules, which cannot be inlined, stay there."""
    # A line break before each style keeps lines below the 998 characters that email allows.
    return INLINER.inline(html.rstrip()).replace(' style="', '\nstyle="')


def render(letter: Letter, context: Mapping[str, Any]) -> str:
    """Return the letter as its template renders it, from which its subject, HTML and text are read."""
    site = {"site_name": settings.SITE_NAME, "games_shown": find_games_shown(context)}
    return render_to_string(
        f"letters/{letter.kind}.html", {**context, **site, **translations.functions()}, using="jinja2"
    )


def read_subject(source: str) -> str:
    found = TITLE.search(source)
    title = " ".join(unescape(found[1]).split()) if found else ""
    return title if len(title) <= LONGEST_SUBJECT else f"{title[: LONGEST_SUBJECT - 1]}…"


def find_games_shown(context: Mapping[str, Any]) -> list[str]:
    """Return the games whose tables the letter may draw: each adds its own styles."""
    scenes = [one["scene"] for one in (context, *context.get("questions", ())) if one.get("scene")]
    return list(dict.fromkeys(scene.rules.slug for scene in scenes))


def list_printed_moves(letter: Letter, context: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the moves as printed, with their marks: a reply "m2" means the second of these."""
    if kinds.load()[letter.kind].about_all:
        tables = [one for one in context["questions"] if one["printed"]]
        return [
            move
            for one in tables
            for move in list_marked_moves(one["menu"], one["before"], asked=describe_question(one["scene"]))
        ]
    return list_marked_moves(context["menu"]) if find_question(letter, context) else []


def find_question(letter: Letter, context: Mapping[str, Any]) -> dict[str, int]:
    """Return the question that a reply answers, as in the links (seat, occupant, question); {} if the letter asks none.

    A letter about all tables that has only one question is answered like a letter of that table.
    """
    kind, shown = kinds.load()[letter.kind], context.get("scene")
    if kind.about_all and len(context["questions"]) == 1 and not context["more"]:
        shown = context["questions"][0]["scene"]
    elif not kind.answerable:
        return {}
    return describe_question(shown) if shown else {}


def describe_question(shown: Scene) -> dict[str, int]:
    if shown.wait is None or shown.place is None:
        return {}
    return {
        "match": shown.match.pk,
        "seat": shown.wait.seat,
        "occupant": shown.place.occupant,
        "question": shown.wait.opened,
        "since": shown.match.length,
    }
