"""Contents of the letters about a table: the template context, built from the match when the letter is composed.

A function returns None when nobody needs the letter any more: its question has closed, the match has ended, or the seat
has changed hands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from django.db.models import F
from django.utils.translation import gettext_lazy as _

from beanpost.play.display import scene, story
from beanpost.play.display.scene import Scene
from beanpost.play.log import export
from beanpost.play.models import Match, Note, Place
from beanpost.play.pace import parse_pace
from beanpost.play.perspective import Perspective
from beanpost.play.tickets import (
    JoinTicket,
    LetterSettingsTicket,
    NeverTicket,
    OpenTicket,
    PlayerTicket,
    SeatTicket,
    redeem,
    sign,
)
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post import kinds
from beanpost.post.compose.menus import build_menu
from beanpost.post.kinds import Kind
from beanpost.post.models import Letter
from games.engine import catalogue

Contents: TypeAlias = dict[str, Any]

INVITATION_EXTRAS: list[Callable[[Match], Contents]] = []  # packages above add contents of invitations


def build_contents(letter: Letter) -> Contents | None:
    """Return the contents of a letter, or None if it need not be sent."""
    if is_refused(letter):
        return None
    context = kinds.load()[letter.kind].contents(letter)
    if context is None:
        return None
    player = letter.recipient
    return {
        "letter": letter,
        "reader": player,
        "match": letter.match,
        "player_ticket": sign(PlayerTicket(player.pk)),
        "never_ticket": sign(NeverTicket(player.pk, player.sessions)),
        # No link for another address, which may be a stranger's.
        "letter_settings_ticket": ""
        if "to" in letter.values
        else sign(LetterSettingsTicket(player.pk, player.sessions)),
        **context,
    }


def is_refused(letter: Letter) -> bool:
    """Return whether the owner of the letter's address refuses our letters; it may not be the recipient's."""
    if "to" in letter.values:
        return accounts.is_refused(letter.target_address)
    return letter.recipient.unwanted_at is not None and not kinds.load()[letter.kind].asked_for


# ── at a table ──


def build_table_contents(letter: Letter, phase: Match.Phase) -> Contents | None:
    """Return the contents common to all letters of a match; None in another phase, or if the seat has changed hands."""
    match = letter.match
    assert match is not None
    shown = scene.build_scene_for_player(match, letter.recipient) if match.phase == phase else None
    return build_scene_contents(shown) if shown else None


def build_scene_contents(shown: Scene) -> Contents:
    return {
        "scene": shown,
        "menu": build_menu(shown),
        "before": 0,  # number of moves numbered before these
        "view": shown.view,
        "names": shown.names,
        "place": shown.place,
        "title": shown.rules.title,
        "seat_ticket": shown.seat_ticket,
    }


def build_turn(letter: Letter) -> Contents | None:
    """Return nothing unless the very question of the letter is still open."""
    context = build_table_contents(letter, Match.Phase.RUNNING)
    wait = context and context["scene"].wait
    if not context or not wait or wait.opened != letter.values["opened"]:
        return None
    # A player who has moved since has seen it on the page.
    if context["scene"].last_own_line > letter.values.get("since", context["scene"].match.length):
        return None
    # The market does not concern them, or no longer does. Makers of declined offers are told all the same.
    if "since" not in letter.values and not wait.is_blocking and not concerns_reader(context["scene"]):
        return None
    # A standing order handles it, and the page has shown the question or nobody waits: there is no news yet.
    knows = letter.values.get("again") or not wait.is_blocking
    return None if is_handled_by_order(context["scene"], knows=knows) else context


def concerns_reader(shown: Scene) -> bool:
    """Return whether the reader's question is worth a letter."""
    return shown.question is not None and shown.rules.concerns(shown.view, shown.question.visible_ask)


def is_handled_by_order(shown: Scene, *, knows: bool) -> bool:
    """Return whether an order answers the question of a player who knows of it, or its owner wants no such letters."""
    assert shown.question is not None
    ask, view = shown.question.visible_ask, shown.view
    orders = shown.standing_orders
    return any((knows and order.handles(view, ask)) or order.needs_no_letter(view, ask) for order in orders)


def is_about_question(letter: Letter) -> bool:
    return isinstance(letter.values.get("opened"), int)


def find_still_asked(letters: Iterable[Letter]) -> set[Letter]:
    """Return the letters whose question is still open and whose recipient still holds the seat, with one query."""
    about = {
        letter: (letter.match_id, letter.recipient_id, letter.values["opened"])
        for letter in letters
        if is_about_question(letter)
    }
    asked = Place.objects.filter(match__in={match for match, *_ in about.values()}, match__waits__seat=F("seat"))
    questions = set(asked.values_list("match", "player", "match__waits__opened"))
    return {letter for letter, question in about.items() if question in questions}


def build_reminder(letter: Letter) -> Contents | None:
    context = build_turn(letter)
    return context if context and context["place"].wants_reminders else None


def build_started(letter: Letter) -> Contents | None:
    """Return nothing if the player is asked by now: their turn letter says it all."""
    context = build_table_contents(letter, Match.Phase.RUNNING)
    return context if context and context["scene"].wait is None else None


def build_late(letter: Letter) -> Contents | None:
    context = build_table_contents(letter, Match.Phase.RUNNING)
    if context is None:
        return None
    line = story.find_line(context["scene"].match, context["scene"].reader, letter.values["seq"])
    return context | {"line": line} if line else None


def build_finished(letter: Letter) -> Contents | None:
    context = build_table_contents(letter, Match.Phase.ENDED)
    assert letter.match is not None
    return context and context | {"secret": export.reveal_secret(letter.match)}


def build_reported(letter: Letter) -> Contents | None:
    note = Note.objects.filter(pk=letter.values["note"]).first()
    if note is None or letter.match is None:
        return None
    author = Perspective(letter.match, None).find_names_at(note.seq)[note.seat]  # the seat may have changed hands
    return {"note": note, "title": find_title(letter.match), "others": find_other_names(letter), "author": author}


def find_other_names(letter: Letter) -> list[str]:
    """Return the names of the other players, which are in the subject of every letter of the match."""
    return [place.name for place in Place.objects.filter(match=letter.match) if place.player_id != letter.recipient_id]


# ── before a match ──


def build_invitation(letter: Letter) -> Contents | None:
    place = Place.objects.filter(pk=letter.values["place"], player=letter.recipient).select_related("match").first()
    if place is None or place.confirmed_at or place.match.phase != Match.Phase.GATHERING:
        return None
    return describe_invitation(place)


def describe_invitation(place: Place) -> Contents:
    """Describe an open invitation. Name only players who have confirmed: the others may not wish to be named."""
    sure = place.match.places.filter(confirmed_at__isnull=False).exclude(player=place.match.keeper)
    from_above = {name: value for tell in INVITATION_EXTRAS for name, value in tell(place.match).items()}
    return from_above | {
        "match": place.match,
        "title": find_title(place.match),
        "place": place,
        "seat_ticket": sign_seat_ticket(place),
        "others": [other.name for other in sure],
    }


def build_declined(letter: Letter) -> Contents | None:
    match = letter.match
    assert match is not None
    place = match.places.filter(player=letter.recipient).first()
    if place is None or not place.is_keeper or match.phase != Match.Phase.GATHERING:
        return None
    name = Player.objects.get(pk=letter.values["player"]).name
    return {"title": find_title(match), "name": name, "place": place, "seat_ticket": sign_seat_ticket(place)}


def build_called_off(letter: Letter) -> Contents:
    return {"title": letter.values["title"], "name": Player.objects.get(pk=letter.values["keeper"]).name}


def build_open(letter: Letter) -> Contents:
    planned = redeem(OpenTicket, letter.values["ticket"])
    return {
        "ticket": letter.values["ticket"],
        "planned": planned,
        "title": catalogue.title(planned.game),
        "pace": parse_pace(planned.pace),
    }


def build_join(letter: Letter) -> Contents | None:
    ticket = redeem(JoinTicket, letter.values["ticket"])
    match = Match.objects.filter(pk=ticket.match, phase=Match.Phase.GATHERING).first()
    return {"ticket": letter.values["ticket"], "match": match, "title": find_title(match)} if match else None


def find_title(match: Match) -> str:
    return catalogue.title(match.game)


def sign_seat_ticket(place: Place) -> str:
    return sign(SeatTicket(place.match_id, place.seat, place.occupant))


KINDS = (
    Kind("invitation", _("Invitation"), build_invitation, invites=True, to_anybody=True),
    Kind("declined", _("A player declined"), build_declined),  # to the keeper
    Kind("called_off", _("The match was called off"), build_called_off),  # to players who had accepted
    Kind("started", _("The match has started"), build_started, offers_daily=True),  # to players who are not asked yet
    Kind("turn", _("Your turn"), build_turn, asks=True, answerable=True, offers_daily=True),
    Kind("reminder", _("Reminder"), build_reminder, asks=True, answerable=True, offers_daily=True),
    Kind("late", _("Your time ran out"), build_late),
    Kind("finished", _("Result"), build_finished),
    Kind("reported", _("A note was reported"), build_reported, to_anybody=True),  # to the table's caretaker
    Kind("open", _("Open a match"), build_open),  # to a visitor who asked for it on the home page
    Kind("join", _("Join a table"), build_join, invites=True, to_anybody=True),  # to such a visitor, too
)
