"""Filters and functions for the pages' templates."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from beanpost.leagues.models import Rating
from beanpost.pages.hosts import demo_mailboxes
from beanpost.pages.visitors import rulebook
from beanpost.play.display.wording import say
from beanpost.play.models import Match, Place
from beanpost.site import identity
from games.contract.phrases import Phrase
from games.engine import catalogue

OURS = "Beanpost"


def title(thing: Match | Rating) -> str:
    """Return the title of the game."""
    return catalogue.title(thing.game)


def render_short_rules(slug: str) -> SafeString:
    """Return a game's two-minute rules, shown on every table page."""
    return render_short_rules_in(slug, get_language())


@cache
def render_short_rules_in(slug: str, language: str | None) -> SafeString:
    """Render them once per language. `language` is the active one, and the cache's key."""
    return SafeString(render_to_string(rulebook.list_short_templates(slug), {"on_page": True}, using="jinja2"))


def fold_by_heading(text: str) -> SafeString:
    """Fold each part of a long text behind its heading. The text is a template's: what needed escaping is escaped.

    >>> fold_by_heading("<p>First.</p><h2>The end</h2><p>Last.</p>")
    '<p>First.</p><details class="fold"><summary><h2>The end</h2></summary><p>Last.</p></details>'
    """
    before, *parts = str(text).split("<h2>")
    folds = (part.replace("</h2>", "</h2></summary>", 1) for part in parts)
    return SafeString(before + "".join(f'<details class="fold"><summary><h2>{fold}</details>' for fold in folds))


def describe_wins(wins: int, matches: int) -> str:
    """Say how many of these matches were won, as part of a sentence."""
    if not matches:
        return _("no matches yet")
    if matches == 1:
        return _("one match, won") if wins else _("one match, no wins")
    if wins == matches:
        return _("%(matches)d matches, all won") % {"matches": matches}
    if not wins:
        return _("%(matches)d matches, no wins") % {"matches": matches}
    won = ngettext("%(matches)d matches, one won", "%(matches)d matches, %(wins)d won", wins)
    return won % {"matches": matches, "wins": wins}


def translate_phrase(phrase: Phrase) -> str:
    return say(phrase, ())


def list_mailboxes(places: list[Place]) -> list[demo_mailboxes.Mailbox]:
    """Return the mailboxes of the people at a table, in the demo: a visitor can go on as any of them."""
    if not settings.DEMO:
        return []
    wanted = {place.player_id for place in places}
    return [
        demo_mailboxes.Mailbox(name, owner)
        for name, owner in demo_mailboxes.load_mailbox_owners().items()
        if owner.pk in wanted
    ]


def add_site_name(title: str) -> str:
    """Name the host's site in a page's title."""
    return title if settings.SITE_NAME == OURS else re.sub(rf"\b{OURS}$", lambda _: escape(settings.SITE_NAME), title)


@cache
def find_game_picture(slug: str) -> str:
    """Return the picture of a game for link previews, or the site's icon."""
    own = f"beanpost/cards/{slug}.png"
    return static(own if slug and finders.find(own) else "beanpost/icon-512.png")


FILTERS: dict[str, Callable[..., Any]] = {
    "fold_by_heading": fold_by_heading,
    "in_words": translate_phrase,
    "title": title,
    "with_site_name": add_site_name,
    "won_of": describe_wins,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "mailboxes_of": list_mailboxes,
    "rules_in_short": render_short_rules,
    "game_picture": find_game_picture,
    "game_title": catalogue.title,
    "site": identity.site,
    "text_labels": identity.list_labels,
}
