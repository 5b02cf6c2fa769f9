"""Answers to a league's letters: accept or decline an invitation, the keeper's role, or a contact address."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect

from beanpost.leagues.mail import contacts
from beanpost.leagues.mail.contacts import ContactTicket
from beanpost.leagues.mail.letters import EntryTicket, KeeperTicket
from beanpost.leagues.models import Entry, League
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.seasons import keepers, phases
from beanpost.pages.access import render_page, requires_visit_ticket
from beanpost.play import clock
from beanpost.players.models import Player


@requires_visit_ticket(EntryTicket)
def answer_invitation(request: HttpRequest, ticket: EntryTicket, player: Player) -> HttpResponse:
    """Accept or decline an invitation. GET only shows: mail scanners open every link."""
    # An organiser may have corrected the address meanwhile: then the invitation is somebody else's.
    entry = get_object_or_404(Entry.objects.select_related("season__league", "player"), pk=ticket.entry, player=player)
    if request.method == "POST":
        save_answer(entry, request)
        entry = Entry.objects.select_related("season__league", "player").get(pk=entry.pk)
    season = entry.season
    may = {
        "is_open": phases.is_open(season),
        "has_room": season_entries.has_room(season),
        "may_decline": season_entries.may_decline(entry),
    }
    return render_page(request, "leagues/entering", entry=entry, season=season, league=season.league, **may)


def save_answer(entry: Entry, request: HttpRequest) -> None:
    now = clock.now()
    if "decline" in request.POST:
        season_entries.decline(entry, now=now)
    else:
        season_entries.accept(entry, as_substitute="substitute" in request.POST, now=now)


@requires_visit_ticket(KeeperTicket)
def answer_keeper_offer(request: HttpRequest, ticket: KeeperTicket, player: Player) -> HttpResponse:
    """Accept or decline to be a league's keeper, or step down; or only confirm an organiser's address.

    If their address is also to receive the answers to the league's letters, one press answers both questions. An
    organiser may have asked for that while the page was open: then the page didn't ask, so the press doesn't answer it.
    """
    league = get_object_or_404(League, pk=ticket.league)
    if ticket.back:
        shown = render_page(request, "leagues/keeping", league=league, player=player, confirms=True)
        return redirect(ticket.back) if request.method == "POST" else shown
    if "contact" in request.POST:
        return accept_or_decline(request, "keeping", league, player, accept_both, decline_both)
    return accept_or_decline(request, "keeping", league, player, keepers.accept, keepers.decline)


def accept_both(league: League, player: Player) -> bool:
    if league.asked_keeper_id == player.pk:
        contacts.confirm(league, player)
    return keepers.accept(league, player)


def decline_both(league: League, player: Player) -> None:
    if league.asked_keeper_id == player.pk:
        contacts.decline(league, player)
    keepers.decline(league, player)


@requires_visit_ticket(ContactTicket)
def answer_contact_request(request: HttpRequest, ticket: ContactTicket, player: Player) -> HttpResponse:
    """Confirm that answers to a league's letters may go to this address, or decline."""
    league = get_object_or_404(League, pk=ticket.league)
    return accept_or_decline(request, "contacting", league, player, contacts.confirm, contacts.decline)


def accept_or_decline(
    request: HttpRequest,
    name: str,
    league: League,
    player: Player,
    accept: Callable[[League, Player], bool],
    decline: Callable[[League, Player], None],
) -> HttpResponse:
    """Show what a league asks of a player, and take the answer. GET only shows."""
    if request.method == "POST":
        if "decline" in request.POST:
            decline(league, player)
        else:
            accept(league, player)
    return render_page(request, f"leagues/{name}", league=league, player=player)
