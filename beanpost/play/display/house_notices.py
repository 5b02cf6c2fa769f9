"""Lines of the house as sentences for one reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from django.utils.translation import gettext as _

from beanpost.play.display.wording import listed, moment
from beanpost.play.models import Event
from games.contract import house_lines
from games.contract.house_lines import Adjudicate, Annul, Extend, Forfeit, Pause, Remind, Resume, Rewind, Sit
from games.contract.notation import Action, read
from games.contract.seats import Seat


def told(event: Event, names: Sequence[str], reader: Seat | None, left: Mapping[int, str]) -> str:
    """Return a line of the house as a sentence. `left` has the names of players replaced with that line, by line."""
    action = read(event.line, house_lines.VOCABULARY)
    match action:
        case Remind(seat) | Extend(seat) | Forfeit(seat):
            who = {"name": names[seat]}
            return (to_oneself if seat == reader else to_others)(action, event.origin) % (who | when(action))
        case Sit(seat):
            return sat_down(event, action, names, reader, left)
        case Rewind(line):
            sentence = _(
                "At the organiser’s wish the table goes back to how it stood after line %(line)d; "
                "what was said since is taken back."
            )
            return sentence % {"line": line}
        case Adjudicate(seats):
            return _("The organiser ends the match with these places: %(names)s.") % {
                "names": listed([names[seat] for seat in seats])
            }
        case Annul():
            return _("The organiser ends the match. It does not count.")
    return standing_still(action, event.origin)


def when(action: Action) -> dict[str, str]:
    if not isinstance(action, Extend):
        return {}
    return {"until": moment(datetime.strptime(action.until, "%Y-%m-%dT%H:%MZ").replace(tzinfo=UTC))}


def to_oneself(action: Action, origin: str) -> str:
    match action, origin:
        case Forfeit(), Event.Origin.ORGANISER:
            return _("The organiser takes your seat away. A bot plays your cards.")
        case Remind(), _any:
            return _("You were reminded.")
        case Extend(), Event.Origin.CLOCK:
            return _("Your time was up, and you were excused: you have until %(until)s.")
        case Extend(), Event.Origin.PLAYER:
            return _("You are away: the table waits for you until %(until)s.")
        case Extend(), Event.Origin.HOUSE:
            return _("The post or the house was held up, which costs no time: you have until %(until)s.")
        case Extend(), _any:
            return _("The organiser gives you more time, until %(until)s.")
    return _("You give up. A bot plays your cards.")


def to_others(action: Action, origin: str) -> str:
    match action, origin:
        case Forfeit(), Event.Origin.ORGANISER:
            return _("The organiser takes the seat of %(name)s away. A bot plays on with those cards.")
        case Remind(), _any:
            return _("%(name)s was reminded.")
        case Extend(), Event.Origin.CLOCK:
            return _("Time was up for %(name)s, who was excused and has until %(until)s.")
        case Extend(), Event.Origin.PLAYER:
            return _("%(name)s is away: the table waits until %(until)s.")
        case Extend(), Event.Origin.HOUSE:
            return _("The post or the house was held up, which costs no time: %(name)s has until %(until)s.")
        case Extend(), _any:
            return _("The organiser gives %(name)s more time, until %(until)s.")
    return _("%(name)s gives up. A bot plays on with those cards.")


def sat_down(event: Event, action: Sit, names: Sequence[str], reader: Seat | None, left: Mapping[int, str]) -> str:
    name = {"name": names[action.seat]}
    if event.seq in left:
        return _("%(name)s takes over the seat of %(former)s.") % (name | {"former": left[event.seq]})
    if event.origin == Event.Origin.ORGANISER and action.sitter == "bot":
        return bot_by_organiser(action, reader) % name
    if action.seat == reader:
        if action.sitter == "bot":
            return _("A bot sits in for you, until you take your seat back.")
        return _("You take your seat back.")
    if action.sitter == "bot":
        return _("%(name)s is absent: a bot sits in.") % name
    return _("%(name)s is back, and plays again.") % name


def bot_by_organiser(action: Sit, reader: Seat | None) -> str:
    if action.seat == reader:
        return _("The organiser lets a bot sit in for you, until you take your seat back.")
    return _("The organiser lets a bot sit in for %(name)s.")


def standing_still(action: Action, origin: str) -> str:
    match action, origin:
        case Pause(), Event.Origin.PLAYER:
            return _("Everybody agreed to pause: the clock stands still.")
        case Pause(), _any:
            return _("The organiser pauses the match: the clock stands still.")
        case Resume(), Event.Origin.PLAYER:
            return _("Everybody agreed to go on: the clock runs again.")
        case Resume(), Event.Origin.CLOCK:
            return _("The pause has lasted long enough: the clock runs again.")
    return _("The organiser ends the pause: the clock runs again.")
