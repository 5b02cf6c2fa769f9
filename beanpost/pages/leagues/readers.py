"""Readers of a league's pages: everybody, people with the link, or members with its code."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from beanpost.leagues import scope
from beanpost.leagues.models import Entry, League
from beanpost.pages.access import TOO_MANY, View, render_page
from beanpost.pages.forms.fields import PageForm
from beanpost.pages.sessions import find_visitor
from beanpost.play import clock
from beanpost.players.models import Player
from beanpost.post import visitor_limits

CODES_KEY = "leagues"  # session key: the codes that this browser has given, by league
MAX_LEAGUES = 20  # whose codes a session keeps
MAX_WRONG_CODES = 30  # wrong codes an hour from one visitor: organisers may choose short ones


class LeagueCodeForm(PageForm):
    code = forms.CharField(label=gettext_lazy("Code"), max_length=40, widget=forms.TextInput({"autocomplete": "off"}))

    def refuse(self) -> None:
        self.add_error("code", _("That isn’t the league’s code."))


def requires_league_reader(view: View) -> View:
    """Decorate a view of a league; others are asked for its code. Only public leagues are indexed."""

    @wraps(view)
    def enter(request: HttpRequest, slug: str, *args: Any, **values: Any) -> HttpResponse:
        league = get_object_or_404(League.objects.select_related("keeper"), slug=slug)
        accept_code(request, league)
        if may_read(request, league):
            response = view(request, league, *args, **values)
        else:
            response = ask_for_code(request, league)
        if league.visibility != League.Visibility.PUBLIC:
            response.headers["X-Robots-Tag"] = "noindex"
        if league.visibility == League.Visibility.MEMBERS:
            response.headers["Cache-Control"] = "private, no-store"
        return response

    return enter


def accept_code(request: HttpRequest, league: League) -> None:
    """Remember a right code, typed or in a link, in this browser. Once organisers change it, it no longer works."""
    given = read_code(request)
    if league.visibility != League.Visibility.MEMBERS or not given or has_guessed_too_often(request):
        return
    if is_right_code(league, given):
        known = {pk: code for pk, code in request.session.get(CODES_KEY, {}).items() if pk != str(league.pk)}
        request.session[CODES_KEY] = dict([*known.items(), (str(league.pk), league.join_code)][-MAX_LEAGUES:])
    else:
        visitor_limits.count("code", request.META.get("REMOTE_ADDR", ""), most=MAX_WRONG_CODES, now=clock.now())


def read_code(request: HttpRequest) -> str:
    return request.POST.get("code") or request.GET.get("code") or ""


def has_guessed_too_often(request: HttpRequest) -> bool:
    """Whether this visitor has given so many wrong codes that we read no more for an hour."""
    return visitor_limits.is_reached("code", request.META.get("REMOTE_ADDR", ""), most=MAX_WRONG_CODES, now=clock.now())


def is_right_code(league: League, given: str) -> bool:
    return bool(league.join_code) and constant_time_compare(given.strip().casefold(), league.join_code.casefold())


def may_read(request: HttpRequest, league: League) -> bool:
    """Whether this visitor may read the league's pages."""
    return league.visibility != League.Visibility.MEMBERS or belongs_to_league(request, league)


def may_find(request: HttpRequest, league: League) -> bool:
    """Whether other pages may lead this visitor to the league."""
    return league.visibility == League.Visibility.PUBLIC or belongs_to_league(request, league)


def belongs_to_league(request: HttpRequest, league: League) -> bool:
    """Whether this visitor plays in the league, runs it or has given its code here."""
    if is_right_code(league, request.session.get(CODES_KEY, {}).get(str(league.pk), "")):
        return True
    player = find_visitor(request)
    if player and (player.pk == league.keeper_id or is_member(league, player)):
        return True
    return request.user.is_staff and scope.may_manage(request.user, league)


def is_member(league: League, player: Player) -> bool:
    return Entry.objects.filter(season__league=league, player=player).exclude(state=Entry.State.DECLINED).exists()


def ask_for_code(request: HttpRequest, league: League) -> HttpResponse:
    """Show a form for the code, and nothing of the league but its name."""
    given = read_code(request)
    form = LeagueCodeForm({"code": given} if given else None)
    if form.is_bound and form.is_valid():
        if has_guessed_too_often(request):
            form.add_error(
                None, ValidationError(_("Too many wrong codes. Please come back in an hour."), code=TOO_MANY)
            )
        else:
            form.refuse()
    status = 429 if form.has_error(NON_FIELD_ERRORS, TOO_MANY) else 403
    return render_page(request, "leagues/code", status=status, league=league, form=form)
