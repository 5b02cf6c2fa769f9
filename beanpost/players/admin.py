"""Players in the admin, read-only: players change their own address, by letter."""

from __future__ import annotations

from django.contrib import admin

from beanpost.admin.base import ReadOnlyAdmin
from beanpost.players.models import Player


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    list_display = ("name", "address", "language", "zone", "joined_at", "unwanted_at", "unreached_at")
    list_filter = ("language", "unreached_at")
    search_fields = ("name", "address")
    fields = list_display
