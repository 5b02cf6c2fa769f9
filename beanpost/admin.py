"""What all pages of the office have in common."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from unfold.admin import ModelAdmin


class LookOnly(ModelAdmin):
    """Pages that are for looking: what they show is changed by the house's own verbs, or by nobody."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Django lets an address filter by any field: with `?text__contains=` one could read a letter bit by bit."""
        return lookup.split("__")[0] in (*self.list_filter, self.date_hierarchy)
