"""A table of three with the deck unshuffled, and what is told and heard there."""

import games
from games.pas_de_haricots.deck import DECK
from games.rules import Step

A, B, C = range(3)
LEAD, FIRST, SECOND = (A, "play 7S"), (B, "play 3D"), (C, "play KC")


def table(*lines):
    """The table after A has begun, the cards are dealt, and some lines."""
    said = games.open("pas_de_haricots", seats=3)
    for seat, line in [(games.DEALER, "start A"), (games.DEALER, f"shuffle {' '.join(DECK)}"), *lines]:
        said = said.says(seat, line)
    return said


def step(*lines):
    """The last of these lines."""
    *before, (seat, line) = lines
    was, now = table(*before), table(*lines)
    return Step(was.state, seat, was.read(seat, line), now.state)


def told(what, now, reader):
    return [str(phrase) for phrase in now.rules.words.tell(what, now.state, reader)]


def heard(what, now, reader):
    return now.rules.hears(what, now.state, reader)
