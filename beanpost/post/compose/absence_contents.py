"""Contents of the letters about time and absence."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from beanpost.play.display import scene, story
from beanpost.play.models import Departure, Event, Match, Proposal
from beanpost.play.seats import votes
from beanpost.play.tickets import SeatTicket, TakeoverTicket, VetoTicket, sign
from beanpost.post.compose.contents import (
    Contents,
    build_table_contents,
    build_turn,
    find_other_names,
    find_title,
)
from beanpost.post.kinds import Kind
from beanpost.post.models import Letter
from games.contract.house_lines import Sit
from games.contract.seats import HOUSE


def build_stand_in(letter: Letter) -> Contents | None:
    """Return nothing once the bot has left the seat."""
    context = build_running(letter)
    if not context or not context["place"].stand_in or context["place"].resigned_at:
        return None
    sat_down = str(Sit(context["place"].seat, "bot"))
    events = context["scene"].match.loaded.events
    by = [event.origin for event in events if event.seat == HOUSE and event.line == sat_down]
    return context | {"by_organiser": by[-1:] == [Event.Origin.ORGANISER]}


def build_still(letter: Letter) -> Contents | None:
    context = build_running(letter)
    return context if context and context["place"].nudged else None


def build_away_offer(letter: Letter) -> Contents | None:
    context = build_running(letter)
    return context if context and context["place"].wants_reminders else None


def build_running(letter: Letter) -> Contents | None:
    return build_table_contents(letter, Match.Phase.RUNNING)


def build_decide(letter: Letter) -> Contents | None:
    proposal = Proposal.objects.filter(pk=letter.values["proposal"], closed_at=None, passed_at=None).first()
    context = build_running(letter) if proposal else None
    if context is None or proposal is None or votes.is_outdated(proposal):
        return None
    undone = story.find_undone_lines(proposal.match, proposal.line) if proposal.line is not None else []
    context |= {"proposal": proposal, "undone": undone}
    if proposal.about == Proposal.About.GIVE:
        place = context["scene"].places[proposal.seat]
        context |= {"whose": place.name, "played_by": scene.explain_bot(place)}
    return context


def build_decided(letter: Letter) -> Contents | None:
    context = build_running(letter)
    shown = context and context["scene"]
    line = story.find_line(shown.match, shown.reader, letter.values["line"]) if shown else None
    return context | {"line": line} if context and line else None


def build_takeover(letter: Letter) -> Contents | None:
    proposal = Proposal.objects.filter(pk=letter.values["proposal"], closed_at=None).select_related("match").first()
    if proposal is None or proposal.match.phase != Match.Phase.RUNNING:
        return None
    ticket = sign(TakeoverTicket(letter.recipient_id, letter.recipient.sessions, proposal.pk))
    names = [place.name for place in proposal.match.places.all() if place.seat != proposal.seat]
    contents = {"ticket": ticket, "title": find_title(proposal.match), "others": names, "table": proposal.match}
    return contents | {"free_at": proposal.free_at}


def build_veto(letter: Letter) -> Contents | None:
    """Return contents without a match, since a player who has resigned gets no more letters about it."""
    proposal = Proposal.objects.filter(pk=letter.values["proposal"], closed_at=None).select_related("match").first()
    if proposal is None or proposal.match.phase != Match.Phase.RUNNING:
        return None
    place = proposal.match.places.filter(seat=proposal.seat, player=letter.recipient).first()
    if place is None:
        return None
    ticket = sign(VetoTicket(letter.recipient_id, letter.recipient.sessions, proposal.pk))
    seat_ticket = None if place.resigned_at else sign(SeatTicket(place.match_id, place.seat, place.occupant))
    contents = {"ticket": ticket, "seat_ticket": seat_ticket, "title": find_title(proposal.match), "name": place.name}
    return contents | {"free_at": proposal.free_at}


def build_handed(letter: Letter) -> Contents | None:
    context, left = build_running(letter), Departure.objects.filter(pk=letter.values["departure"]).first()
    if context is None or left is None:
        return None
    return context | {"former": left.name, "newcomer": context["names"][left.seat]}


def build_replaced(letter: Letter) -> Contents:
    """Return contents without a match, since the former player no longer sits at its table."""
    left = Departure.objects.filter(pk=letter.values.get("departure")).select_related("match").first()
    if left is None:
        return build_expired(letter) | {"others": [], "by_organiser": False}
    others = [place.name for place in left.match.places.all() if place.seat != left.seat]
    by = left.match.events.get(seq=left.seq).origin
    return build_expired(letter) | {"others": others, "by_organiser": by == Event.Origin.ORGANISER}


def build_away_seen(letter: Letter) -> Contents | None:
    match = letter.match
    if match is None or match.phase != Match.Phase.RUNNING:
        return None
    name = match.places.get(seat=letter.values["seat"]).name
    return {"title": find_title(match), "others": find_other_names(letter), "name": name}


def build_expired(letter: Letter) -> Contents:
    return {"title": letter.values["title"]}


KINDS = (
    Kind("excused", _("Your time ran out"), build_turn, asks=True, answerable=True),
    Kind("stand_in", _("A bot is playing for you"), build_stand_in),
    Kind("still", _("Are you still playing?"), build_still),  # to a player who has been silent for long
    Kind("away_offer", _("Are you away?"), build_away_offer),  # to a player whose mailbox replied automatically
    Kind("away_seen", _("A player seems to be away"), build_away_seen, to_anybody=True),  # to the table's caretaker
    Kind("decide", _("The table has a question"), build_decide),  # to players who have a vote
    Kind("decided", _("The table has decided"), build_decided),
    Kind("takeover", _("A seat for you"), build_takeover),
    Kind("veto", _("Someone may take your seat"), build_veto),  # to its player, if one vote alone decided
    Kind("handed", _("A new player at the table"), build_handed),
    Kind("replaced", _("Your seat was given to someone else"), build_replaced),
    Kind("expired", _("The table didn’t fill up"), build_expired),
)
