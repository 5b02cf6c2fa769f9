"""The game boxes: the facts printed on cards, read from `seeds/`. Only this module reads those files."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

SHELF = Path(__file__).parents[2] / "seeds"


@cache
def box(name: str) -> dict[str, Any]:
    """Return the contents of one box, e.g. `box("haricots")`."""
    return tomllib.loads((SHELF / f"{name}.toml").read_text(encoding="utf-8"))
