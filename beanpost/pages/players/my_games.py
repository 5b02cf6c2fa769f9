"""A signed-in player's page: open questions, and everything else they play."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from beanpost.leagues.mail.letters import EntryTicket
from beanpost.leagues.models import Entry
from beanpost.leagues.records import season_records
from beanpost.pages.access import choose_status, render_page
from beanpost.pages.forms.player import ShownNameForm
from beanpost.pages.sessions import requires_sign_in
from beanpost.pages.visitors.home import MAX_OPEN_TABLES
from beanpost.play.display.lists import my_games as display_my_games
from beanpost.play.display.lists import table_lists
from beanpost.play.tickets import LetterSettingsTicket, PlayerTicket, sign
from beanpost.players import accounts, address_changes
from beanpost.players.models import Player

MAX_SEASONS = 50


@requires_sign_in
def my_games(request: HttpRequest, player: Player) -> HttpResponse:
    own = display_my_games.build_overview(player)
    return render_page(
        request,
        "my_games",
        player=player,
        desk=own,
        tables=table_lists.find_open_tables().exclude(places__player=player)[:MAX_OPEN_TABLES],
        entries=(own_entries := list_entries(player)),
        shown_name_form=build_shown_name_form(player) if own_entries and not player.name_asked else None,
        tally=season_records.count_matches_and_wins(player),
        ratings=player.ratings.order_by("game"),
        change=address_changes.find_pending_of(player),
        letter_settings_ticket=sign(LetterSettingsTicket(player.pk, player.sessions)),
        player_ticket=sign(PlayerTicket(player.pk)),  # name and address change only through a new letter
    )


def build_shown_name_form(player: Player) -> ShownNameForm:
    return ShownNameForm(initial={"name_shown": player.name_shown, "nickname": player.nickname})


@requires_sign_in
def choose_shown_name(request: HttpRequest, player: Player) -> HttpResponse:
    """Choose how public pages of leagues name the player. Everybody is asked once; the settings have it, too."""
    form = ShownNameForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        accounts.change(player, **form.cleaned_data, name_asked=True)
        return redirect("my-games")
    return render_page(request, "shown_name", status=choose_status(form), player=player, shown_name_form=form)


def list_entries(player: Player) -> list[tuple[Entry, str]]:
    """Return the seasons a player is in or is invited to, each with a ticket to answer."""
    there = (Entry.State.INVITED, Entry.State.ENTERED, Entry.State.WAITING, Entry.State.SUBSTITUTE)
    found = Entry.objects.filter(player=player, state__in=there).select_related("season__league", "division")
    latest = found.order_by("-season_id")[:MAX_SEASONS]
    return [(entry, sign(EntryTicket(player.pk, player.sessions, entry.pk))) for entry in latest]
