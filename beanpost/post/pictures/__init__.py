"""The symbols of our games as pictures for letters, drawn by `make pictures`.

Each file is named by the hash of its content and is never changed or removed: stored letters keep only its name.
"""

from __future__ import annotations

import json
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).parent
INDEX = FOLDER / "index.json"


def name_picture(png: bytes) -> str:
    """Return a picture's name: the beginning of its hash."""
    return sha256(png).hexdigest()[:32]


@cache
def load_index() -> dict[str, str]:
    """Return the names of the present pictures, by game and symbol: "bohnanza/wax"."""
    found: dict[str, str] = json.loads(INDEX.read_text())
    return found


@lru_cache(maxsize=512)  # bounded: it is also asked for pictures drawn with a letter, which are not in the set
def read_picture(name: str) -> bytes | None:
    """Return a picture of the set, or None if it has none of this name."""
    file = FOLDER / f"{name}.png"
    return file.read_bytes() if file.exists() else None
