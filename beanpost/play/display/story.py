"""The story of a match, told to one reader: the news for every page and letter, and the whole story for some."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from operator import itemgetter
from typing import Any

from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from beanpost.play.display import house_notices
from beanpost.play.display.wording import quote_if_card, say_with_signs
from beanpost.play.models import Event, Match, Note
from beanpost.play.perspective import Perspective
from games.contract.asks import Step, is_sealed
from games.contract.look import Layers
from games.contract.notation import read
from games.contract.orders import StandingOrder
from games.contract.seats import HOUSE, Seat

MAX_SHOWN = 6  # pictures on one page
MAX_DRAWN = 4  # small pictures in one line of the story
MAX_FOR_NEWCOMER = 25  # lines of news for a player who has just taken over a seat
MAX_UNDOABLE = 20  # lines to choose from


@dataclass(frozen=True)
class StoryLine:
    """A line of the log as one reader may see it."""

    seq: int
    seat: Seat
    origin: str
    said_at: datetime
    sentences: list[str]
    name: str = ""  # of the player who sat there at that time
    note: Note | None = None
    by_hand: bool = True  # False: by the house, or by an order (which only its owner may know)
    picture: Any = None  # something public to draw, if a picture says more than words
    drawings: tuple[Layers, ...] = ()  # small pictures, of the cards that the line names as this reader may read it
    is_note: bool = False  # a note between moves; `seq` is the line before it

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


@dataclass(frozen=True)
class Story:
    """The latest part of the story."""

    news: list[StoryLine]  # since the reader's last move before the open question, that move included; or everything
    pictured: list[StoryLine]  # the news with a picture, at most the last few
    notes: Mapping[Hashable, Note]  # notes sent with moves, by the keys that the game's templates use


def tell_news(seen: Perspective, opened: int | None) -> Story:
    """Return the latest part: all lines since the reader's last move before the line `opened`, which asked them.

    A newcomer who has not moved yet reads the last lines, and a bystander everything.
    """
    seated, lines, has_spoken = seen.place.seated if seen.place else 0, deque[StoryLine](), False
    for line in tell_backwards(seen):
        lines.appendleft(line)
        if line.seat == seen.reader and line.by_hand and line.seq > seated:
            has_spoken = True
            if opened is None or line.seq <= opened:
                break
    news = list(lines)[-MAX_FOR_NEWCOMER:] if seated and not has_spoken else list(lines)
    pictured = [line for line in news if line.picture is not None][-MAX_SHOWN:]
    return Story(news, pictured, find_notes_by_key(seen))


def find_notes_by_key(seen: Perspective) -> dict[Hashable, Note]:
    """Return the notes sent with moves by the keys that the game's templates use."""
    note_key = seen.rules.words.note_key
    if note_key is None or not seen.loaded.notes:
        return {}
    notes, _between = seen.find_notes()
    keys = {event.seq: note_key(step) for event, step in seen.steps if event.seq in notes}
    return {key: notes[seq] for seq, key in keys.items() if key is not None}


def tell_story(match: Match, reader: Seat | None) -> list[StoryLine]:
    """Return all lines that were not rewound, as sentences for a reader, without those that say nothing to them."""
    return list(tell_backwards(Perspective(match, reader)))[::-1]


def find_line(match: Match, reader: Seat | None, seq: int) -> StoryLine | None:
    """Return one line of the story; None if the reader is not told of it."""
    return next(iter(find_lines(match, reader, range(seq, seq + 1))), None)


def find_lines(match: Match, reader: Seat | None, seqs: range) -> list[StoryLine]:
    """Return these lines of the story, without those that the reader is not told of. Nothing before them is told."""
    told = takewhile(lambda line: line.seq >= seqs.start, tell_backwards(Perspective(match, reader)))
    return [line for line in told if line.seq in seqs and not line.is_note][::-1]


def find_undoable_lines(match: Match) -> list[StoryLine]:
    """Return the latest lines to which the match can go back, as a bystander sees them."""
    return [line for line in tell_story(match, None) if line.seat >= 0][-MAX_UNDOABLE:]


def find_undone_lines(match: Match, line: int) -> list[StoryLine]:
    """Return what going back to a line would undo, as a bystander sees it."""
    return [move for move in tell_story(match, None) if move.seat != HOUSE and move.seq > line]


# ── one line ──


def tell_backwards(seen: Perspective) -> Iterator[StoryLine]:
    """Yield the story from its end: the news is only its last part, and telling a long story takes time."""
    with_moves, between = seen.find_notes()
    told: list[tuple[int, Event | Note, Step[Any] | None]] = [(event.seq, event, step) for event, step in seen.steps]
    told += [(event.seq, event, None) for event in seen.loaded.events if event.seat == HOUSE]
    told += [(note.seq, note, None) for note in between]  # after the line with their number
    told.sort(key=itemgetter(0))
    for seq, row, step in reversed(told):
        if isinstance(row, Note):
            yield tell_note(seen, row)
        elif step is None:
            yield tell_house_line(seen, row)
        elif not seen.is_hidden_by_order(step) and (line := tell_step(seen, row, step, with_moves.get(seq))).sentences:
            yield line


@sensitive_variables("step")
def tell_step(seen: Perspective, event: Event, step: Step[Any], note: Note | None) -> StoryLine:
    reader, names, rules = seen.find_reader_at(event.seq), seen.find_names_at(event.seq), seen.rules
    tell_forced = rules.words.tell_forced
    sentences = [
        say_with_signs(phrase, names, rules.look) for phrase in rules.words.tell(step, seen.table.state, reader)
    ]
    redacted = rules.secrecy.redact(step, seen.table.state, reader)
    # While an answer is sealed, nobody may learn that it wasn't the player's own.
    if event.origin in (Event.Origin.CLOCK, Event.Origin.HOUSE, Event.Origin.BOT) and not is_sealed(redacted):
        if event.origin == Event.Origin.HOUSE and tell_forced and (forced := tell_forced(step, reader)):
            sentences[0] = say_with_signs(forced, names, rules.look)
        elif why := say_who_moved(event.origin, names[event.seat], is_own=event.seat == reader):
            sentences.insert(0, why)
    order = seen.orders_by_line.get(event.seq)
    if order:
        sentences.append(_("Played by your order “%(order)s”.") % {"order": describe_order(seen, order)})
    return StoryLine(
        event.seq,
        event.seat,
        event.origin,
        event.said_at,
        sentences,
        name=names[event.seat] if event.seat >= 0 else "",
        note=note,
        by_hand=not order and event.origin != Event.Origin.HOUSE,
        picture=rules.words.show_picture(step) if rules.words.show_picture else None,
        drawings=find_drawings(redacted, rules.look.drawings),
    )


def find_drawings(redacted: str, drawn: Mapping[str, Layers]) -> tuple[Layers, ...]:
    words = dict.fromkeys(re.findall(r"\w+", redacted)) if drawn else ()
    return tuple(drawn[word] for word in words if word in drawn)[:MAX_DRAWN]


def describe_order(seen: Perspective, line: str) -> str:
    """Return an order of this game in words."""
    order = read(line, seen.rules.orders.kinds)
    if not isinstance(order, StandingOrder):
        return line
    return say_with_signs(order.describe(seen.view), seen.names, seen.rules.look)


def tell_note(seen: Perspective, note: Note) -> StoryLine:
    name = seen.find_names_at(note.seq)[note.seat]
    pattern = _("You wrote: “%(text)s”") if note.seat == seen.reader else _("%(name)s wrote: “%(text)s”")
    sentence = pattern % {"name": quote_if_card(name), "text": note.text}
    return StoryLine(note.seq, note.seat, "", note.said_at, [sentence], name, by_hand=False, is_note=True)


def tell_house_line(seen: Perspective, event: Event) -> StoryLine:
    """Return a line of the house as a line of the story, with an organiser's reason: players who mute notes see it."""
    left = {departure.seq: quote_if_card(departure.name) for departure in seen.departures}
    names = [quote_if_card(name) for name in seen.find_names_at(event.seq)]
    reader = seen.find_reader_at(event.seq)
    sentence = house_notices.describe_event(event, names, reader, left)
    reasons = [note for note in seen.loaded.notes if note.seat == HOUSE and note.seq == event.seq]
    why = reasons[-1] if reasons and reader is not None else None
    name = _("The organiser") if why else ""
    return StoryLine(event.seq, event.seat, event.origin, event.said_at, [sentence], name, why)


def say_who_moved(origin: str, name: str, *, is_own: bool) -> str:
    """Say that somebody else moved for a player; "" if they moved themselves. Only the player is told of a bot."""
    match origin:
        case Event.Origin.CLOCK if is_own:
            return _("Your time ran out, so we played for you.")
        case Event.Origin.CLOCK:
            return _("%(name)s ran out of time, so we played.") % {"name": quote_if_card(name)}
        case Event.Origin.HOUSE if is_own:
            return _("There was only one move, so we made it for you.")
        case Event.Origin.HOUSE:
            return _("There was only one move, so we made it for %(name)s.") % {"name": quote_if_card(name)}
        case Event.Origin.BOT if is_own:
            return _("A bot played for you.")
    return ""
