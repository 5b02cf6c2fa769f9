"""Votes of the players at a table: to pause, to resume, to rewind, to give an absent player's seat away.

A pause needs everybody's consent, and so does rewinding past something that was revealed; players who refuse letters
can't be asked about that, so they don't count. A seat is given away by more than half of the others, or by an organiser
who does not sit at the table. The newcomer takes the seat by pressing the link in their letter (`takeover.py`): at
once, or after three days if a single player decided: the newcomer's address may be that player's own. The absent player
gets a letter then, and may veto.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _

from beanpost.database import batches
from beanpost.play import load, signals
from beanpost.play.models import Event, Match, Note, Place, Proposal, Voice
from beanpost.play.seats import joining, rewind, takeover
from beanpost.play.tickets import UndoTicket, sign
from beanpost.play.turns import house_lines
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.players.names import strip_invisible
from games.contract.house_lines import Pause, Resume, Rewind, Sit
from games.contract.notation import Action
from games.contract.seats import HOUSE, Seat

TIME_TO_VETO = timedelta(days=3)
VETO_LASTS = timedelta(days=30)


def find_present_players(match: Match) -> list[Place]:
    """Return the seats whose players play themselves."""
    return list(match.places.filter(player__isnull=False, stand_in=False).select_related("player"))


def may_vote(proposal: Proposal, place: Place) -> bool:
    """Return whether a seat may vote on a proposal."""
    if place.player_id is None or place.seat == proposal.seat:
        return False
    if proposal.about == Proposal.About.REWIND:  # absent players have seen their cards as well
        return place.resigned_at is None and not (place.player and place.player.unwanted_at)  # they can't be asked
    return not place.stand_in


def find_voters(proposal: Proposal) -> list[Place]:
    return [place for place in proposal.match.places.select_related("player") if may_vote(proposal, place)]


def find_yes_voters(proposal: Proposal) -> list[Place]:
    """Return the seats that voted yes and still may vote."""
    yes = {voice.seat for voice in proposal.voices.all()}
    return [voter for voter in find_voters(proposal) if voter.seat in yes]


def count_needed_votes(proposal: Proposal) -> int:
    """Return how many yes votes the proposal needs."""
    return compute_quorum(proposal, len(find_voters(proposal)))


def compute_quorum(proposal: Proposal, voters: int) -> int:
    """Return how many of these voters must vote yes: more than half to give a seat away, otherwise all."""
    return voters // 2 + 1 if proposal.about == Proposal.About.GIVE else voters


def is_agreed(proposal: Proposal, places: Iterable[Place], voices: Iterable[Voice]) -> bool:
    """Return whether enough of the match's seats have voted yes."""
    asked = {place.seat for place in places if may_vote(proposal, place)}
    yes = asked & {voice.seat for voice in voices}
    return bool(yes) and len(yes) >= compute_quorum(proposal, len(asked))


@transaction.atomic
def propose(place: Place, about: str, *, seat: Seat = HOUSE, address: str = "", now: datetime) -> Proposal:
    """Propose something and vote for it. If the same proposal is open already, vote for that one instead."""
    assert place.player is not None
    accounts.lock_player(place.player.pk)  # lock order: the player before the match, as when a match is opened
    match = load.lock_seat(place)
    check_may_propose(match, place, about)
    proposal = match.proposals.filter(about=about, seat=seat, closed_at=None, passed_at=None).first()
    if proposal:
        check_same_candidate(proposal, address)
    else:
        player = None
        if about == Proposal.About.GIVE:
            if seat in find_kept_seats(match, now):
                raise ValidationError(_("This player is keeping their seat, and a bot plays on."))
            joining.check_invitations(place.player, 1, now)
            player = takeover.find_candidate(match, seat, address, now)
        proposal = match.proposals.create(
            about=about, seat=seat, player=player, length=match.length, origin=Event.Origin.PLAYER, opened_at=now
        )
        others = [voter for voter in find_voters(proposal) if voter.seat != place.seat]
        signals.proposed.send(Match, match=match, proposal=proposal, voters=others, now=now)
    return record_vote(match, proposal, place, now)


@transaction.atomic
def vote(place: Place, proposal_id: int, *, now: datetime) -> Proposal:
    """Vote for a proposal. Pressing twice counts once."""
    match = load.lock_seat(place)
    proposal = match.proposals.filter(pk=proposal_id).first()
    if proposal is None:
        raise ValidationError(_("This is no longer being decided."))
    return proposal if proposal.closed_at else record_vote(match, proposal, place, now)


def check_running(match: Match) -> None:
    if match.phase != Match.Phase.RUNNING:
        raise ValidationError(_("This match isn’t in progress."))


def check_may_propose(match: Match, place: Place, about: str) -> None:
    check_running(match)
    if place.resigned_at:
        raise ValidationError(_("You’ve resigned from this match."))
    if place.is_bot:
        raise ValidationError(_("A bot is playing for you. Take your seat back first."))
    if about == Proposal.About.PAUSE and match.paused_at:
        raise ValidationError(_("The match is already paused."))
    if about == Proposal.About.RESUME and not match.paused_at:
        raise ValidationError(_("The match isn’t paused."))


def check_same_candidate(proposal: Proposal, address: str) -> None:
    """Refuse another candidate for the same seat: candidates are secret, so this vote would count for the first one."""
    if proposal.player and address and accounts.tidy_address(address) != proposal.player.address:
        raise ValidationError(_("Someone has already been suggested for this seat. Please decide on that first."))


def record_vote(match: Match, proposal: Proposal, place: Place, now: datetime) -> Proposal:
    if place.seat not in {voter.seat for voter in find_voters(proposal)}:
        raise ValidationError(_("The other players decide this."))
    if is_outdated(proposal):
        raise ValidationError(_("The match has moved on, so undoing is no longer an option."))
    proposal.voices.get_or_create(seat=place.seat)
    if proposal.passed_at is None and is_agreed(proposal, match.places.select_related("player"), proposal.voices.all()):
        carry_out(match, proposal, now, last=place)
    return proposal


def decide_without_absent(now: datetime) -> int:
    """Carry out proposals that now have enough votes, since players who had not voted have become absent."""
    return batches.run_each(find_agreed_proposals(), decide_one_without_absent, now)


def find_agreed_proposals() -> list[tuple[int, int]]:
    """Return match and proposal keys of proposals with enough votes; the caller checks again under the match's lock."""
    return [
        (proposal.match_id, proposal.pk)
        for proposal in find_open_proposals()
        .select_related("match")
        .prefetch_related("voices", Prefetch("match__places", Place.objects.select_related("player")))
        if is_agreed(proposal, proposal.match.places.all(), proposal.voices.all()) and not is_outdated(proposal)
    ]


def find_open_proposals() -> QuerySet[Proposal]:
    """Return the open proposals of all matches. There are few: a match that ends closes its own."""
    open_ones = Proposal.objects.filter(closed_at=None, passed_at=None)
    return open_ones.order_by("match_id", "about", "seat")  # the order of their index, so that no other rows are read


@transaction.atomic
def decide_one_without_absent(match_id: int, proposal_id: int, now: datetime) -> bool:
    match = load.lock_match(match_id)
    proposal = match.proposals.get(pk=proposal_id)
    if proposal.closed_at or proposal.passed_at or is_outdated(proposal):
        return False
    if not is_agreed(proposal, match.places.select_related("player"), proposal.voices.all()):
        return False
    carry_out(match, proposal, now, last=None)
    return True


def carry_out(match: Match, proposal: Proposal, now: datetime, *, last: Place | None) -> None:
    """Carry out a proposal. `last` cast the deciding vote, and sees the result on the page."""
    proposal.passed_at = now
    if proposal.about == Proposal.About.GIVE:
        asked_before = match.proposals.filter(about=Proposal.About.GIVE, seat=proposal.seat, closed_at=None)
        asked_before.exclude(pk=proposal.pk).update(closed_at=now)
        if proposal.origin == Event.Origin.PLAYER and len(find_yes_voters(proposal)) == 1:
            proposal.free_at = now + TIME_TO_VETO
        signals.offered.send(Match, match=match, proposal=proposal, now=now)
    else:
        proposal.closed_at = now
    proposal.save(update_fields=["passed_at", "free_at", "closed_at"])
    line = match.length + 1  # the house's line
    if proposal.about == Proposal.About.PAUSE:
        house_lines.pause(match, proposal.origin, now)
    elif proposal.about == Proposal.About.RESUME:
        house_lines.resume(match, proposal.origin, now)
    elif proposal.about == Proposal.About.REWIND:
        assert proposal.line is not None
        rewind.rewind(match, proposal.line, proposal.origin, now)
    if match.length >= line:
        announce_decision(match, line, proposal.reason, now, last=last)


def find_result_line(proposal: Proposal) -> int | None:
    """Return the number of the house's line that did what was proposed, no matter who decided it."""
    match proposal.about:
        case Proposal.About.PAUSE:
            done: Action = Pause()
        case Proposal.About.RESUME:
            done = Resume()
        case Proposal.About.GIVE:
            done = Sit(proposal.seat, "person")
        case _:
            done = Rewind(proposal.line or 0)
    since = Event.objects.filter(match=proposal.match_id, seat=HOUSE, line=str(done), seq__gt=proposal.length)
    return since.values_list("seq", flat=True).first()


def announce_decision(match: Match, line: int, reason: str, now: datetime, *, last: Place | None = None) -> None:
    """Announce a decision to the table, with the organiser's reason if there is one."""
    if reason:
        Note.objects.create(match=match, seat=HOUSE, seq=line, text=strip_invisible(reason), said_at=now)
    signals.decided.send(Match, match=match, line=line, last=last, now=now)


# ── rewinding ────────────────────────────────────────────────────────────────────────────────────


def may_propose_undo(places: Iterable[Place], seat: Seat) -> bool:
    """Return whether a player may propose to undo their move: a present player must be left who can be asked."""
    undo = Proposal(about=Proposal.About.REWIND)
    asked = {place.seat for place in places if may_vote(undo, place) and not place.is_bot}
    return seat in asked and len(asked) > 1


def sign_undo_ticket(place: Place, places: Iterable[Place], seq: int) -> str:
    """Return the ticket that proposes to undo a player's own move; "" if they may not propose that."""
    if place.match.phase != Match.Phase.RUNNING or not may_propose_undo(places, place.seat):
        return ""
    return sign(UndoTicket(place.match_id, place.seat, place.occupant, seq))


def find_line_to_undo(match: Match, place: Place, seq: int) -> int:
    """Return the line to rewind to if a player's move is undone. Raise ValidationError if they may not propose that."""
    check_may_propose(match, place, Proposal.About.REWIND)
    line = rewind.find_line_before(match, seq)
    if has_open_rewind(match.proposals.all()):
        raise ValidationError(_("Your table is already deciding whether to undo some moves."), code=rewind.DONE)
    if not may_propose_undo(match.places.select_related("player"), place.seat):
        raise ValidationError(_("No one else at this table can agree."))
    return line


@transaction.atomic
def propose_undo(place: Place, seq: int, *, now: datetime) -> Proposal:
    """Propose to undo a player's own move and all that followed, and vote for it. Somebody else must agree, too."""
    match = load.lock_seat(place)
    line, about = find_line_to_undo(match, place, seq), Proposal.About.REWIND
    proposal = match.proposals.create(
        about=about, line=line, length=match.length, origin=Event.Origin.PLAYER, opened_at=now
    )
    others = [voter for voter in find_voters(proposal) if voter.seat != place.seat]
    signals.proposed.send(Match, match=match, proposal=proposal, voters=others, now=now)
    return record_vote(match, proposal, place, now)


@transaction.atomic
def rewind_for_organiser(match_id: int, seq: int, *, reason: str = "", now: datetime) -> Proposal | None:
    """Rewind a line and all that followed for an organiser: at once, or by a proposal if everybody must consent."""
    match = load.lock_match(match_id)
    check_running(match)
    line = rewind.find_line_before(match, seq)
    if rewind.needs_no_vote(match, line):
        house_line = match.length + 1
        rewind.rewind(match, line, Event.Origin.ORGANISER, now)
        announce_decision(match, house_line, reason, now)
        return None
    match.proposals.filter(about=Proposal.About.REWIND, closed_at=None).update(closed_at=now)
    proposal = match.proposals.create(
        about=Proposal.About.REWIND,
        line=line,
        length=match.length,
        origin=Event.Origin.ORGANISER,
        reason=reason,
        opened_at=now,
    )
    asked = find_voters(proposal)
    if not asked:
        carry_out(match, proposal, now, last=None)
    signals.proposed.send(Match, match=match, proposal=proposal, voters=asked, now=now)
    return proposal


def is_outdated(proposal: Proposal) -> bool:
    """Return whether lines were played since a rewind was proposed: the vote was about those listed then."""
    if proposal.about != Proposal.About.REWIND:
        return False
    return Event.objects.filter(match=proposal.match_id, seq__gt=proposal.length).exclude(seat=HOUSE).exists()


def find_undecided(match: Match) -> list[Proposal]:
    """Return the open proposals of a match."""
    return [proposal for proposal in match.proposals.filter(closed_at=None) if not is_outdated(proposal)]


def has_open_rewind(proposals: Iterable[Proposal]) -> bool:
    """Return whether one of these is an open proposal to rewind; it is void once somebody plays on."""
    back = [proposal for proposal in proposals if proposal.about == Proposal.About.REWIND and not proposal.closed_at]
    return any(not is_outdated(proposal) for proposal in back)


# ── another person for a seat ────────────────────────────────────────────────────────────────────


@transaction.atomic
def offer_seat(match_id: int, seat: Seat, address: str, *, now: datetime) -> Proposal:
    """Offer a seat to a player, or offer it again, as decided by an organiser who does not sit at the table."""
    match = load.lock_match(match_id)
    check_running(match)
    player = takeover.find_candidate(match, seat, address, now)
    offered = match.proposals.filter(about=Proposal.About.GIVE, seat=seat, closed_at=None)
    again = offered.filter(player=player, passed_at__isnull=False, origin=Event.Origin.ORGANISER).first()
    if again:
        carry_out(match, again, now, last=None)
        return again
    offered.update(closed_at=now)
    proposal = match.proposals.create(
        about=Proposal.About.GIVE,
        seat=seat,
        player=player,
        length=match.length,
        origin=Event.Origin.ORGANISER,
        opened_at=now,
    )
    carry_out(match, proposal, now, last=None)
    return proposal


@transaction.atomic
def veto(proposal: Proposal, player: Player, *, now: datetime) -> bool:
    """Keep a player's own seat, which one vote alone would give away. Return False if another player has it already.

    The veto is about the seat: the same vote may have chosen another newcomer since that proposal.
    """
    match = load.lock_match(proposal.match_id)
    if not match.places.filter(seat=proposal.seat, player=player).exists():
        return False
    offered = find_offers(proposal).filter(free_at__isnull=False)
    if offered.update(vetoed_at=now, closed_at=now):  # a suggestion still being voted on ends too
        match.proposals.filter(about=Proposal.About.GIVE, seat=proposal.seat, closed_at=None).update(closed_at=now)
    return True


def find_offers(proposal: Proposal) -> QuerySet[Proposal]:
    """Return the open offer of the same seat, if there is one."""
    here = Proposal.objects.filter(match=proposal.match_id, about=Proposal.About.GIVE, seat=proposal.seat)
    return here.filter(passed_at__isnull=False, closed_at=None)


def find_kept_seats(match: Match, now: datetime) -> set[Seat]:
    """Return the seats that their players want to keep, by a veto not long ago."""
    return set(match.proposals.filter(vetoed_at__gt=now - VETO_LASTS).values_list("seat", flat=True))
