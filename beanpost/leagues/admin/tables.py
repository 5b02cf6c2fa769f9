"""The other rooms' pages, with the office's scope: the matches, people and letters of one's own leagues."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from beanpost.leagues.scope import own, owns, tables_of
from beanpost.play.admin import MatchAdmin
from beanpost.play.models import Match
from beanpost.players.admin import PlayerAdmin
from beanpost.players.models import Player
from beanpost.post.admin import LetterAdmin
from beanpost.post.models import Letter

for model in (Match, Player, Letter):
    admin.site.unregister(model)


class Ours:
    """Put before a page of another room, it shows one's own leagues' rows there."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        return own(rows, request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) and (obj is None or owns(request.user, obj))


@admin.register(Match)
class LeagueMatchAdmin(Ours, MatchAdmin):
    list_per_page = 40
    show_full_result_count = False  # counting every match again beside each search tells nobody anything


@admin.register(Player)
class LeaguePlayerAdmin(Ours, PlayerAdmin):
    ordering = ("name", "pk")


@admin.register(Letter)
class LeagueLetterAdmin(Ours, LetterAdmin):
    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """None from a table at which one plays, or may play: an unneeded letter may tell of a standing order."""
        return super().get_queryset(request).exclude(match__in=tables_of(request.user))
