"""The examples in the pages for developers work."""

import json
import re
from pathlib import Path

import pytest

import games
from games.contract.notation import describe_form
from games.verification.verify import verify
from tests.games.stage import Stage

DOCS = Path(__file__).parents[2] / "docs"
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def examples(page: str, language: str = "") -> list[str]:
    """Return the fenced examples of a page in one language."""
    found = FENCED.findall((DOCS / page).read_text(encoding="utf-8"))
    return [text for fence, text in found if fence == language]


def test_the_example_export_is_valid():
    [export] = examples("export.md", "json")
    assert str(verify(json.loads(export))) == examples("export.md")[-1].strip()


def test_the_example_script_can_be_performed():
    [script] = examples("adding-a-game.md")
    Stage(script).perform()


@pytest.mark.parametrize("slug", games.GAMES)
def test_the_page_of_a_game_shows_its_variants_and_its_sentences(slug):
    text, rules = (DOCS / "games" / f"{slug}.md").read_text(encoding="utf-8"), games.get(slug)
    assert all(f"`{variant}`" in text for variant in rules.variants)
    assert all(f"`{describe_form(kind).split()[0]}" in text for kind in rules.vocabulary)
