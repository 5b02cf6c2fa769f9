"""A migrated SQLite database, kept between runs: running eighty migrations takes longer than most tests."""

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


def fingerprint() -> str:
    """Return a digest of everything that migrations depend on."""
    files = [
        *Path("beanpost").glob("*/migrations/*.py"),
        Path("beanpost/play/log/guards.py"),
        Path("requirements/test.txt"),
    ]
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(f"{file}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()[:32]


@contextmanager
def loaded(kept: Path, name: str) -> Iterator[None]:
    """Fill the in-memory database of this name from the kept file, if there is one, for as long as it is needed."""
    with closing(sqlite3.connect(name, uri=True)) as memory:
        if kept.exists():
            with closing(sqlite3.connect(kept)) as source:
                source.backup(memory)
        yield


def keep(database: sqlite3.Connection, kept: Path) -> None:
    """Write the database to a file. Several processes may do so at once: each writes its own and renames it."""
    draft = kept.with_suffix(f".{os.getpid()}")
    with closing(sqlite3.connect(draft)) as target:
        database.backup(target)
    draft.replace(kept)
