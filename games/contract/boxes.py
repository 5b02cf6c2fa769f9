"""The game boxes: the facts printed on cards. Ours are in `seeds/`; another package keeps its own in its folder."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

PACKAGED_BOXES = Path(__file__).parents[1] / "packed/seeds"  # in a wheel
BOXES = PACKAGED_BOXES if PACKAGED_BOXES.is_dir() else Path(__file__).parents[2] / "seeds"


@cache
def load_box(name: str) -> dict[str, Any]:
    """Return the contents of one of our boxes, e.g. `box("haricots")`."""
    return read(BOXES / f"{name}.toml")


def read(file: Path) -> dict[str, Any]:
    """Return the contents of a box in another package: `read(Path(__file__).with_name("box.toml"))`."""
    return tomllib.loads(file.read_text(encoding="utf-8"))
