"""A table of three with an unshuffled deck, and what its readers are told."""

import games
from games.contract.asks import Step
from games.pas_de_haricots.deck import DECK

A, B, C = range(3)
LEAD, FIRST, SECOND = (A, "play 7S"), (B, "play 3D"), (C, "play KC")


def table(*lines):
    """Return the table after A has begun, the cards are dealt, and some lines."""
    now = games.open("pas_de_haricots", seats=3)
    for seat, line in [(games.DEALER, "start A"), (games.DEALER, f"shuffle {' '.join(DECK)}"), *lines]:
        now = now.says(seat, line)
    return now


def step(*lines):
    """Return the last of these lines as a step."""
    *before, (seat, line) = lines
    was, now = table(*before), table(*lines)
    return Step(was.state, seat, was.read(seat, line), now.state)


def describe(what, now, reader):
    return [str(phrase) for phrase in now.rules.words.tell(what, now.state, reader)]


def redact(what, now, reader):
    return now.rules.secrecy.redact(what, now.state, reader)
