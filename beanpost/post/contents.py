"""What stands in each kind of letter: what its templates are filled with, as things are when it is written.

A kind is a function here and three templates, letters/<kind>.{subject.txt,txt,html}. Nothing returned means that
nobody needs the letter any more: its question has closed, the match has ended, the seat is somebody else's.

    kind           values it is queued with              to whom
    invitation     place                                 who is invited
    declined       player                                the keeper
    called_off     title, keeper                         who was ready for a match that was given up
    started        —                                     who sits at the table and is not asked yet
    turn           opened, again (the page showed it)    who is asked
    reminder       opened                                who has not answered
    late           seq                                   whose time was up
    finished       —                                     everybody at the table
    digest         —                                     who is asked, and wants one letter a day (digests.py)
    reported       note                                  the keeper
    open, join     ticket                                who asked for it on the home page
    lost           —                                     who asked for it on the home page (lost.py)
    settings       —                                     who asked for it by an old letter
    erase          session                               who asked for it on the page that explains it
    sign_in        visit                                 who asked for it on the sign-in page
    address        ticket, to (the new address), later   who wants to be written to there
    moving_address change, to (the old address)          a player whose address is to change
    never          —                                     a player who may want no more letters
    moved_address  to (the old address), new             who was written to there
    any of them    instead_of (a letter's number)        who has moved since that was written
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from django.db.models import F

import games
from beanpost.play import export, scene
from beanpost.play.models import Match, Note, Place
from beanpost.play.pace import read as read_pace
from beanpost.play.scene import Scene
from beanpost.play.tickets import (
    AddressTicket,
    EraseTicket,
    JoinTicket,
    NeverTicket,
    OpenTicket,
    PlayerTicket,
    SeatTicket,
    SettingsTicket,
    SignInTicket,
    SilenceTicket,
    StopAddressTicket,
    WishesTicket,
    redeem,
    sign,
)
from beanpost.players import address_changes, book
from beanpost.players.models import Player
from beanpost.post.models import Letter

Contents: TypeAlias = dict[str, Any]

INVITING: list[Callable[[Match], Contents]] = []  # what the floors above have to say in an invitation to a table


def contents(letter: Letter) -> Contents | None:
    """What this letter says, or nothing if it need not be sent."""
    if is_refused(letter):
        return None
    said = KINDS[letter.kind](letter)
    if said is None:
        return None
    return {
        "letter": letter,
        "reader": letter.recipient,
        "match": letter.match,
        "player_ticket": sign(PlayerTicket(letter.recipient_id)),
        "never_ticket": sign(NeverTicket(letter.recipient_id, letter.recipient.sessions)),
        "wishes_ticket": "" if "to" in letter.values else wishes_ticket(letter),  # elsewhere it is a stranger's
        **said,
    }


def is_refused(letter: Letter) -> bool:
    """Whether the owner of the address the letter goes to wants no letters, whoever its recipient is."""
    if "to" in letter.values:
        return book.is_refused(letter.goes_to)
    return letter.recipient.unwanted_at is not None


def wishes_ticket(letter: Letter) -> str:
    return sign(WishesTicket(letter.recipient_id, letter.recipient.sessions))


# ── at a table ──


def at_table(letter: Letter, phase: Match.Phase) -> Contents | None:
    """What every letter of a match is made from; nothing if the match is in another phase, or the seat another's."""
    match = letter.match
    assert match is not None
    shown = scene.of_player(match, letter.recipient) if match.phase == phase else None
    return of_scene(shown) if shown else None


def of_scene(shown: Scene) -> Contents:
    return {
        "scene": shown,
        "before": 0,  # so many moves were numbered before these
        "view": shown.view,
        "names": shown.names,
        "place": shown.place,
        "title": shown.rules.title,
        "table": shown.fragment.replace(".html", ".txt"),
        "seat_ticket": shown.seat_ticket,
    }


def turn(letter: Letter) -> Contents | None:
    """Only while the very question it is about is open."""
    said = at_table(letter, Match.Phase.RUNNING)
    wait = said and said["scene"].wait
    if not said or not wait or wait.opened != letter.values["opened"]:
        return None
    # Who has spoken since has seen it on the page.
    if said["scene"].last_word > letter.values.get("since", said["scene"].match.length):
        return None
    # The page has shown it already, and an order looks after it: there is nothing to write about yet.
    return None if letter.values.get("again") and said["scene"].is_minded else said


def is_about_question(letter: Letter) -> bool:
    return isinstance(letter.values.get("opened"), int)


def still_asked(letters: Iterable[Letter]) -> set[Letter]:
    """Those of the letters whose question is still open, for who still sits there: one look for all of them."""
    about = {
        letter: (letter.match_id, letter.recipient_id, letter.values["opened"])
        for letter in letters
        if is_about_question(letter)
    }
    asked = Place.objects.filter(match__in={match for match, *_ in about.values()}, match__waits__seat=F("seat"))
    questions = set(asked.values_list("match", "player", "match__waits__opened"))
    return {letter for letter, question in about.items() if question in questions}


def reminder(letter: Letter) -> Contents | None:
    said = turn(letter)
    return said if said and said["place"].wants_reminders else None


def started(letter: Letter) -> Contents | None:
    """For who is not asked; if that has changed meanwhile, the letter of their turn says it all."""
    said = at_table(letter, Match.Phase.RUNNING)
    return said if said and said["scene"].wait is None else None


def late(letter: Letter) -> Contents | None:
    said = at_table(letter, Match.Phase.RUNNING)
    if said is None:
        return None
    line = next((line for line in said["scene"].story if line.seq == letter.values["seq"]), None)
    return said | {"line": line} if line else None


def finished(letter: Letter) -> Contents | None:
    said = at_table(letter, Match.Phase.ENDED)
    assert letter.match is not None
    return said and said | {"secret": export.revealed(letter.match)}


def reported(letter: Letter) -> Contents | None:
    note = Note.objects.filter(pk=letter.values["note"]).first()
    if note is None or letter.match is None:
        return None
    author = scene.of(letter.match, None).names_at(note.seq)[note.seat]  # somebody else may sit there by now
    return {"note": note, "title": title(letter.match), "others": others(letter), "author": author}


def others(letter: Letter) -> list[str]:
    """Who else sits at the table of a letter: all its letters are called by them."""
    return [place.name for place in Place.objects.filter(match=letter.match) if place.player_id != letter.recipient_id]


# ── before a match ──


def invitation(letter: Letter) -> Contents | None:
    place = Place.objects.filter(pk=letter.values["place"], player=letter.recipient).select_related("match").first()
    if place is None or place.confirmed_at or place.match.phase != Match.Phase.GATHERING:
        return None
    return invited(place)


def invited(place: Place) -> Contents:
    """An open invitation. Only who has confirmed is named: the others may not wish to be."""
    sure = place.match.places.filter(confirmed_at__isnull=False).exclude(player=place.match.keeper)
    from_above = {name: value for tell in INVITING for name, value in tell(place.match).items()}
    return from_above | {
        "match": place.match,
        "title": title(place.match),
        "place": place,
        "seat_ticket": seat_ticket(place),
        "others": [other.name for other in sure],
    }


def declined(letter: Letter) -> Contents | None:
    match = letter.match
    assert match is not None
    place = match.places.filter(player=letter.recipient).first()
    if place is None or not place.keeps or match.phase != Match.Phase.GATHERING:
        return None
    name = Player.objects.get(pk=letter.values["player"]).name
    return {"title": title(match), "name": name, "place": place, "seat_ticket": seat_ticket(place)}


def called_off(letter: Letter) -> Contents:
    return {"title": letter.values["title"], "name": Player.objects.get(pk=letter.values["keeper"]).name}


def open_(letter: Letter) -> Contents:
    planned = redeem(OpenTicket, letter.values["ticket"])
    return {
        "ticket": letter.values["ticket"],
        "planned": planned,
        "title": games.get(planned.game).title,
        "pace": read_pace(planned.pace),
    }


def join(letter: Letter) -> Contents | None:
    ticket = redeem(JoinTicket, letter.values["ticket"])
    match = Match.objects.filter(pk=ticket.match, phase=Match.Phase.GATHERING).first()
    return {"ticket": letter.values["ticket"], "match": match, "title": title(match)} if match else None


def title(match: Match) -> str:
    return games.get(match.game).title


def seat_ticket(place: Place) -> str:
    return sign(SeatTicket(place.match_id, place.seat, place.occupant))


# ── about oneself ──


def settings(letter: Letter) -> Contents:
    # Signed now and not when it was asked for: it lasts an hour only.
    return {"ticket": sign(SettingsTicket(letter.recipient_id, letter.recipient.sessions))}


def erase(letter: Letter) -> Contents | None:
    """Only until its reader has signed out everywhere: who did not ask for this can void it so."""
    session = letter.recipient.sessions
    return {"ticket": sign(EraseTicket(letter.recipient_id, session))} if session == letter.values["session"] else None


def sign_in(letter: Letter) -> Contents | None:
    """Only until somebody has signed in by another, or has voided them all."""
    visit = letter.recipient.visits
    if visit != letter.values["visit"]:
        return None
    return {"ticket": sign(SignInTicket(letter.recipient_id, visit))}


def address(letter: Letter) -> Contents:
    """`later`: the old address could not be asked, and the change will have to wait."""
    later = letter.values.get("later", False)
    return {"ticket": letter.values["ticket"], "new": letter.values["to"], "later": later}


def moved_address(letter: Letter) -> Contents:
    """Told to the old address, with a way back for who did not want this."""
    back = AddressTicket(letter.recipient_id, old=letter.values["new"], new=letter.values["to"])
    return {"ticket": sign(back), "old": letter.values["to"]}


def moving_address(letter: Letter) -> Contents | None:
    """Told to the old address while the change can be stopped there."""
    change = address_changes.pending().filter(pk=letter.values["change"]).first()
    if change is None:
        return None
    return {"ticket": sign(StopAddressTicket(letter.recipient_id, change.pk)), "change": change}


def never(letter: Letter) -> Contents:
    return {"ticket": sign(SilenceTicket(letter.recipient_id, letter.recipient.sessions))}


KINDS: dict[str, Callable[[Letter], Contents | None]] = {
    "invitation": invitation,
    "declined": declined,
    "called_off": called_off,
    "started": started,
    "turn": turn,
    "reminder": reminder,
    "late": late,
    "finished": finished,
    "reported": reported,
    "open": open_,
    "join": join,
    "settings": settings,
    "erase": erase,
    "sign_in": sign_in,
    "address": address,
    "moved_address": moved_address,
    "moving_address": moving_address,
    "never": never,
}
