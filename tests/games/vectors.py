"""The test vectors of docs/fairness.md. Our code must match them, as any re-implementation must."""

import json
import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "fairness.md"


def vectors() -> dict[str, Any]:
    """Return all vectors on the page, by name."""
    blocks = re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return {name: value for block in blocks for name, value in json.loads(block).items()}
