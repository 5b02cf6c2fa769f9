"""The past of a match as one reader may know it. `scene` builds on it and adds what the reader can do."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from beanpost.play.display import house_notices
from beanpost.play.display.match_for_reader import MatchForReader
from beanpost.play.display.parts import StoryLine
from beanpost.play.display.wording import quote_if_card
from beanpost.play.log import load
from beanpost.play.models import Event, Note
from games.contract.asks import Step, is_sealed
from games.contract.look import Layers
from games.contract.seats import HOUSE

MOST_SHOWN = 6  # pictures on one page
MOST_DRAWN = 4  # small pictures in one line of the story
SUMMARY = 25  # lines of news for a player who has just taken over a seat


@dataclass(frozen=True)
class Story(MatchForReader):
    """The story of a match, line by line, as its reader may know it."""

    @cached_property
    def log(self) -> list[Event]:
        return self.rows.events

    @cached_property
    def steps(self) -> list[tuple[Event, Step[Any]]]:
        """The moves that were not rewound. They hold full states: `tell_step` decides what the reader is told."""
        return load.replay_standing_moves(self.match, self.log)

    @cached_property
    def notes(self) -> dict[int, Note]:
        """The notes sent with moves, as far as this reader may read them, by line."""
        seats = {event.seq: event.seat for event in self.log}
        with_moves = (note for note in self.rows.notes if note.seat == seats.get(note.seq))
        written = {note.seq: note for note in with_moves} if self.can_read_notes else {}
        return {event.seq: written[event.seq] for event, step in self.steps if self.is_noted(written, event, step)}

    @cached_property
    def notes_between_moves(self) -> list[Note]:
        """The notes sent between moves, if this reader may read them. Each has the number of the line before it."""
        if not self.can_read_notes:
            return []
        seats = {event.seq: event.seat for event in self.log}
        between = (note for note in self.rows.notes if note.seat >= 0 and note.seat != seats.get(note.seq))
        return [note for note in between if self.find_reader_at(note.seq) is not None]

    @cached_property
    def notes_by_key(self) -> dict[Hashable, Note]:
        """The notes sent with moves, by the keys that the game's templates use."""
        if not self.notes:
            return {}
        keys = {event.seq: self.rules.words.note_key(step) for event, step in self.steps if event.seq in self.notes}
        return {key: self.notes[seq] for seq, key in keys.items() if key is not None}

    def find_note(self, key: Hashable) -> Note | None:
        """Return a note that this reader may read, for the game's templates."""
        return self.notes_by_key.get(key)

    def is_noted(self, written: dict[int, Note], event: Event, step: Step[Any]) -> bool:
        """Return whether a line has a note that this reader may read: a note with an offer to one seat is private."""
        to, reader = self.rules.words.addressee(step.action), self.find_reader_at(event.seq)
        if event.seq not in written or reader is None:
            return False
        return (to is None or reader in (to, step.seat)) and not self.is_hidden_by_order(step)

    @cached_property
    def reasons(self) -> dict[int, Note]:
        """Organisers' reasons for lines of the house, by line: shown also to players who have muted notes."""
        return {note.seq: note for note in self.rows.notes if note.seat == HOUSE}

    @cached_property
    def story(self) -> list[StoryLine]:
        """The lines that were not rewound, as sentences for this reader; lines without a sentence are left out."""
        return list(self.iterate_backwards())[::-1]

    def iterate_backwards(self) -> Iterator[StoryLine]:
        """Yield the story from its end: `news` needs only the last part."""
        notes_between_moves = self.notes_between_moves[:]
        for line in self.iterate_moves_backwards():
            while notes_between_moves and notes_between_moves[-1].seq >= line.seq:
                yield self.tell_note(notes_between_moves.pop())
            yield line

    def iterate_moves_backwards(self) -> Iterator[StoryLine]:
        lines: list[tuple[Event, Step[Any] | None]] = [*self.steps]
        lines += [(event, None) for event in self.log if event.seat == HOUSE]
        for event, step in sorted(lines, key=lambda line: -line[0].seq):
            if step and self.is_hidden_by_order(step):
                continue
            line = self.tell_step(event, step) if step else self.tell_house_line(event)
            if line.sentences:
                yield line

    @property
    def can_read_notes(self) -> bool:
        """Whether this reader sees notes: a player who has not muted them, but no bystander."""
        return self.place is not None and self.place.can_read_notes

    def find_line(self, seq: int) -> StoryLine | None:
        """Return one line of the story; None if this reader is not told of it."""
        return next((line for line in self.story if line.seq == seq and not line.is_note), None)

    @cached_property
    def news(self) -> list[StoryLine]:
        """The story since the reader's last move before the open question, that move included, or the last lines."""
        seated, lines, has_spoken = self.place.seated if self.place else 0, deque[StoryLine](), False
        for line in self.iterate_backwards():
            lines.appendleft(line)
            if line.seat == self.reader and line.by_hand and line.seq > seated:
                has_spoken = True
                if self.wait is None or line.seq <= self.wait.opened:
                    break
        return list(lines)[-SUMMARY:] if seated and not has_spoken else list(lines)

    @cached_property
    def pictures(self) -> dict[int, list[Layers]]:
        """Small pictures by line, of the cards that the line names as this reader may read it."""
        drawn = self.rules.look.drawings
        return {event.seq: self.find_pictures(event, step, drawn) for event, step in self.steps} if drawn else {}

    @sensitive_variables("step")
    def find_pictures(self, event: Event, step: Step[Any], drawn: Mapping[str, Layers]) -> list[Layers]:
        redacted = self.rules.secrecy.redact(step, self.table.state, self.find_reader_at(event.seq))
        return [drawn[word] for word in dict.fromkeys(re.findall(r"\w+", redacted)) if word in drawn][:MOST_DRAWN]

    @property
    def pictured_news(self) -> list[StoryLine]:
        """The news with a picture, at most the last few."""
        return [line for line in self.news if line.picture is not None][-MOST_SHOWN:]

    @sensitive_variables("step")
    def is_hidden_by_order(self, step: Step[Any]) -> bool:
        """Return whether an order hides a line from the reader, judged by what the reader could see."""
        if not self.parsed_orders or step.seat < 0:
            return False
        view = self.rules.view(step.after, self.reader)
        return any(order.silences(view, step.seat, step.action) for order in self.parsed_orders)

    @sensitive_variables("step")
    def tell_step(self, event: Event, step: Step[Any]) -> StoryLine:
        reader, names = self.find_reader_at(event.seq), self.find_names_at(event.seq)
        sentences = [
            self.say_with_names(phrase, names) for phrase in self.rules.words.tell(step, self.table.state, reader)
        ]
        # While an answer is sealed, nobody may learn that it wasn't the player's own.
        if not is_sealed(self.rules.secrecy.redact(step, self.table.state, reader)):
            forced = self.rules.words.tell_forced(step, reader) if event.origin == Event.Origin.HOUSE else None
            if forced:
                sentences[0] = self.say_with_names(forced, names)
            elif why := say_who_moved(event.origin, names[event.seat], is_own=event.seat == reader):
                sentences.insert(0, why)
        order = self.orders_by_line.get(event.seq)
        if order:
            sentences.append(_("Played by your order “%(order)s”.") % {"order": self.describe_order(order)})
        by_hand = not order and event.origin != Event.Origin.HOUSE
        note, picture = self.notes.get(event.seq), self.rules.words.show_picture(step)
        name = names[event.seat] if event.seat >= 0 else ""
        return StoryLine(event.seq, event.seat, event.origin, event.said_at, sentences, name, note, by_hand, picture)

    def tell_note(self, note: Note) -> StoryLine:
        name = self.find_names_at(note.seq)[note.seat]
        pattern = _("You wrote: “%(text)s”") if note.seat == self.reader else _("%(name)s wrote: “%(text)s”")
        sentence = pattern % {"name": quote_if_card(name), "text": note.text}
        return StoryLine(note.seq, note.seat, "", note.said_at, [sentence], name, by_hand=False, is_note=True)

    def tell_house_line(self, event: Event) -> StoryLine:
        """Return a line of the house as a line of the story."""
        left = {departure.seq: quote_if_card(departure.name) for departure in self.departures}
        names = [quote_if_card(name) for name in self.find_names_at(event.seq)]
        reader = self.find_reader_at(event.seq)
        sentence = house_notices.describe_event(event, names, reader, left)
        why = None if reader is None else self.reasons.get(event.seq)
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
