"""Perform every script in tests/scenarios."""

from pathlib import Path

import pytest

from tests.games.stage import Stage

SCRIPTS = sorted((Path(__file__).parent.parent / "scenarios").glob("*/*.txt"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_script_can_be_performed(script):
    Stage(script.read_text(encoding="utf-8")).perform()


def test_a_failing_script_says_where():
    with pytest.raises(AssertionError) as caught:
        Stage("haricots basic A B C\ndealer: start A\n? B").perform()
    assert "at: ? B" in caught.value.__notes__[0]
