"""Check that nothing was lost or done twice: python -m tools.proof.verdict FILE, in the installation's environment.

FILE holds, as JSON, the presses that were answered, those that may have been, and the path of the accepted letters.
Every printed sentence names a violation; nothing is printed if there is none.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "beanpost.settings")

import django

django.setup()

from beanpost.play.log.audit import find_differences
from beanpost.play.models import Event, Match, Place, Wait
from beanpost.post.compose import headers
from beanpost.post.models import Letter
from tools.proof.people import Mailbag, Ticket, read_message_id


def count_presses(tickets: list[Ticket]) -> Counter[tuple[int, int, str]]:
    """Count how often each line was said; presses of the same line in one question count once."""
    return Counter((t.match, t.seat, t.line) for t in {t._replace(occupant=0, since=0) for t in tickets})


def check_moves(accepted: list[Ticket], perhaps: list[Ticket]) -> Iterator[str]:
    """Check that every answered press is in the log once, and that nothing else is."""
    players = Event.objects.filter(origin=Event.Origin.PLAYER).values_list("match_id", "seat", "line")
    logged = Counter((match, seat, line) for match, seat, line in players)
    sure, most = count_presses(accepted), count_presses([*accepted, *perhaps])
    for move, count in sure.items():
        if logged[move] < count:
            yield f"Lost: {move} was accepted {count} times and is logged {logged[move]} times."
    for said, count in logged.items():
        if count > most[said]:
            yield f"Doubled: {said} was pressed {most[said]} times and is logged {count} times."


def check_questions() -> Iterator[str]:
    """Check that every open question has a letter: sent, or held back because the page has shown it."""
    for wait in Wait.objects.exclude(due_at=None).select_related("match"):
        place = Place.objects.get(match=wait.match, seat=wait.seat)
        key = f"m/{wait.match_id}/{wait.seat}/{wait.opened}"
        letter = Letter.objects.filter(recipient=place.player, kind="turn", key=key).first()
        if letter is None:
            yield f"No letter: question {key} has none."
        elif letter.state not in (Letter.State.SENT, Letter.State.QUEUED):
            yield f"No letter: that of question {key} is {letter.state}."


def check_letters(accepted: Path) -> Iterator[str]:
    """Check that each letter marked as sent has reached the mail server."""
    sent = list(Letter.objects.filter(state=Letter.State.SENT))
    # Read last: the installation still runs, and a letter that it sends meanwhile must not count as lost.
    came = {read_message_id(letter) for letter in Mailbag(accepted).fresh()}
    for letter in sent:
        if headers.make_message_id(letter).strip("<>") not in came:
            yield f"Lost: letter {letter.pk} ({letter.kind}) counts as sent, and the mail server never had it."
    for letter in Letter.objects.filter(state=Letter.State.FAILED):
        yield f"Given up: letter {letter.pk}, {letter.error}."


def check_players() -> Iterator[str]:
    """Check that nobody was timed out: all had a day, and faults lasted minutes. A reminder costs no time."""
    for event in Event.objects.filter(origin=Event.Origin.CLOCK).exclude(line__startswith="remind "):
        yield f"Timed out: {event.line} (seat {event.seat}) in line {event.seq} of match {event.match_id}."
    for place in Place.objects.filter(stand_in=True):
        yield f"Replaced: a bot sits in for seat {place.seat} of match {place.match_id}."


def check_logs() -> Iterator[str]:
    for match in Match.objects.exclude(started_at=None):
        for sentence in find_differences(match):
            yield f"Match {match.code}: {sentence}"


def main() -> None:
    told = json.loads(Path(sys.argv[1]).read_text())
    accepted, perhaps = ([Ticket(*ticket) for ticket in told[name]] for name in ("accepted", "perhaps"))
    found = [
        *check_moves(accepted, perhaps),
        *check_questions(),
        *check_letters(Path(told["letters"])),
        *check_players(),
        *check_logs(),
    ]
    print(*found, sep="\n")


if __name__ == "__main__":
    main()
