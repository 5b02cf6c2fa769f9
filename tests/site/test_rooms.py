"""Some words may occur in certain modules only. These tests search for them everywhere else."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BOTS_AND_DEMOS = ["games/engine/bots.py", "games/__main__.py", "games/*/bot.py", "*/demo.py", "*/commands/plant.py"]

# fmt: off
ROOMS = [  # the pattern, a line that matches, and the files it may occur in
    (r"\bsigning\.", "signing.dumps(1)", ["beanpost/play/tickets/signatures.py"]),
    (r"(?<!\bclock\.)\b(utcnow|now|today)\(", "moment = timezone.now()", ["beanpost/play/clock.py"]),
    (r"^\s*(import|from) (secrets|random)\b", "from random import shuffle",
     ["beanpost/play/random_codes.py", "games/contract/dice.py", "games/conformance.py", *BOTS_AND_DEMOS]),
    (r"\.(delay|apply_async)\(|on_commit\b", "transaction.on_commit(wake)", ["beanpost/post/outbox/"]),
    (r"\btomllib\b", "import tomllib", ["games/contract/boxes.py"]),
    (r"\bHttpRe|\bdjango\.(http|shortcuts|views)\b(?!\.decorators\.debug)", "from django.http import Http404",
     ["beanpost/pages/", "*/admin.py", "*/admin/*.py", "beanpost/urls.py", "*/middleware.py",
      "beanpost/monitoring/logs.py", "beanpost/leagues/admin/"]),
]
# fmt: on


def strays(word: str, rooms: list[str], root: Path) -> list[str]:
    """Return every line outside the allowed files that matches, as file:line. Comments may contain any word."""
    return [
        f"{path.relative_to(root)}:{number}"
        for path in sorted([*root.glob("games/**/*.py"), *root.glob("beanpost/**/*.py")])
        if not any(inside(path.relative_to(root), room) for room in rooms)
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if re.search(word, line.partition("#")[0])
    ]


def inside(path: Path, room: str) -> bool:
    return path.is_relative_to(room) if room.endswith("/") else path.match(room)


@pytest.mark.parametrize(("word", "_", "rooms"), ROOMS)
def test_a_word_occurs_in_its_own_modules_only(word, _, rooms):
    assert strays(word, rooms, ROOT) == []


@pytest.mark.parametrize(("word", "line", "rooms"), ROOMS)
def test_a_stray_word_is_found_but_not_in_its_own_modules(word, line, rooms, tmp_path):
    at_home = rooms[0] + "moves.py" * rooms[0].endswith("/")
    for place in ("games/stray.py", at_home):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(f"# {line}\n{line}\n")
    assert strays(word, rooms, tmp_path) == ["games/stray.py:2"]


def test_the_games_package_needs_only_the_standard_library():
    assert [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted(ROOT.glob("games/**/*.py"))
        for name in imports(path)
        if name not in {*sys.stdlib_module_names, "games"}
    ] == []


def imports(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text())))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    return {name.partition(".")[0] for name in names}


# A character class of one letter keeps each pattern from matching itself here.
ONE_MACHINE = r"/[r]oot|/[h]ome/[a-z]+|/[w]ork|/[U]sers"
REGISTRY = r"[p]ythonhosted|[p]ypi\.org|[r]egistry\.npm"
PUT_OFF = r"[T]ODO|[F]IXME|[X]XX|[H]ACK"
UNWANTED = re.compile(rf"(?<![\w.])(?:{ONE_MACHINE})\b|{REGISTRY}|\b(?:{PUT_OFF})\b")


def test_no_file_names_one_machine_or_contains_a_todo():
    listed = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True)
    assert [
        f"{name}:{number}"
        for name in listed.splitlines()
        if (path := ROOT / name).is_file() and b"\0" not in path.read_bytes()
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), start=1)
        if UNWANTED.search(line)
    ] == []


@pytest.mark.parametrize("words", ["'/ work/x'", "# TO DO: later", "path = '/ root'", "pypi .org"])
def test_an_unwanted_line_is_found(words):
    assert UNWANTED.search(words.replace(" ", ""))
