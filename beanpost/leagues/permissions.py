"""Permissions in the office: organisers may act on the rows of their own leagues."""

from __future__ import annotations

from typing import Any

from beanpost.leagues.models import League
from beanpost.leagues.scope import may_manage

APPS = frozenset({"leagues", "play", "players", "post"})
GRANTED = frozenset(
    {"play.view_match", "players.view_player", "post.view_letter"}
    | {
        f"leagues.{verb}_{name}"
        for verb, names in {
            "view": ("league", "season", "division", "entry", "round", "fixture", "rating", "webhook"),
            "change": ("league", "season", "division", "entry", "webhook"),
            "add": ("season", "division", "webhook"),
            "delete": ("webhook",),
        }.items()
        for name in names
    }
)


class OrganiserBackend:
    """Grants permissions and signs nobody in. It doesn't inherit from Django's BaseBackend, which has `get_user`."""

    def authenticate(self, request: Any, **credentials: Any) -> None:
        return None

    def has_perm(self, user: Any, permission: str, row: Any = None) -> bool:
        return permission in GRANTED and is_organiser(user, row)

    def has_module_perms(self, user: Any, app: str) -> bool:
        return app in APPS and is_organiser(user)


def is_organiser(user: Any, row: Any = None) -> bool:
    if not user.is_active or not user.is_staff:
        return False
    return organises_something(user) if row is None else may_manage(user, row)


def organises_something(user: Any) -> bool:
    """Whether the user organises any league.

    Cached on the user, which lives as long as the request: one page asks dozens of times.
    """
    if not hasattr(user, "_organises"):
        user._organises = League.objects.filter(organisers=user).exists()
    return bool(user._organises)
