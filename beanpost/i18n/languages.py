"""The languages of the site: English, and every language that has a compiled catalogue."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from django.conf.locale import LANG_INFO

SOURCE = "en"  # the language of the texts in the code


def find_languages(folders: Iterable[Path]) -> list[tuple[str, str]]:
    """Return the languages found in folders of catalogues, each with its own name for itself, English first."""
    found = {path.parents[1].name for folder in folders for path in folder.glob("*/LC_MESSAGES/django.mo")}
    return [(code, own_name(code)) for code in (SOURCE, *sorted(found - {SOURCE}))]


def own_name(folder: str) -> str:
    """Return what a language calls itself.

    >>> own_name("fr"), own_name("de"), own_name("x-beans")
    ('Français', 'Deutsch', 'x-beans')
    """
    name: str = LANG_INFO.get(folder, {}).get("name_local", "")
    return name[:1].upper() + name[1:] if name else folder


def choices() -> list[tuple[str, str]]:
    """Return the choices of a language field. A function, so that another language needs no migration."""
    return list(settings.LANGUAGES)
