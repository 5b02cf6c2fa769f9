"""Files, functions and statements of a turn have ceilings, in tests/ceilings.toml: they grow unnoticed."""

import logging
import tomllib
from pathlib import Path

import pytest

from tools import walk

CEILINGS = tomllib.loads((Path(__file__).parents[1] / "ceilings.toml").read_text())


@pytest.mark.django_db(transaction=True)
def test_a_turn_stays_within_its_ceilings():
    logging.disable(logging.WARNING)  # as in `make walk`
    try:
        counts = walk.count_turn(walk.walk_through_turn())
    finally:
        logging.disable(logging.NOTSET)
    assert counts.keys() == CEILINGS.keys()
    above = {
        f"{name}: {what}": f"{count}, the ceiling is {CEILINGS[name][what]}"
        for name, found in counts.items()
        for what, count in found.items()
        if count > CEILINGS[name][what]
    }
    assert not above
