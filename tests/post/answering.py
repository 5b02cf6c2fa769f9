"""Players who answer their letters by email, and the outcome."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.policy import SMTP

from django.test import override_settings

from beanpost.play import moves
from beanpost.play.display import scene
from beanpost.play.models import Event, Match
from beanpost.play.tickets import MoveTicket, redeem
from beanpost.post.compose import menus
from beanpost.post.models import Letter, Reply
from beanpost.post.outbox import addresses
from beanpost.post.receive import child_process, inbox, replies
from tests.friends import NOON, seat_friends
from tests.post.gallery import deliver
from tests.restored import restored

DOMAIN = "in.beans.example"
ANN, BOB, CLEO, DORA = range(4)
LATER = NOON + timedelta(minutes=10)  # when letters that were held back have been sent


def with_replies() -> override_settings:
    """Settings with a reply domain, so that letters can be answered."""
    return override_settings(INBOUND_DOMAIN=DOMAIN)


def mail(letter: Letter, text: str, **headers: str) -> bytes:
    """Write a plain reply to a letter."""
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"] = "bob@example.org", address(letter)
    message["Message-ID"] = f"<{abs(hash((letter.pk, text)))}@mail.example>"
    for name, value in headers.items():
        del message[name.replace("_", "-")]
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return message.as_bytes()


def nested(letter: Letter, depth: int) -> bytes:
    """Write a reply nested in this many multipart layers."""
    head = f"From: bob@example.org\nTo: {address(letter)}\nMessage-ID: <nested@mail.example>\n"
    shells = "".join(f"Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n" for level in range(depth))
    return f"{head}{shells}\npass\n".encode()


def address(letter: Letter) -> str:
    return addresses.build_address(addresses.TURN, letter.pk)


def put_in(letter: Letter, source: bytes, *, sender: str = "bob@example.org", now: datetime = LATER) -> Reply:
    """Receive an email and read it."""
    inbox.receive(source, address(letter), sender=sender, now=now)
    replies.read_waiting(lambda: now)
    return Reply.objects.latest("pk")


def head(letter: Letter) -> EmailMessage:
    """Return a letter's headers, and its parts, as a mail program reads them."""
    return message_from_bytes(bytes(letter.source), policy=policy.default)


def processor_seconds(errand: Callable[[], object]) -> float:
    """Return the processor time of an errand, ours and that of the process that parses mail."""
    nothing: dict[str, object] = {"text": "", "html": "", "printed": []}
    # Its start is not an email's fault.
    child_process.CHILD.ask({"source": "", "sender": "", "is_returned": False, "sent": nothing})
    began = read_processor_time()
    errand()
    return read_processor_time() - began


def read_processor_time() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = child_process.CHILD.process
    running = time.clock_gettime((~process.pid << 3) | 2) if process else 0  # as clock_getcpuclockid() in C
    return time.thread_time() + ended.ru_utime + ended.ru_stime + running


def answer(letter: Letter, text: str, *, now: datetime = LATER, **headers: str) -> Reply:
    return put_in(letter, mail(letter, text, **headers), now=now)


def outcome(reply: Reply) -> str:
    """Return the outcome of a reply in two words: "say pass", "answer unread", "leave away"."""
    if reply.state != Reply.State.PLAYED:
        verb = {Reply.State.ANSWERED: "answer", Reply.State.LEFT: "leave"}[Reply.State(reply.state)]
        return f"{verb} {reply.finding}"
    asked = reply.letter.asked
    events = Event.objects.filter(match=asked["match"], seat=asked["seat"], origin=Event.Origin.PLAYER)
    return f"say {events.latest('seq').line}"


def newest(match: Match, seat: int, now: datetime = LATER) -> Letter:
    """Return the last question that was sent to a seat."""
    deliver(now)
    sent = match.letters.filter(recipient=match.places.get(seat=seat).player, state=Letter.State.SENT)
    return sent.exclude(asked={}).latest("pk")


def bobs_first_letter() -> Letter:
    """Return Bob's first question at the table of `haricots`."""
    return newest(haricots_with_letters(), BOB)


@restored
def haricots_with_letters() -> Match:
    match, _ = haricots()
    deliver(LATER)
    return match


def say(match: Match, seat: int, line: str) -> None:
    moves.play_ticket(redeem(MoveTicket, scene.build_scene(match, seat).question.ticket), line, now=NOON)
    match.refresh_from_db()


# ── tables at which a player is asked ──


def haricots() -> tuple[Match, int]:
    """Bob holds 1 3 4 4 5 6 6 6 7 7 and may play anything."""
    return seat_friends(), BOB


def planting() -> tuple[Match, int]:
    """Dora must plant a garden bean in one of two empty fields."""
    return seat_friends("bohnanza", "standard", seats=4), DORA


@restored
def market() -> tuple[Match, int]:
    """Bob may trade with Dora, who has turned up eye and green."""
    match = seat_friends("bohnanza", "standard", seats=4)
    say(match, DORA, "plant garden in 1")
    say(match, DORA, "reveal")
    return match, BOB


def fagioli() -> tuple[Match, int]:
    """Bob holds 2 2 6 9; the piles count 3 and 7."""
    return seat_friends("fagioli", "standard"), BOB


@restored
def long_menu() -> Match:
    """A table of Fagioli at which Bob has more moves than a letter prints."""
    match, seat = fagioli()
    while len(options := scene.build_scene(match, seat).question.options) <= menus.MAX_PRINTED or seat != BOB:
        say(match, seat, options[0].line)
        seat = match.waits.get().seat
    return match


def leading() -> tuple[Match, int]:
    """Dora holds the bean and fifteen cards."""
    return seat_friends("pas_de_haricots", "one", seats=4), DORA


@restored
def taking() -> tuple[Match, int]:
    """Everyone has played a card, and one player may take Bob's or another."""
    match = seat_friends("pas_de_haricots", "one", seats=4)
    while (
        match.waits.count() != 1
        or "take" not in scene.build_scene(match, match.waits.get().seat).question.options[0].line
    ):
        seat = match.waits.order_by("seat")[0].seat
        say(match, seat, scene.build_scene(match, seat).question.options[0].line)
    return match, match.waits.get().seat


def choosing() -> tuple[Match, int]:
    """Bob may choose 1, 4 or 5."""
    return seat_friends("haricot_magique", "expert"), BOB


@restored
def stacking() -> tuple[Match, int]:
    """A player has rolled and is asked in which order to stack the dice, and where."""
    match = seat_friends("haricot_magique", "base")
    while not any(scene.build_scene(match, wait.seat).question.forms for wait in match.waits.all()):
        seat = match.waits.order_by("seat")[0].seat
        say(match, seat, scene.build_scene(match, seat).question.options[-1].line)
    return match, match.waits.get().seat


TABLES = {table.__name__: table for table in (haricots, planting, market, fagioli, leading, taking, choosing, stacking)}
