"""Notices of the house for one reader: its lines of the log as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from django.utils.translation import gettext as _

from beanpost.play.display.wording import format_your_time, join_names
from beanpost.play.models import Event
from games.contract import house_lines
from games.contract.house_lines import Adjudicate, Annul, Extend, Forfeit, Pause, Remind, Resume, Rewind, Sit
from games.contract.notation import Action, read
from games.contract.seats import Seat


def describe_event(event: Event, names: Sequence[str], reader: Seat | None, left: Mapping[int, str]) -> str:
    """Return a line of the house as a sentence. `left` has the names of players replaced with that line, by line."""
    action = read(event.line, house_lines.VOCABULARY)
    match action:
        case Remind(seat) | Extend(seat) | Forfeit(seat):
            who = {"name": names[seat]}
            return (address_reader if seat == reader else address_others)(action, event.origin) % (
                who | format_deadline(action, event.said_at)
            )
        case Sit(seat):
            return describe_new_sitter(event, action, names, reader, left)
        case Rewind(line) if event.origin == Event.Origin.PLAYER:
            return _("Everyone agreed to undo everything after line %(line)d.") % {"line": line}
        case Rewind(line):
            sentence = _("The organiser undid everything after line %(line)d.")
            return sentence % {"line": line}
        case Adjudicate(seats):
            return _("The organiser ended the match with these places: %(names)s.") % {
                "names": join_names([names[seat] for seat in seats])
            }
        case Annul():
            return _("The organiser ended the match. It doesn’t count.")
    return describe_pause(action, event.origin)


def format_deadline(action: Action, said_at: datetime) -> dict[str, str]:
    if not isinstance(action, Extend):
        return {}
    until = datetime.strptime(action.until, "%Y-%m-%dT%H:%MZ").replace(tzinfo=UTC)
    return {"until": format_your_time(until, said_at)}


def address_reader(action: Action, origin: str) -> str:
    match action, origin:
        case Forfeit(), Event.Origin.ORGANISER:
            return _("The organiser took your seat. A bot is playing your cards.")
        case Remind(), _any:
            return _("We sent you a reminder.")
        case Extend(), Event.Origin.CLOCK:
            return _("Your time ran out. You’ve used a grace period and now have until %(until)s.")
        case Extend(), Event.Origin.PLAYER:
            return _("You’re away, so the table is waiting for you until %(until)s.")
        case Extend(), Event.Origin.HOUSE:
            return _(
                "You don’t lose time to a delay in the post or on our side, nor to quiet hours: you now have until "
                "%(until)s."
            )
        case Extend(), _any:
            return _("The organiser gave you more time, until %(until)s.")
    return _("You resigned. A bot is playing your cards.")


def address_others(action: Action, origin: str) -> str:
    match action, origin:
        case Forfeit(), Event.Origin.ORGANISER:
            return _("The organiser took %(name)s’s seat. A bot is playing those cards.")
        case Remind(), _any:
            return _("%(name)s got a reminder.")
        case Extend(), Event.Origin.CLOCK:
            return _("%(name)s ran out of time, used a grace period and now has until %(until)s.")
        case Extend(), Event.Origin.PLAYER:
            return _("%(name)s is away. The table is waiting until %(until)s.")
        case Extend(), Event.Origin.HOUSE:
            return _(
                "No one loses time to a delay in the post or on our side, nor to quiet hours: %(name)s now has until "
                "%(until)s."
            )
        case Extend(), _any:
            return _("The organiser gave %(name)s more time, until %(until)s.")
    return _("%(name)s resigned. A bot is playing those cards.")


def describe_new_sitter(
    event: Event, action: Sit, names: Sequence[str], reader: Seat | None, left: Mapping[int, str]
) -> str:
    name = {"name": names[action.seat]}
    if event.seq in left:
        return _("%(name)s took over %(former)s’s seat.") % (name | {"former": left[event.seq]})
    if event.origin == Event.Origin.ORGANISER and action.sitter == "bot":
        return describe_bot_by_organiser(action, reader) % name
    if action.seat == reader:
        if action.sitter == "bot":
            return _("A bot is playing for you until you take your seat back.")
        return _("You took your seat back.")
    if action.sitter == "bot":
        return _("%(name)s is absent, so a bot is playing for them.") % name
    return _("%(name)s is back.") % name


def describe_bot_by_organiser(action: Sit, reader: Seat | None) -> str:
    if action.seat == reader:
        return _("The organiser has a bot playing for you until you take your seat back.")
    return _("The organiser has a bot playing for %(name)s.")


def describe_pause(action: Action, origin: str) -> str:
    match action, origin:
        case Pause(), Event.Origin.PLAYER:
            return _("Everyone agreed to pause. The clock is stopped.")
        case Pause(), _any:
            return _("The organiser paused the match. The clock is stopped.")
        case Resume(), Event.Origin.PLAYER:
            return _("Everyone agreed to continue. The clock is running again.")
        case Resume(), Event.Origin.CLOCK:
            return _("The pause ran its full length. The clock is running again.")
    return _("The organiser ended the pause. The clock is running again.")
