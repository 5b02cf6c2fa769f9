"""The page where an organiser says which player they are, or that they don't play here."""

from __future__ import annotations

from django.contrib.admin.views.decorators import staff_member_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from beanpost.leagues import organiser_accounts
from beanpost.pages import sessions
from beanpost.pages.access import render_page, shows_and_acts
from beanpost.play import clock


@shows_and_acts
@staff_member_required(login_url="admin:login")  # type: ignore[untyped-decorator]
def link_organiser(request: HttpRequest) -> HttpResponse:
    """Link the organiser to the player signed in in this browser: the sign-in letter is the proof.

    Nothing is typed here, so nobody can find out who plays.
    """
    account, player = organiser_accounts.find_account(request.user), sessions.find_visitor(request)
    if request.method == "POST" and (account is None or account.player_id is None):
        if "link" in request.POST and player and not player.guest:
            organiser_accounts.link(request.user, player)
            return redirect("admin:index")
        if "no" in request.POST and player is None:
            organiser_accounts.record_no(request.user, now=clock.now())
            return redirect("admin:index")
    return render_page(request, "plays_here", account=account, player=player)
