"""A player's own calendar feed: the deadlines of tables that wait for them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from beanpost.pages.access import render_page, requires_player_ticket
from beanpost.play import clock
from beanpost.play.display.lists import calendars, my_games
from beanpost.play.tickets import FeedTicket
from beanpost.players.models import Player


@require_safe
@requires_player_ticket(FeedTicket)
def feed(request: HttpRequest, ticket: FeedTicket, player: Player) -> HttpResponse:
    """Publish the present deadlines, so that an extension moves its entry. Renewing the feed changes its address."""
    if ticket.feed != player.feed:
        return render_page(request, "settings_void", status=410)
    published = calendars.build_feed(my_games.find_asked_seats(player), clock.now())
    return HttpResponse(published, content_type="text/calendar; charset=utf-8")
