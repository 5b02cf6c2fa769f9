"""Every page by its URL: for tests that visit them all, and for looking at them."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module
from typing import Any

from django.conf import settings
from django.test import override_settings
from django.urls import reverse

import games
from beanpost.leagues import demo as league_demo
from beanpost.leagues.models import Chair, Season
from beanpost.pages import sessions
from beanpost.play.demo import play_out
from beanpost.play.models import Match
from beanpost.play.seats import joining, opening
from beanpost.play.tickets import (
    AddressTicket,
    EraseTicket,
    FewerTicket,
    JoinTicket,
    LetterSettingsTicket,
    MoveTicket,
    NeverTicket,
    OpenTicket,
    PlayerTicket,
    SettingsTicket,
    SignInTicket,
    UndoTicket,
    redeem,
)
from beanpost.play.timekeeping import timeouts
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.deliver import sending
from tests.friends import NOON, gather, seat_friends
from tests.pages.table import asked, link, move_link, play_to_the_end, press, seat_link, table_link
from tests.restored import restored

DAY = timedelta(days=1)
LATER = NOON + 2 * DAY  # when Ann may invite again


def deliver() -> None:
    """Send the due letters with the dummy backend."""
    with override_settings(EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend"):
        sending.deliver(lambda: LATER)


@restored
def every_page() -> dict[str, str]:
    """Return the URL of every page, by what it shows."""
    pages = {"front page": reverse("home"), "health": reverse("healthz"), "nothing": "/there-is-nothing-here/"}
    pages |= {"a round to try": reverse("try"), "rulebook": reverse("rulebook")}
    pages |= {"choosing a game": reverse("home") + "?game=haricots", "open tables": reverse("tables")}
    pages |= {"matches to watch": reverse("watch")}
    pages |= {f"rules of {slug}": reverse("rules", args=[slug]) for slug in games.GAMES}
    # Old links come first: they let the clock run out, which would end every other question too.
    pages |= with_old_links() | before_a_match() | while_it_is_played() | when_it_is_over()
    gone = accounts.get_or_create_player("zoe@example.org", now=NOON)
    accounts.erase_player(gone, "Bean 123456", now=NOON)
    pages |= {"forgotten": link("never", NeverTicket(gone.pk, gone.sessions))}
    return pages | about_oneself(accounts.get_or_create_player("ann@example.org", now=NOON))


def plan(keeper: Player, **wish: Any) -> OpenTicket:
    usual = {"game": "haricots", "variant": "advanced", "seats": 4, "pace": "weekly", "open_to_all": True, "bots": 1}
    return opening.plan(keeper, **usual | {"addresses": []} | wish)


def before_a_match() -> dict[str, str]:
    """Pages of matches that are planned, open to join, waiting for answers, and called off."""
    waiting, off = gather(), gather(variant="basic")
    ann, dora = waiting.keeper, accounts.get_or_create_player("dora@example.org", name="Dora", now=NOON)
    joining.decline(waiting.places.get(seat=2), now=NOON)
    joining.decline(off.places.get(player=ann), now=NOON)
    planned = plan(ann)
    table = opening.open_match(planned, ann, now=NOON)
    return {
        "plan": link("opening", plan(ann, addresses=["bob@example.org", "cleo@example.org"])),
        "plan that was opened": link("opening", planned),
        "seat at an open table": link("joining", JoinTicket(dora.pk, dora.sessions, table.pk)),
        "open table": reverse("match", args=[table.code]),
        "invitation": seat_link("ready", waiting.places.get(seat=1)),
        "keeper's page": seat_link("keep", waiting.places.get(seat=0)),
        "seat that is kept": seat_link("ready", waiting.places.get(seat=0)),
        "move before the match": link("move", MoveTicket(waiting.pk, 0, 1, 0, "pass")),
        "match that was called off": reverse("match", args=[off.code]),
        "seat that is not needed": seat_link("ready", off.places.get(seat=1)),
    }


def while_it_is_played() -> dict[str, str]:
    match = seat_friends("haricots", "advanced")
    match.places.update(may_be_watched=True)
    for note in ("Good morning, beans.", "", "I had hoped nobody would.", ""):
        press(match, "play", note=note)
    place = asked(match).place
    assert place is not None
    last = match.events.filter(origin="player").latest("seq")
    moved = last.seat, match.places.get(seat=last.seat).occupant, last.seq
    return {
        "one move": move_link(match),
        "undo a move": link("undo", UndoTicket(match.pk, *moved)),
        "undo nothing": link("undo", UndoTicket(match.pk, place.seat, place.occupant, 0)),
        "all moves": table_link(match),
        "running match": reverse("match", args=[match.code]),
        "file of a running match": reverse("export", args=[match.code]),
        "moment of a running match": reverse("moment", args=[match.code, 4]),
        "check of a running match": reverse("verify", args=[match.code]),
        "forwarded by mistake": seat_link("renew", place),
        "notes": seat_link("notes", place),
        "reminders": seat_link("unsubscribe", place),
        "not over yet": seat_link("again", place),
        "seat at a running match": seat_link("ready", place),
    }


@restored
def tables_of_every_game() -> dict[str, str]:
    """Pages a few moves into each game: for the player it waits for, and for a bystander."""
    pages = {}
    for slug, rules in games.GAMES.items():
        match = seat_friends(slug, rules.variants[0], seats=3)
        for _ in range(7):
            press(match)
        pages[f"moves of {slug}"] = table_link(match)
        pages[f"table of {slug}"] = reverse("match", args=[match.code])
        if rules.orders.kinds:
            pages[f"orders in {slug}"] = link("orders", asked(match).order_ticket)
    return pages


def questions_of_every_game(presses: int) -> dict[str, str]:
    """Pages of the player whom each game waits for, after so many moves: all of them, and the first alone."""
    pages = {}
    for slug, rules in games.GAMES.items():
        match = seat_friends(slug, rules.variants[0], seats=3)
        for _ in range(presses):
            press(match)
        pages[f"all moves of {slug} after {presses}"] = table_link(match)
        pages[f"one move of {slug} after {presses}"] = move_link(match)
    return pages


@restored
def ends_of_every_game() -> dict[str, str]:
    """Pages of the last moment of each game with all hands, and of the match."""
    pages = {}
    for slug, rules in games.GAMES.items():
        match = seat_friends(slug, rules.variants[0], seats=3, now=LATER)
        play_out(match, LATER)
        pages[f"end of {slug}"] = reverse("replay", args=[match.code])
        pages[f"match of {slug}"] = reverse("match", args=[match.code])
    return pages


@restored
def in_a_league() -> dict[str, str]:
    """Pages of a league in mid-season, including those of two players who have met there."""
    league_demo.create_demo_league(NOON)
    season = Season.objects.select_related("league").get(name="Autumn")
    met = Chair.objects.filter(fixture__ending="played").order_by("fixture", "seat")
    slug, (one, other, *_) = season.league.slug, met.values_list("entry__player", flat=True)
    return {
        "leagues": reverse("leagues"),
        "league": reverse("league", args=[slug]),
        "season": reverse("season", args=[slug, season.pk]),
        "player of a league": reverse("league-player", args=[slug, one]),
        "two players of a league": reverse("head-to-head", args=[slug, one, other]),
    }


def list_signed_in_pages() -> dict[str, str]:
    return {
        "my games": reverse("my-games"),
        "my data": reverse("my-data-page"),
        "start": reverse("start"),
        "start a game": reverse("start") + "?game=bohnanza",
        "ask to erase": reverse("ask-to-erase"),
    }


def signed_in(player: Player, site: str) -> dict[str, str]:
    """Return the session cookie of a signed-in player."""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[sessions.VISIT_KEY] = [player.pk, player.sessions]
    session.create()
    return {"name": settings.SESSION_COOKIE_NAME, "value": session.session_key, "url": site}


def when_it_is_over() -> dict[str, str]:
    match = seat_friends("haricots", "sprint")
    pressed = move_link(match)
    play_to_the_end(match)
    return {
        "move after the end": pressed,
        "match that is over": reverse("match", args=[match.code]),
        "file of a match that is over": reverse("export", args=[match.code]),
        "last moment": reverse("replay", args=[match.code]),
        "check of a match that is over": reverse("verify", args=[match.code]),
        "play again": seat_link("again", match.places.get(seat=1)),
    }


def with_old_links() -> dict[str, str]:
    """Pages behind links that are already played, too late, no longer valid, and torn."""
    match = seat_friends("haricots", "advanced")
    played = move_link(match, "play")
    press(match, "play")
    late_for = asked(match)
    due = late_for.wait and late_for.wait.due_at
    assert due
    timeouts.time_out_all(due)
    match.refresh_from_db()
    stranger = redeem(MoveTicket, asked(match).question.ticket)
    return {
        "already played": played,
        "too late": link("move", late_for.question.ticket),
        "not yours": link("move", MoveTicket(match.pk, stranger.seat, 7, stranger.question)),
        "torn link": played[:-9] + "/",
        "current letter": played + "letter/",
    }


def about_oneself(ann: Player) -> dict[str, str]:
    return {
        "own page by letter": link("me", PlayerTicket(ann.pk)),
        "own page": link("settings", SettingsTicket(ann.pk, ann.sessions)),
        "how we write": link("wishes", LetterSettingsTicket(ann.pk, ann.sessions)),
        "fewer daily letters": link("fewer", FewerTicket(ann.pk, ann.sessions, "digest")),
        "fewer weekly letters": link("fewer", FewerTicket(ann.pk, ann.sessions, "weekly")),
        "fewer confirmations": link("fewer", FewerTicket(ann.pk, ann.sessions, "played")),
        "fewer letters from organisers": link("fewer", FewerTicket(ann.pk, ann.sessions, "league_news")),
        "how we write, void": link("wishes", LetterSettingsTicket(ann.pk, ann.sessions + 1)),
        "forwarded all by mistake": link("renew-all", LetterSettingsTicket(ann.pk, ann.sessions)),
        "sign in": reverse("sign-in"),
        "way in": link("enter", SignInTicket(ann.pk, ann.visits)),
        "way in that was used": link("enter", SignInTicket(ann.pk, ann.visits + 1)),
        "erase": link("erase", EraseTicket(ann.pk, ann.sessions)),
        "never again": link("never", NeverTicket(ann.pk, ann.sessions)),
        "new address": link("address", AddressTicket(ann.pk, ann.sessions, ann.address, "ann@beans.example")),
        "address that is hers": link("address", AddressTicket(ann.pk, ann.sessions, "old@beans.example", ann.address)),
        "address letter that lapsed": link(
            "address", AddressTicket(ann.pk, ann.sessions, "old@x.example", "n@x.example")
        ),
    }


def every_letter_page(match: Match) -> dict[str, str]:
    """The pages that only the demo has."""
    deliver()
    letter = match.letters.filter(kind="turn", state="sent").select_related("recipient").latest("pk")
    box = letter.recipient.name.lower()
    return {
        "mailboxes": reverse("letters"),
        "mailbox": reverse("mailbox", args=[box]),
        "letter": reverse("letter", args=[box, letter.pk]),
        "letter as text": reverse("letter-text", args=[box, letter.pk]),
        "letter as HTML": reverse("letter-html", args=[box, letter.pk]),
        "letter as sent": reverse("letter-source", args=[box, letter.pk]),
    }
