"""What all pages of the office have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

import games
from beanpost.variants import variant


class GameFilter(admin.ChoicesFieldListFilter):
    """The games on the shelf, by their names. Django's own looks through every row for the words there are."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        all_of_them = changelist.get_query_string(remove=[self.lookup_kwarg])
        yield {"selected": self.lookup_val is None, "query_string": all_of_them, "display": _("All")}
        for slug, game in games.GAMES.items():
            yield {
                "selected": slug in (self.lookup_val or ()),
                "query_string": changelist.get_query_string({self.lookup_kwarg: slug}),
                "display": game.title,
            }


class OfGames:
    """Rows that are about a game: called as players call it."""

    @admin.display(description=_("Game"), ordering="game")
    def title(self, row: Any) -> str:
        return games.get(row.game).title if row.game else gettext("All games")

    @admin.display(description=_("Variant"), ordering="variant")
    def kind_of_game(self, row: Any) -> str:
        return variant(row.variant)


class LookOnly(ModelAdmin):
    """Pages that are for looking: what they show is changed by the house's own verbs, or by nobody."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Django lets an address filter by any field: with `?values__contains=` one could read a letter bit by bit."""
        allowed = [name[0] if isinstance(name, tuple) else name for name in self.list_filter]
        return lookup.split("__")[0] in allowed
