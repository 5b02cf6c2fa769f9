"""One letter of every kind, as its recipient gets it: for tests that read them all, and for looking at them."""

from __future__ import annotations

from datetime import datetime, timedelta
from email import message_from_bytes
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.test import override_settings

import games
from beanpost.play import load, moves
from beanpost.play.demo import play_out
from beanpost.play.display import scene
from beanpost.play.models import Match, Place
from beanpost.play.seats import joining, lifecycle, opening, own_seat, takeover, votes
from beanpost.play.tickets import AddressTicket, JoinTicket, MoveTicket, redeem, sign
from beanpost.play.timekeeping import absence, reminders, timeouts
from beanpost.play.turns import house_lines
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post import address_moves
from beanpost.post.deliver import sending
from beanpost.post.models import Letter
from beanpost.post.outbox import queue, requested
from tests.friends import CALLED, NOON, gather, seat_friends, welcome
from tests.restored import restored

MINUTE = timedelta(minutes=1)


def deliver(now: datetime = NOON) -> int:
    """Answer requests and send the due letters with the dummy backend."""
    requested.answer_requests(now)
    with override_settings(EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend"):
        return sending.deliver(lambda: now)


def asked(match: Match) -> Place:
    """Return the seat the match waits for."""
    return match.places.select_related("player").get(seat=match.waits.get().seat)


def ticket(match: Match, wish: str = "play") -> MoveTicket:
    """Return the ticket of the first move that starts like this, or else of the first move."""
    options = scene.build_scene(match, asked(match).seat).question.options
    chosen = next((option for option in options if option.line.startswith(wish)), options[0])
    return redeem(MoveTicket, chosen.ticket)


def move(match: Match, wish: str = "play", *, note: str = "", now: datetime = NOON) -> moves.Played:
    pressed = ticket(match, wish)
    made = moves.play_ticket(pressed, pressed.line, note=note, now=now)
    match.refresh_from_db()
    return made


def play_on(match: Match, now: datetime = NOON) -> None:
    """Play the match to its end, move by move."""
    while match.phase == Match.Phase.RUNNING:
        move(match, now=now)


def printed_moves(letter: Letter) -> list[dict[str, Any]]:
    """The numbered moves of a letter, without those that are offered with a plan."""
    return [option for option in letter.options if "order" not in option]


def weigh(letter: Letter) -> int:
    """Return the bytes of a letter's HTML and pictures, decoded: what Gmail measures before it cuts a letter off."""
    parts = message_from_bytes(letter.source).walk()
    return sum(
        len(part.get_payload(decode=True)) for part in parts if part.get_content_type() in ("text/html", "image/png")
    )


def write_every_kind(language: str = "en", zone: str = "Europe/Paris") -> dict[str, Letter]:
    """Return the last letter of each kind, all of them sent."""
    send_every_kind(language, zone)
    return by_kind(Letter.objects.filter(state=Letter.State.SENT))


@restored
def send_every_kind(language: str, zone: str) -> None:
    speak(language, zone)
    when_somebody_is_absent()
    at_the_door()
    match = seat_friends()
    speak(language, zone)
    deliver()
    at_the_table(match)
    now = NOON + timedelta(days=9)
    play_out(match, now)
    about_oneself(welcome("Bob"), now)
    deliver(now)


def write_every_game(language: str = "en", zone: str = "Europe/Paris") -> dict[str, Letter]:
    """Return every kind of letter that shows a table, for each game, from the first to the result."""
    Place.objects.update(invited_at=NOON - timedelta(days=2))  # Ann may invite twenty people a day
    return {
        f"{kind}-{slug}": letter
        for slug, rules in games.GAMES.items()
        for kind, letter in write_game(slug, rules.variants[0], language, zone).items()
    }


def write_game(slug: str, variant: str, language: str, zone: str) -> dict[str, Letter]:
    match = seat_friends(slug, variant, excuses=1)
    speak(language, zone)
    deliver()
    for n in range(8):
        press_any(match, NOON + n * MINUTE)
    deliver(NOON + 10 * MINUTE)
    turns = match.letters.filter(state=Letter.State.SENT, kind="turn").select_related("body")
    longest = max(turns, key=lambda letter: (len(letter.options), letter.pk))
    for _ in range(2):  # one grace period
        now = let_time_run_out(match)
    sit_bot_in(match, now)
    play_out(match, now)
    deliver(now)
    sent = Letter.objects.filter(Q(match=match) | Q(key=f"day/{slug}"), state=Letter.State.SENT)
    return by_kind(sent) | {"turn": longest}


def by_kind(letters: QuerySet[Letter]) -> dict[str, Letter]:
    """Return the last letter of each kind, with its body."""
    return {letter.kind: letter for letter in letters.select_related("body").order_by("pk")}


def let_time_run_out(match: Match) -> datetime:
    """Write a daily letter, an answer to an unreadable reply, a reminder, and a notice of a timeout."""
    wait = match.waits.exclude(due_at=None).first()
    player = match.places.get(seat=wait.seat).player
    queue.queue(player, "digest", f"day/{match.game}", now=wait.asked_at)
    unread = {"why": "unread", "opened": wait.opened, "heard": "See you on Saturday.", "lines": []}
    queue.queue(player, "answer", f"reply/{match.pk}", unread, now=wait.asked_at, match=match)
    deliver(wait.asked_at + 10 * MINUTE)
    reminders.remind_players(wait.due_at - timedelta(hours=1))
    deliver(wait.due_at - timedelta(hours=1))
    timeouts.time_out_all(wait.due_at)
    deliver(wait.due_at)
    match.refresh_from_db()
    return wait.due_at


def sit_bot_in(match: Match, now: datetime) -> None:
    """Let a bot play for the keeper, who takes the seat back once the letter is sent."""
    place = match.places.select_related("player").get(player=match.keeper)
    with transaction.atomic():
        house_lines.substitute_bot(load.lock_match(match.pk), place, "clock", now)
    deliver(now)
    absence.return_to_seat(place, now=now)
    match.refresh_from_db()


def press_any(match: Match, now: datetime) -> None:
    """Press the first link in the letter of the player the match waits for."""
    seat = match.waits.exclude(due_at=None).first().seat
    pressed = redeem(MoveTicket, scene.build_scene(match, seat).question.options[0].ticket)
    moves.play_ticket(pressed, pressed.line, now=now)
    match.refresh_from_db()


def speak(language: str, zone: str) -> None:
    for name in ("Ann", "Bob", "Cleo"):
        accounts.change(welcome(name), name=CALLED.get(name, name), language=language, zone=zone)


def call_off() -> None:
    """Call a match off for which Bob was ready."""
    match = gather()
    keeper, bob, _ = match.places.select_related("player")
    joining.accept_invitation(bob, name=bob.name, word="", now=NOON)
    joining.decline(keeper, now=NOON)


def at_the_door() -> None:
    """Open matches with an invitation, a refusal, a plan and a join."""
    waiting = gather()
    deliver()
    declining = waiting.places.get(seat=2)
    joining.decline(declining, now=NOON)
    call_off()
    keeper = waiting.keeper
    planned = opening.plan(
        keeper, game="haricots", variant="basic", seats=4, pace="relaxed", open_to_all=True, bots=1,
        addresses=["bob@example.org"],
    )  # fmt: skip
    queue.queue(keeper, "open", "open/1", {"ticket": sign(planned)}, now=NOON)
    bob = welcome("Bob")
    queue.queue(
        bob, "join", "join/1", {"ticket": sign(JoinTicket(bob.pk, bob.sessions, waiting.pk))}, now=NOON, match=waiting
    )
    deliver()


def at_the_table(match: Match) -> None:
    """Play a few moves with notes, a reminder and a timeout."""
    for n, note in enumerate(["Good morning, beans.", "", "I had hoped nobody would.", ""], 1):
        move(match, note=note, now=NOON + n * MINUTE)
        deliver(NOON + n * MINUTE)
    own_seat.report_note(asked(match), match.notes.exclude(seat=asked(match).seat)[0].pk, now=NOON)
    when_a_reply_was_played(match)
    when_a_reply_came_to_nothing(match)
    wait = match.waits.get()
    assert wait.due_at
    assert wait.remind_at
    reminders.remind_players(wait.remind_at)
    deliver(wait.remind_at)
    timeouts.time_out_all(wait.due_at)
    deliver(wait.due_at)
    match.refresh_from_db()
    queue.queue(asked(match).player, "digest", "day/1", now=wait.due_at)
    queue.queue(asked(match).player, "which", "reply/3", {"heard": "See you on Saturday."}, now=wait.due_at)
    deliver(wait.due_at)


def when_a_reply_was_played(match: Match) -> None:
    """Acknowledge the last move of the player who is asked now, as if it had come by reply."""
    place = asked(match)
    own = {"seq": match.events.filter(seat=place.seat).latest("seq").seq, "answers": "<reply@mail.example>"}
    queue.queue(place.player, "played", "reply/5", own, now=NOON, match=match)
    deliver(NOON + 4 * MINUTE)


def when_a_reply_came_to_nothing(match: Match) -> None:
    """Answer with one unreadable reply and one that comes too late."""
    player, wait = asked(match).player, match.waits.get()
    turn = match.letters.filter(recipient=player, kind="turn").latest("pk")
    unread = {"why": "unread", "opened": wait.opened, "heard": "See you on Saturday.", "lines": []}
    queue.queue(player, "answer", "reply/1", unread, now=NOON, match=match)
    late = {"why": "late", "seqs": [match.events.filter(seat=0).latest("seq").seq], "asked": turn.asked}
    queue.queue(player, "unheard", "reply/2", late, now=NOON, match=match)
    started = match.letters.filter(kind="started").earliest("pk")
    queue.queue(started.recipient, "links_only", "reply/4", {"about": started.pk, "unsigned": False}, now=NOON)
    deliver(NOON + 5 * MINUTE)


def when_somebody_is_absent(now: datetime = NOON) -> None:
    """Go through a grace period, silence, away days, a pause, a bot, a replacement; and a table that never filled."""
    match = seat_friends(excuses=1)
    ann, bob, cleo = match.places.select_related("player")
    deliver(now)
    match.waits.update(due_at=now, remind_at=None)
    timeouts.time_out_all(now)
    absence.offer_days_away(match, bob.player, now=now)
    match.places.update(nudge_at=now)
    absence.ask_silent_players(now)
    pause = votes.propose(ann, "pause", now=now)
    deliver(now)
    for place in (bob, cleo):
        votes.vote(place, pause.pk, now=now)
    deliver(now)
    with transaction.atomic():
        house_lines.substitute_bot(load.lock_match(match.pk), bob, "clock", now)
    deliver(now)
    offered = votes.offer_seat(match.pk, bob.seat, "zoe@example.org", now=now)
    deliver(now)
    takeover.take_over(offered, offered.player, now=now)
    deliver(now)
    alone = seat_friends("fagioli", "standard", seats=2)  # Ann's invitations of a day are limited
    with transaction.atomic():
        house_lines.substitute_bot(load.lock_match(alone.pk), alone.places.get(seat=1), "clock", now)
    votes.propose(alone.places.get(seat=0), "give", seat=1, address="yan@example.org", now=now)
    Player.objects.filter(address="yan@example.org").update(zone="Europe/Paris")  # strangers read times in UTC
    deliver(now)
    empty = gather()
    lifecycle.expire(empty.expires_at)
    deliver(now + timedelta(days=21))


def about_oneself(player: Player, now: datetime) -> None:
    queue.queue(player, "settings", "settings/1", now=now)
    player.refresh_from_db()
    queue.queue(player, "sign_in", "sign_in/1", {"visit": player.visits}, now=now)
    queue.queue(player, "erase", "erase/1", {"session": player.sessions}, now=now)
    queue.queue(player, "lost", "lost/1", now=now)
    new = "bob@beans.example"
    change = sign(AddressTicket(player.pk, player.sessions, player.address, new))
    queue.queue(player, "address", "address/1", {"to": new, "ticket": change}, now=now)
    queue.queue(player, "moved_address", "moved/1", {"to": player.address, "new": new}, now=now)
    queue.queue(player, "never", "never/1", now=now)
    accounts.mark_unreached(player, now=now)
    address_moves.request_change(player, "bobby@beans.example", now=now)
