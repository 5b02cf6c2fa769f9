"""Other apps' admin pages, scoped to the organiser's leagues: matches, players and letters."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from beanpost.leagues.admin.base import OwnRows
from beanpost.leagues.scope import exclude_own_matches
from beanpost.play.admin import MatchAdmin
from beanpost.play.models import Match
from beanpost.players.admin import PlayerAdmin
from beanpost.players.models import Player
from beanpost.post.admin import LetterAdmin
from beanpost.post.models import Letter

for model in (Match, Player, Letter):
    admin.site.unregister(model)


@admin.register(Match)
class LeagueMatchAdmin(OwnRows, MatchAdmin):
    list_per_page = 40
    show_full_result_count = False  # skip the extra count of all matches on every search


@admin.register(Player)
class LeaguePlayerAdmin(OwnRows, PlayerAdmin):
    ordering = ("name", "pk")  # by an index
    show_full_result_count = False


@admin.register(Letter)
class LeagueLetterAdmin(OwnRows, LetterAdmin):
    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Leave out letters of tables at which the organiser plays or may play.

        A dropped letter can reveal a standing order.
        """
        return exclude_own_matches(super().get_queryset(request), request.user)
