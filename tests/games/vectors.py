"""The test vectors of docs/fairness.md: what a re-implementation is held to, we are held to as well."""

import json
import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "fairness.md"


def vectors() -> dict[str, Any]:
    """All vectors on the page, by name."""
    blocks = re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return {name: value for block in blocks for name, value in json.loads(block).items()}
