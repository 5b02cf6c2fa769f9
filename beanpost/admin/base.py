"""Base classes for all pages of the admin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

import games
from games.engine import catalogue


class GameFilter(admin.ChoicesFieldListFilter):
    """Filter by game, listing the installed games by title. Django's own filter scans every row for the values."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        all_of_them = changelist.get_query_string(remove=[self.lookup_kwarg])
        yield {"selected": self.lookup_val is None, "query_string": all_of_them, "display": _("All")}
        for slug, game in games.GAMES.items():
            yield {
                "selected": slug in (self.lookup_val or ()),
                "query_string": changelist.get_query_string({self.lookup_kwarg: slug}),
                "display": game.title,
            }


class GameColumns:
    """Columns for rows that belong to a game: its title and its variant, as players know them."""

    @admin.display(description=_("Game"), ordering="game")
    def title(self, row: Any) -> str:
        return catalogue.title(row.game) if row.game else gettext("All games")

    @admin.display(description=_("Variant"), ordering="variant")
    def kind_of_game(self, row: Any) -> str:
        return gettext(catalogue.variant_name(row.game, row.variant).text)


class ReadOnlyAdmin(ModelAdmin):
    """A read-only admin page. Its rows change through the service's own functions, or not at all."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Allow lookups on listed filters only: with `?values__contains=` anybody could read a letter bit by bit."""
        allowed = [name[0] if isinstance(name, tuple) else name for name in self.list_filter]
        return lookup.split("__")[0] in allowed
