"""Every function that docs/architecture.md names exists, and every module says what it does."""

import re
from importlib import import_module
from pathlib import Path

from tools import modules

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/architecture.md"
TOP = {path.name for path in ROOT.iterdir()}
DOTTED = re.compile(r"[a-z_]+(\.[A-Za-z_]+)+")


def named() -> list[str]:
    """Everything in backticks."""
    return re.findall(r"`([^`\n]+)`", PAGE.read_text())


def is_path(name: str) -> bool:
    return " " not in name and ("/" in name or name in TOP)


def exists(name: str) -> bool:
    """Whether a dotted name can be imported: a module, or something in one. `beanpost.` is left out."""
    parts = name.split(".")
    if parts[0] not in ("beanpost", "games"):
        parts.insert(0, "beanpost")
    for length in range(len(parts), 0, -1):
        try:
            found = import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        try:
            for part in parts[length:]:
                found = getattr(found, part)
        except AttributeError:
            return False
        return length > 1
    return False


def test_every_module_says_what_it_does():
    """`make modules` prints the first sentence."""
    silent = [path for path in modules.list_modules("beanpost", "games") if not modules.describe_module(path)]
    assert [path for path in silent if path.stat().st_size] == []


def test_every_function_on_the_page_exists():
    names = [name for name in named() if DOTTED.fullmatch(name) and not is_path(name)]
    names = [name for name in names if not re.search(r"\.(py|txt|html|css)$", name)]
    assert len(names) > 70
    assert [name for name in names if not exists(name)] == []


def test_a_function_that_does_not_exist_is_noticed():
    assert exists("play.moves.play_ticket")
    assert not exists("play.moves.by_ticket")
    assert not exists("play.orders.move")
