"""Permissions in the admin (django-rules): organisers may do things to rows of their own leagues."""

from __future__ import annotations

from typing import Any

from rules.permissions import add_perm
from rules.predicates import predicate

from beanpost.leagues.models import League
from beanpost.leagues.scope import may_manage


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


organises = predicate(is_organiser)

SEEN = ("league", "season", "division", "entry", "round", "fixture", "rating", "webhook")
CHANGED = ("league", "season", "division", "entry", "webhook")
ADDED = ("season", "division", "webhook")
DELETED = ("webhook",)

for app in ("leagues", "play", "players", "post"):
    add_perm(app, organises)
for name in SEEN:
    add_perm(f"leagues.view_{name}", organises)
for name in CHANGED:
    add_perm(f"leagues.change_{name}", organises)
for name in ADDED:
    add_perm(f"leagues.add_{name}", organises)
for name in DELETED:
    add_perm(f"leagues.delete_{name}", organises)
for perm in ("play.view_match", "players.view_player", "post.view_letter"):
    add_perm(perm, organises)
