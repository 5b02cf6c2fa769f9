"""Every script in tests/scenarios is performed."""

from pathlib import Path

import pytest

from tests.games.stage import Stage

SCRIPTS = sorted((Path(__file__).parent.parent / "scenarios").glob("*/*.txt"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_script_is_performed_to_its_end(script):
    Stage(script.read_text(encoding="utf-8")).perform()


def test_a_script_that_goes_wrong_says_where():
    with pytest.raises(AssertionError) as caught:
        Stage("haricots basic A B C\ndealer: start A\n? B").perform()
    assert "at: ? B" in caught.value.__notes__[0]
