"""The admin's apps and models in the order in which organisers need them. Django sorts them alphabetically."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

APP_ORDER = ("leagues", "play", "players", "post", "auth")
HIDDEN_APPS = ("axes",)  # failed sign-ins: only hosts need them, and rarely
MODEL_ORDER = ("League", "Season", "Entry", "Division", "Round", "Fixture", "Rating")


def sort_apps(apps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    shown = [
        app | {"models": sorted(app["models"], key=lambda row: find_position(MODEL_ORDER, row["object_name"]))}
        for app in apps
        if app["app_label"] not in HIDDEN_APPS
    ]
    return sorted(shown, key=lambda app: find_position(APP_ORDER, app["app_label"]))


def find_position(names: tuple[str, ...], name: str) -> int:
    return names.index(name) if name in names else len(names)


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the sidebar's entries. Unfold calls this for every page."""
    return [
        {"title": app["name"], "items": [{"title": row["name"], "link": row["admin_url"]} for row in app["models"]]}
        for app in sort_apps(admin.site.get_app_list(request))
    ]
