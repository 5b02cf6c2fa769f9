"""Every game's table as letters and pages draw it: at every moment, for everyone."""

import re
from pathlib import Path

import pytest
from django.template.loader import render_to_string

import games
from tests.games.test_properties import glimpses, played

GAMES = Path(__file__).parents[3] / "games"
LAID_OUT = sorted(path.parent.name for path in GAMES.glob("*/jinja2/games/*/table.html"))
NAMES = ["Ann", "Bob", "Cleo & Co", "Dora", "Emil", "Fay", "Gus"]
KINDS = [(slug, variant) for slug in LAID_OUT for variant in games.get(slug).variants]
over_all_tables = pytest.mark.parametrize(("slug", "variant"), KINDS)


def drawn(view, slug, part):
    context = {"view": view, "names": NAMES[: len(view.seats)], "scene": None}  # as for a player without orders
    return render_to_string(f"games/{slug}/table.{part}", context, using="jinja2")


def views(slug, variant):
    """Return everyone's view at some moments of a game, and at its end. Nobody looks while the dealer deals."""
    seats = games.get(slug).seats[-1]
    tables = [table for table, _ in glimpses(slug, seats, variant) if not table.ask(games.DEALER)]
    tables.append(played(slug, seats, variant))
    return [table.view(reader) for table in tables for reader in (None, 0, seats - 1)]


@over_all_tables
def test_a_table_is_drawn_in_text_and_html_without_raw_values(slug, variant):
    for view in views(slug, variant):
        text, html = drawn(view, slug, "txt"), drawn(view, slug, "html")
        for drawing in (text, re.sub(r"<[^>]*>", " ", html)):
            assert "None" not in drawing
            assert not re.search(r"\(\d+,|\('|\[\]|\bTrue\b|\bFalse\b", drawing)  # values without a text of their own
        assert "Cleo & Co" in text
        assert "Cleo &amp; Co" in html


@over_all_tables
def test_a_hand_is_drawn_only_for_its_owner(slug, variant):
    for view in views(slug, variant):
        for part in ("txt", "html"):
            assert ("your hand" in drawn(view, slug, part).lower()) == bool(view.hand)


@over_all_tables
def test_html_is_well_formed_enough_for_mail_programs(slug, variant):
    for view in views(slug, variant)[::5]:
        html = drawn(view, slug, "html")
        for tag in ("table", "tr", "td", "th", "tbody", "thead", "p", "h2", "span", "div"):
            assert html.count(f"</{tag}>") == len(re.findall(rf"<{tag}[\s>]", html)), tag


@over_all_tables
def test_no_heading_is_without_text_below(slug, variant):
    for view in views(slug, variant):
        assert not re.search(r"</h2>\s*(<h2|$)", drawn(view, slug, "html"))
