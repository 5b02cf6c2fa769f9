"""A signed-in player's page: open questions, and everything else they play."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from beanpost.leagues.models import Entry
from beanpost.leagues.records import season_records
from beanpost.pages.access import page
from beanpost.pages.sessions import for_visitor
from beanpost.pages.visitors.home import open_tables
from beanpost.play import clock
from beanpost.play.display import my_games as display_my_games
from beanpost.play.tickets import PlayerTicket, WishesTicket, sign
from beanpost.players import address_changes
from beanpost.players.models import Player

MOST_SEASONS = 50


@for_visitor
def my_games(request: HttpRequest, player: Player) -> HttpResponse:
    own = display_my_games.of(player)
    return page(
        request,
        "my_games",
        player=player,
        now=clock.now(),
        desk=own,
        tables=[table for table in open_tables() if table not in own.tables],
        entries=entries(player),
        tally=season_records.tally(player),
        ratings=player.ratings.order_by("game"),
        change=address_changes.pending_for(player),
        wishes_ticket=sign(WishesTicket(player.pk, player.sessions)),
        player_ticket=sign(PlayerTicket(player.pk)),  # name and address change only through a new letter
    )


def entries(player: Player) -> list[Entry]:
    """Return the seasons a player is in or is invited to."""
    there = (Entry.State.INVITED, Entry.State.ENTERED, Entry.State.WAITING, Entry.State.SUBSTITUTE)
    found = Entry.objects.filter(player=player, state__in=there).select_related("season__league", "division")
    return list(found.order_by("-season_id")[:MOST_SEASONS])
