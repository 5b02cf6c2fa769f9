"""Names of models and columns in the admin, in the organiser's language.

Django derives them from class and attribute names. They are translated here rather than in the models, so that a better
word needs no migration.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db.models import Model
from django.utils.translation import gettext_lazy as _

ROWS = {
    "league": (_("league"), _("leagues")),
    "season": (_("season"), _("seasons")),
    "division": (_("division"), _("divisions")),
    "draw": (_("draw"), _("draws")),
    "entry": (_("entry"), _("entries")),
    "round": (_("round"), _("rounds")),
    "fixture": (_("table"), _("tables")),
    "chair": (_("league seat"), _("league seats")),
    "rating": (_("rating"), _("ratings")),
    "match": (_("match"), _("matches")),
    "player": (_("player"), _("players")),
    "letter": (_("letter"), _("letters")),
    "reply": (_("reply"), _("replies")),
    "webhook": (_("webhook"), _("webhooks")),
}
COLUMNS = {
    "visibility": _("who may read it"),
    "join code": _("code for members"),
    "due on": _("last day of the round"),
    "round days": _("days for each round"),
    "contact": _("address that answers go to"),
    "run by": _("the organiser’s name, as letters show it"),
    "invitation words": _("your own words in the invitation"),
    "active": _("active"),
    "annulled": _("tables that don’t count"),
    "about": _("about"),
    "absence": _("absence"),
    "address": _("address"),
    "allowance": _("time per move"),
    "answered at": _("answered at"),
    "attempts": _("attempts"),
    "by bot": _("played by a bot"),
    "claimed at": _("claimed at"),
    "closed at": _("closed at"),
    "code": _("code"),
    "commitment": _("commitment"),
    "created at": _("created at"),
    "decided at": _("decided at"),
    "division": _("division"),
    "drawn at": _("drawn at"),
    "drawn by": _("drawn by"),
    "due at": _("due at"),
    "ended at": _("ended at"),
    "ending": _("outcome"),
    "ends on": _("ends on"),
    "entry": _("entry"),
    "error": _("error"),
    "fate": _("result"),
    "finding": _("understood as"),
    "first": _("from round"),
    "forfeited": _("forfeited"),
    "format": _("format"),
    "game": _("game"),
    "games": _("games"),
    "head": _("digest of the last line"),
    "invited at": _("invited at"),
    "joined at": _("joined at"),
    "keeper": _("keeper"),
    "known": _("has accepted before"),
    "kind": _("kind"),
    "language": _("language"),
    "league": _("league"),
    "length": _("lines"),
    "level": _("level"),
    "match": _("match"),
    "matches": _("matches"),
    "most entries": _("entry limit"),
    "moving": _("promoted and relegated"),
    "mu": _("strength"),
    "name": _("name"),
    "nth": _("draw number"),
    "number": _("number"),
    "on acceptance": _("once they accept"),
    "opened at": _("opened at"),
    "organisers": _("organisers"),
    "pace": _("pace"),
    "paused at": _("paused since"),
    "phase": _("phase"),
    "player": _("player"),
    "points": _("points"),
    "published at": _("published at"),
    "rank": _("rank"),
    "read at": _("read at"),
    "reason": _("reason"),
    "received at": _("received at"),
    "recipient": _("recipient"),
    "reminded at": _("reminded at"),
    "returned at": _("returned at"),
    "round": _("round"),
    "rounds": _("rounds"),
    "results": _("results"),
    "rung": _("rung (0 is the top)"),
    "score": _("score"),
    "season": _("season"),
    "seat": _("seat"),
    "secret": _("secret that signs each call"),
    "seed": _("seed"),
    "sender": _("sender"),
    "sent at": _("sent at"),
    "sigma": _("uncertainty"),
    "sign up": _("anyone can enter"),
    "sitter": _("current player"),
    "size": _("table size"),
    "slug": _("name in the web address"),
    "standings": _("standings"),
    "started at": _("started at"),
    "starts on": _("starts on"),
    "state": _("state"),
    "substitutes score": _("substitutes keep their points"),
    "table": _("table"),
    "tie breaks": _("tie-breaks"),
    "typed address": _("address as typed"),
    "typed name": _("name as typed"),
    "unreached at": _("unreachable since"),
    "unwanted at": _("unsubscribed since"),
    "url": _("web address"),
    "variant": _("variant"),
    "weekly": _("weekly letter"),
    "zone": _("time zone"),
}


def install_labels() -> None:
    """Set the verbose names of our models and fields to those listed above."""
    for model in list_own_models():
        names: Any = model._meta
        names.verbose_name, names.verbose_name_plural = ROWS.get(
            names.model_name, (names.verbose_name, names.verbose_name_plural)
        )
        for column in names.fields + names.many_to_many:
            column.verbose_name = COLUMNS.get(column.verbose_name, column.verbose_name)


def list_own_models() -> Iterator[type[Model]]:
    return (model for model in apps.get_models() if model.__module__.startswith("beanpost."))
