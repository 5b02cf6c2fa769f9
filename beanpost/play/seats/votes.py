"""Votes of the players at a table: to pause, to resume, to rewind, to give an absent player's seat away.

A pause needs everybody's consent, and so does rewinding past something that was revealed. A seat is given away by more
than half of the others, or by an organiser who does not sit at the table. The newcomer takes the seat by pressing the
link in their letter (`takeover.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from beanpost.database import batches
from beanpost.play import signals
from beanpost.play.log import load
from beanpost.play.models import Event, Match, Note, Place, Proposal, Voice
from beanpost.play.seats import joining, rewind, takeover
from beanpost.play.turns import house_lines
from beanpost.players import accounts
from beanpost.players.names import strip_invisible
from games.contract.house_lines import Pause, Resume, Rewind, Sit
from games.contract.notation import Action
from games.contract.seats import HOUSE, Seat


def find_present_players(match: Match) -> list[Place]:
    """Return the seats whose players play themselves."""
    return list(match.places.filter(player__isnull=False, stand_in=False).select_related("player"))


def may_vote(proposal: Proposal, place: Place) -> bool:
    """Return whether a seat may vote on a proposal."""
    if place.player_id is None or place.seat == proposal.seat:
        return False
    if proposal.about == Proposal.About.REWIND:  # absent players have seen their cards as well
        return place.resigned_at is None
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


def check_may_propose(match: Match, place: Place, about: str) -> None:
    if match.phase != Match.Phase.RUNNING:
        raise ValidationError(_("This match isn’t in progress."))
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
    if proposal.passed_at is None and is_agreed(proposal, match.places.all(), proposal.voices.all()):
        carry_out(match, proposal, now, last=place)
    return proposal


def decide_without_absent(now: datetime) -> int:
    """Carry out proposals that now have enough votes, since players who had not voted have become absent."""
    return batches.run_each(find_agreed_proposals(), decide_one_without_absent, now)


def find_agreed_proposals() -> list[tuple[int, int]]:
    """Return match and proposal keys of proposals with enough votes; the caller checks again under the match's lock."""
    return [
        (proposal.match_id, proposal.pk)
        for proposal in find_open_proposals().select_related("match").prefetch_related("voices", "match__places")
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
    if not is_agreed(proposal, match.places.all(), proposal.voices.all()):
        return False
    carry_out(match, proposal, now, last=None)
    return True


def carry_out(match: Match, proposal: Proposal, now: datetime, *, last: Place | None) -> None:
    """Carry out a proposal. `last` cast the deciding vote, and sees the result on the page."""
    proposal.passed_at = now
    if proposal.about == Proposal.About.GIVE:
        asked_before = match.proposals.filter(about=Proposal.About.GIVE, seat=proposal.seat, closed_at=None)
        asked_before.exclude(pk=proposal.pk).update(closed_at=now)
        signals.offered.send(Match, match=match, proposal=proposal, now=now)
    else:
        proposal.closed_at = now
    proposal.save(update_fields=["passed_at", "closed_at"])
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


@transaction.atomic
def rewind_for_organiser(match_id: int, seq: int, *, reason: str = "", now: datetime) -> Proposal | None:
    """Rewind a line and all that followed for an organiser: at once, or by a proposal if everybody must consent."""
    match = load.lock_match(match_id)
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
    player = takeover.find_candidate(match, seat, address, now)
    offered = match.proposals.filter(about=Proposal.About.GIVE, seat=seat, closed_at=None)
    proposal = offered.filter(player=player, passed_at__isnull=False).first()
    if proposal:
        carry_out(match, proposal, now, last=None)
        return proposal
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
