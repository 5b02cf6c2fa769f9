"""docs/architecture.md lists every module, and everything it names exists."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/architecture.md"
COMMANDS = "Management commands"
ANY_GAME = "games/<slug>"
GAMES = [path.parent.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("games/*/actions.py"))]
TOP = {path.name for path in ROOT.iterdir()}
DOTTED = re.compile(r"[a-z_]+(\.[A-Za-z_]+)+")


def sections() -> Iterator[tuple[str, list[str]]]:
    """The heading of each list of modules, and the names in the first column."""
    for section in PAGE.read_text().split("\n### ")[1:]:
        heading, _, body = section.partition("\n")
        cells = re.findall(r"^\| (`[^|]+) \|", body.partition("\n## ")[0], re.MULTILINE)
        yield heading.strip("`").rstrip("/"), [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def modules_listed() -> set[str]:
    return {f"{package}/{name}.py" for package, names in sections() if package != COMMANDS for name in names}


def commands_listed() -> list[str]:
    return dict(sections())[COMMANDS]


def has_code(path: Path) -> bool:
    """Whether a module holds more than a docstring."""
    statements = ast.parse(path.read_text()).body
    return any(not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)) for one in statements)


def modules() -> Iterator[str]:
    for path in sorted([*ROOT.glob("beanpost/**/*.py"), *ROOT.glob("games/**/*.py")]):
        if not {"migrations", "commands"} & set(path.parts) and (path.stem != "__init__" or has_code(path)):
            yield path.relative_to(ROOT).as_posix()


def named() -> list[str]:
    """Everything in backticks outside the lists of modules."""
    prose = re.sub(r"^\| (`[^|]+) \|", "|", PAGE.read_text().partition("\n## Modules")[2], flags=re.MULTILINE)
    return re.findall(r"`([^`\n]+)`", PAGE.read_text().partition("\n## Modules")[0] + prose)


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


def test_every_module_is_listed_on_the_page():
    listed = modules_listed()
    anywhere = {f"{game}/{Path(path).name}" for path in listed if path.startswith(ANY_GAME) for game in GAMES}
    assert [path for path in modules() if path not in listed | anywhere] == []


def test_every_listed_module_exists():
    existing = set(modules())
    shared = {path.replace(game, ANY_GAME) for path in existing for game in GAMES if path.startswith(f"{game}/")}
    assert sorted(modules_listed() - existing - shared) == []


def test_every_management_command_is_listed_on_the_page():
    paths = ROOT.glob("beanpost/**/management/commands/*.py")
    assert sorted(commands_listed()) == sorted(path.stem for path in paths if path.stem != "__init__")


def test_every_path_on_the_page_exists():
    paths = [name for name in named() if is_path(name)]
    assert len(paths) > 40
    missing = [path for path in paths if not any(ROOT.glob(path.rstrip("/").replace("<slug>", "*")))]
    assert [path for path in missing if path != "management/commands/"] == []


def test_every_function_on_the_page_exists():
    names = [name for name in named() if DOTTED.fullmatch(name) and not is_path(name)]
    names = [name for name in names if not re.search(r"\.(py|txt|html|css)$", name)]
    assert len(names) > 70
    assert [name for name in names if not exists(name)] == []


def test_a_function_that_does_not_exist_is_noticed():
    assert exists("play.moves.play_ticket")
    assert not exists("play.moves.by_ticket")
    assert not exists("play.orders.move")
