"""Some patterns may occur only in certain files. These tests search for them everywhere else."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BOTS_AND_DEMOS = ["games/engine/bots.py", "games/__main__.py", "games/*/bot.py", "*/demo.py", "*/commands/plant.py"]

# fmt: off
PATTERNS = [  # the pattern, a line that matches, and the files it may occur in
    (r"\bsigning\.", "signing.dumps(1)", ["beanpost/play/tickets/signatures.py"]),
    (r"(?<!\bclock\.)\b(utcnow|now|today)\(", "moment = timezone.now()", ["beanpost/play/clock.py"]),
    (r"^\s*(import|from) (secrets|random)\b", "from random import shuffle",
     ["beanpost/play/random_codes.py", "games/contract/dice.py", "games/conformance.py", *BOTS_AND_DEMOS]),
    (r"\.(delay|apply_async)\(|on_commit\b", "transaction.on_commit(wake)",
     ["beanpost/post/outbox/", "*/tasks.py"]),
    (r"\btomllib\b", "import tomllib", ["games/contract/boxes.py"]),
    (r"\bHttpRe|\bdjango\.(http|shortcuts|views)\b(?!\.decorators\.debug)", "from django.http import Http404",
     ["beanpost/pages/", "*/admin.py", "*/admin/*.py", "beanpost/urls.py", "*/middleware.py",
      "beanpost/monitoring/logs.py", "beanpost/leagues/admin/"]),
]
# fmt: on


def find_violations(pattern: str, allowed: list[str], root: Path) -> list[str]:
    """Return every line outside the allowed files that matches, as file:line. Comments may contain anything."""
    return [
        f"{path.relative_to(root)}:{number}"
        for path in sorted([*root.glob("games/**/*.py"), *root.glob("beanpost/**/*.py")])
        if not any(is_inside(path.relative_to(root), place) for place in allowed)
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if re.search(pattern, line.partition("#")[0])
    ]


def is_inside(path: Path, place: str) -> bool:
    return path.is_relative_to(place) if place.endswith("/") else path.match(place)


@pytest.mark.parametrize(("pattern", "_", "allowed"), PATTERNS)
def test_a_pattern_occurs_in_its_allowed_files_only(pattern, _, allowed):
    assert find_violations(pattern, allowed, ROOT) == []


@pytest.mark.parametrize(("pattern", "line", "allowed"), PATTERNS)
def test_a_violation_is_found_and_an_allowed_line_is_not(pattern, line, allowed, tmp_path):
    allowed_file = allowed[0] + "moves.py" * allowed[0].endswith("/")
    for place in ("games/elsewhere.py", allowed_file):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(f"# {line}\n{line}\n")
    assert find_violations(pattern, allowed, tmp_path) == ["games/elsewhere.py:2"]


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


# Older phones and many desktops show a box for each of these; signs of the project's own are drawn or plain text.
EMOJI = re.compile(
    "[\U0001f000-\U0001faff\ufe0f\u20e3\u231a\u231b\u23e9-\u23f3\u26a1\u2705\u2728\u274c\u2753-\u2757\u2b50]"
)
READ_IN_REPLIES = ("games/contract/replies/spelling.py", "beanpost/post/reply_parser/move_meaning.py")


def test_no_letter_or_page_shows_an_emoji():
    assert EMOJI.search("\N{LOCK}")
    assert [
        str(path.relative_to(ROOT))
        for folder in ("templates", "beanpost", "games", "seeds")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".html", ".txt", ".md", ".po", ".py", ".css", ".js", ".svg", ".toml", ".jinja"}
        if str(path.relative_to(ROOT)) not in READ_IN_REPLIES and EMOJI.search(path.read_text())
    ] == []


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
