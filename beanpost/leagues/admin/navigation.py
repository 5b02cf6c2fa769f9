"""The admin's apps and models in the order in which organisers need them. Django sorts them alphabetically."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

APP_ORDER = ("leagues", "play", "players", "post", "auth")
HIDDEN_APPS = ("axes",)  # failed sign-ins: only hosts need them, and rarely
IN_SIDEBAR = ("Player", "Match", "Letter", "League", "Rating")
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
    """Return the sidebar's entries. Unfold calls this for every page.

    Everything else is reached from a season; superusers also find it at the foot of the first page.
    """
    rows = {row["object_name"]: row for app in admin.site.get_app_list(request) for row in app["models"]}
    links = [{"title": rows[name]["name"], "link": rows[name]["admin_url"]} for name in IN_SIDEBAR if name in rows]
    seasons = {"title": _("Seasons"), "link": reverse("admin:index")}
    groups: list[dict[str, Any]] = [{"items": [seasons, *links]}]
    if request.user.is_superuser:
        organisers = {"title": _("Organisers"), "link": reverse("admin:auth_user_changelist")}
        health = {"title": _("Site health"), "link": reverse("watching")}
        groups.append({"title": _("Site"), "separator": True, "items": [organisers, health]})
    return groups
