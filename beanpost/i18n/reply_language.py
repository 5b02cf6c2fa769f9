"""The words in which players reply by mail: `replies.toml`, in the folder of each language's catalogue."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings
from django.utils.translation import get_language, to_locale

from beanpost.i18n.languages import SOURCE
from games.contract import boxes
from games.contract.replies.language import Language, build_language


def get_reply_language() -> Language:
    """Return the words of the active language."""
    return load_reply_language(get_language() or SOURCE)


def load_reply_language(code: str) -> Language:
    """Return the words of a language; English ones if it has no file."""
    folders = tuple(map(Path, settings.LOCALE_PATHS))
    return read_language(find_file(code, folders) or find_file(SOURCE, folders), folders)


@cache
def find_file(code: str, folders: tuple[Path, ...]) -> Path | None:
    files = (folder / to_locale(code) / "replies.toml" for folder in folders)
    return next((file for file in files if file.exists()), None)


@cache
def read_language(file: Path, folders: tuple[Path, ...]) -> Language:
    own = boxes.read(file)
    beside = [boxes.read(found) for code in own["also_read"] if (found := find_file(code, folders))]
    return build_language(own, *beside)
