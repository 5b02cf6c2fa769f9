"""Being away, coming back, resigning and the table's votes. GET shows, POST acts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from beanpost.leagues.models import Fixture
from beanpost.pages.access import (
    read_ticket,
    render_not_yours,
    render_page,
    requires_seat_ticket,
    requires_visit_ticket,
)
from beanpost.pages.forms.seat import AgreeForm, AwayForm, GiveForm
from beanpost.pages.notices import explain_not_begun
from beanpost.play import clock
from beanpost.play.deadlines import days_away
from beanpost.play.display import scene, story
from beanpost.play.display.lists.my_games import name_match
from beanpost.play.display.wording import format_your_time, join_names
from beanpost.play.models import Match, Place, Proposal
from beanpost.play.seats import own_seat, rewind, votes
from beanpost.play.seats.takeover import decline, is_still_offered, take_over
from beanpost.play.tickets import SeatTicket, TakeoverTicket, UndoTicket, VetoTicket, sign
from beanpost.play.timekeeping import absence
from beanpost.players.models import Player
from games.contract.seats import HOUSE


@requires_seat_ticket(SeatTicket)
def announce_days_away(request: HttpRequest, ticket: SeatTicket, match: Match, place: Place) -> HttpResponse:
    """Announce days away, or withdraw them."""
    player, now = place.player, clock.now()
    if player is None:
        return render_not_yours(request, match)
    form = AwayForm(request.POST if "first" in request.POST else None)
    if request.method == "POST" and "back" in request.POST:
        absence.come_back(player, now=now)
    elif form.is_valid():
        try:
            absence.announce_days_away(player, **form.cleaned_data, now=now)
            form = AwayForm()  # start again with an empty form
        except ValidationError as refusal:
            form.add_error(None, refusal)
    noted = player.absences.filter(last__gte=now.astimezone(player.tz).date())
    return render_page(
        request,
        "away",
        status=400 if form.errors else 200,
        form=form,
        match=match,
        absences=noted,
        days_left=days_away.count_days_left(player, now),
        not_covered=describe_matches(days_away.find_stricter_matches(player, noted), player),
    )


def describe_matches(matches: Sequence[Match], player: Player) -> list[dict[str, Any]]:
    """Describe each match by its other players and its league: somebody may play two matches of the same game."""
    names = defaultdict(list)
    for place in Place.objects.filter(match__in=matches).exclude(player=player).order_by("seat"):
        names[place.match_id].append(place.name)
    fixtures = Fixture.objects.filter(match__in=matches)
    leagues = dict(fixtures.values_list("match", "round__division__season__league__name"))
    return [
        {"match": one, "name": name_match(one, names[one.pk]), "league": leagues.get(one.pk, "")} for one in matches
    ]


@requires_seat_ticket(SeatTicket)
def take_seat_back(request: HttpRequest, ticket: SeatTicket, match: Match, place: Place) -> HttpResponse:
    """Take a seat back from a bot."""
    refusal = ""
    if request.method == "POST":
        try:
            absence.return_to_seat(place, now=clock.now())
        except ValidationError as trouble:
            refusal = trouble.messages[0]
    return render_page(request, "back", status=409 if refusal else 200, match=match, place=place, refusal=refusal)


@requires_seat_ticket(SeatTicket)
def confirm_still_playing(request: HttpRequest, ticket: SeatTicket, match: Match, place: Place) -> HttpResponse:
    """Confirm that a player is still playing."""
    if request.method == "POST":
        try:
            absence.confirm_still_playing(place, now=clock.now())
        except ValidationError:
            return render_not_yours(request, match)
    return render_page(request, "still", match=match, place=place)


@requires_seat_ticket(SeatTicket)
def seat(request: HttpRequest, ticket: SeatTicket, match: Match, place: Place) -> HttpResponse:
    """Show a player's own seat, and what the table votes on."""
    if match.started_at is None:
        return render_page(request, "notice", notice=explain_not_begun(match))
    if match.phase != Match.Phase.RUNNING:
        return render_page(request, "finished", **build_ended_context(match, place))
    form, refusal, answered = GiveForm(request.POST if "address" in request.POST else None), "", None
    if request.method == "POST":
        try:
            answered = run_action(request, place, form)
        except ValidationError as trouble:
            refusal = trouble.messages[0]
        match.refresh_from_db()
        place.refresh_from_db()
    if answered:
        form = GiveForm()  # start again with an empty form
    status = 400 if refusal or form.errors else 200
    context = build_decisions(match, place) | {"form": form, "refusal": refusal, "ticket": read_ticket(request)}
    return render_page(request, "seat", status=status, outcome=describe_outcome(match, place, answered), **context)


def build_ended_context(match: Match, place: Place) -> dict[str, Any]:
    return {"match": match} | ({"scene": scene.build_scene(match, place.seat)} if match.started_at else {})


def run_action(request: HttpRequest, place: Place, form: GiveForm) -> Proposal | None:
    """Run the one action that the pressed button names. Return the proposal made or agreed to, if any."""
    now, posted = clock.now(), request.POST
    if "agree" in posted:
        return votes.vote(place, read_proposal_id(posted), now=now)
    if posted.get("propose") in (Proposal.About.PAUSE, Proposal.About.RESUME):
        return votes.propose(place, posted["propose"], now=now)
    if form.is_valid():
        return votes.propose(place, Proposal.About.GIVE, **form.cleaned_data, now=now)
    if "resign" in posted:
        absence.resign(place, now=now)
    if "watch" in posted or "unwatch" in posted:
        own_seat.set_may_be_watched(place, "watch" in posted)
    return None


def describe_outcome(match: Match, place: Place, answered: Proposal | None) -> str:
    """Say what became of a closed proposal somebody agreed to, with its date if other lines of the house followed."""
    if answered is None or answered.closed_at is None or match.phase != Match.Phase.RUNNING:
        return ""
    seq = votes.find_result_line(answered)
    if seq is None:
        return _("This is no longer being decided.")
    line, *later = (line for line in story.tell_story(match, place.seat) if line.seat == HOUSE and line.seq >= seq)
    dated = _("On %(when)s: “%(what)s”") % {"when": format_your_time(line.said_at), "what": line.text}
    return dated if later else line.text


def read_proposal_id(posted: QueryDict) -> int:
    """Return the id of the proposal that is agreed to, or 0 if the value is no number."""
    form = AgreeForm(posted)
    return form.cleaned_data["agree"] if form.is_valid() else 0


def build_decisions(match: Match, place: Place) -> dict[str, Any]:
    places, proposed = list(match.places.all()), votes.find_undecided(match)
    asked = {proposal.seat for proposal in proposed if proposal.passed_at is None}
    absent = [other for other in places if other.player_id and other.stand_in and other.seat != place.seat]
    return {
        "match": match,
        "place": place,
        "open": [build_decision(proposal, places, place) for proposal in proposed],
        "absent": [other for other in absent if other.seat not in asked],
        "kept": votes.find_kept_seats(match, clock.now()),
        "in_league": match.placed,
        "panels": build_panels(match, place, proposed),
    }


@dataclass(frozen=True)
class Decision:
    """What the table is deciding, as one of its players sees it."""

    pk: int
    title: str
    progress: str
    undone: Sequence[story.StoryLine]  # what the table would take back
    reason: str  # the organiser's
    may_agree: bool
    has_agreed: bool


def build_decision(proposal: Proposal, places: list[Place], place: Place) -> Decision:
    agreed = votes.find_yes_voters(proposal)
    is_own_seat = proposal.about == Proposal.About.GIVE and proposal.seat == place.seat
    has_agreed = place in agreed
    is_open = proposal.passed_at is None and not is_own_seat
    whose = places[proposal.seat].name if proposal.about == Proposal.About.GIVE else ""
    return Decision(
        pk=proposal.pk,
        title=_("The others are looking for someone to take over") if is_own_seat else name_decision(proposal, whose),
        progress=describe_loss(proposal) if is_own_seat else describe_progress(proposal, whose, agreed),
        undone=story.find_undone_lines(proposal.match, proposal.line) if proposal.line is not None else [],
        reason=proposal.reason,
        may_agree=is_open and not has_agreed and any(one.seat == place.seat for one in votes.find_voters(proposal)),
        has_agreed=is_open and has_agreed,
    )


def name_decision(proposal: Proposal, whose: str) -> str:
    match proposal.about:
        case Proposal.About.PAUSE:
            return _("Pause the match?")
        case Proposal.About.RESUME:
            return _("Continue the match?")
        case Proposal.About.REWIND:
            return _("Undo the last moves?")
    return _("Let someone else play for %(whose)s?") % {"whose": whose}


def describe_loss(proposal: Proposal) -> str:
    """Say to the player whose seat is decided on how far it has come."""
    if proposal.free_at:
        return _(
            "Someone has been asked to take over your cards, and can have the seat from %(moment)s on. Our letter "
            "about it has a link to refuse."
        ) % {"moment": format_your_time(proposal.free_at)}
    if proposal.passed_at:
        return _("Someone has been asked to take over your cards. The seat is yours until they accept.")
    return _("They’re deciding whether a new player takes over your cards. The seat is yours until then.")


def describe_progress(proposal: Proposal, whose: str, agreed: Sequence[Place]) -> str:
    """Say to the others how far a decision has come."""
    if proposal.free_at:
        return _(
            "A single vote decided this, so %(whose)s can keep the seat until %(moment)s. The new player has been "
            "asked, and sees no cards before that."
        ) % {"whose": whose, "moment": format_your_time(proposal.free_at)}
    if proposal.passed_at:
        return _("You’ve agreed on this. Someone has been asked to take over the seat and hasn’t accepted yet.")
    needed = votes.count_needed_votes(proposal)
    if agreed:
        return _("Agreed so far: %(names)s. Needed: %(needed)s.") % {"names": join_names(agreed), "needed": needed}
    return _("No one has agreed yet. Needed: %(needed)s.") % {"needed": needed}


class Panel(NamedTuple):
    """Something that the player may change about the match, with its button."""

    title: str
    about: str
    name: str
    value: str
    label: str  # empty: nothing to press, since the table is deciding it


def build_panels(match: Match, place: Place, proposed: Sequence[Proposal]) -> list[Panel]:
    panels = []
    if not place.stand_in:
        asked = any(one.about in (Proposal.About.PAUSE, Proposal.About.RESUME) for one in proposed)
        panels.append(build_pause_panel(match, is_asked=asked))
    if match.watchable:
        panels.append(build_watch_panel(place))
    return panels


def build_pause_panel(match: Match, *, is_asked: bool) -> Panel:
    if match.paused_at:
        about = _("It continues when everyone agrees, or automatically after thirty days.")
        label = "" if is_asked else _("Suggest continuing")
        return Panel(_("The match is paused"), about, "propose", Proposal.About.RESUME, label)
    label = "" if is_asked else _("Suggest a pause")
    return Panel(_("Pause"), _("The clock stops once everyone agrees."), "propose", Proposal.About.PAUSE, label)


def build_watch_panel(place: Place) -> Panel:
    if place.may_be_watched:
        about = _("You let anyone watch this match. We list it if every player does.")
        return Panel(_("Watching"), about, "unwatch", "1", _("Don’t list it any more"))
    about = _(
        "We don’t list this match for people who like to watch. If every player agrees, we list it with your names. "
        "No one sees hidden cards."
    )
    return Panel(_("Watching"), about, "watch", "1", _("Let anyone watch this match"))


@requires_seat_ticket(UndoTicket)
def propose_undo(request: HttpRequest, ticket: UndoTicket, match: Match, place: Place) -> HttpResponse:
    """Ask the table to undo a move, once its player has seen what would be undone with it."""
    if match.phase != Match.Phase.RUNNING:
        return render_page(request, "finished", **build_ended_context(match, place))
    seat_ticket = sign(SeatTicket(ticket.match, ticket.seat, ticket.occupant))
    try:
        if request.method == "POST":
            votes.propose_undo(place, ticket.seq, now=clock.now())
            return HttpResponseRedirect(reverse("seat", args=[seat_ticket]), status=303)
        undone, refusal = story.find_undone_lines(match, votes.find_line_to_undo(match, place, ticket.seq)), ""
        status = 200
    except ValidationError as trouble:
        undone, refusal = [], trouble.messages[0]
        status = 200 if trouble.code == rewind.DONE else 409
    return render_page(request, "undo", status=status, match=match, undone=undone, refusal=refusal, ticket=seat_ticket)


@requires_visit_ticket(TakeoverTicket)
def take_over_seat(request: HttpRequest, ticket: TakeoverTicket, player: Player) -> HttpResponse:
    """Take over an absent player's seat. Until then the newcomer sees only what a bystander sees."""
    proposal = get_object_or_404(Proposal.objects.select_related("match"), pk=ticket.proposal, player=player)
    refusal = ""
    if "no" in request.POST:
        decline(proposal, now=clock.now())
    elif request.method == "POST":
        try:
            take_over(proposal, player, now=clock.now())
        except ValidationError as trouble:
            refusal = trouble.messages[0]
    proposal.refresh_from_db()
    shown = scene.build_scene(Match.objects.get(pk=proposal.match_id), None)
    place = shown.places[proposal.seat]
    context = {
        "scene": shown,
        "match": shown.match,
        "place": place if place.player_id == player.pk else None,
        "is_free": is_still_offered(shown.match, proposal, place),
        "proposal": proposal,
        "refusal": refusal,
        "declined": "no" in request.POST,
    }
    return render_page(request, "takeover", status=409 if refusal else 200, **context)


@requires_visit_ticket(VetoTicket)
def keep_seat(request: HttpRequest, ticket: VetoTicket, player: Player) -> HttpResponse:
    """Keep the player's own seat, which one vote alone would give away."""
    asked = get_object_or_404(Proposal.objects.select_related("match"), pk=ticket.proposal)
    proposal = votes.find_offers(asked).select_related("match").first() or asked
    if request.method == "POST":
        votes.veto(proposal, player, now=clock.now())
        proposal.refresh_from_db()
    place = proposal.match.places.filter(seat=proposal.seat, player=player).first()
    return render_page(request, "veto", match=proposal.match, place=place, proposal=proposal)
