"""What a turn needs and how large the repository is have ceilings, in tests/ceilings.toml: both grow unnoticed."""

import logging
import tomllib
from pathlib import Path

import pytest

from tools import walk

ROOT = Path(__file__).parents[2]
CEILINGS = tomllib.loads((ROOT / "tests/ceilings.toml").read_text())


def list_above(counts: dict[str, dict[str, int]]) -> list[str]:
    return [
        f"{name}: {what}: {count}, the ceiling is {CEILINGS[name][what]}"
        for name, found in counts.items()
        for what, count in found.items()
        if count > CEILINGS[name][what]
    ]


@pytest.mark.django_db(transaction=True)
def test_a_turn_stays_within_its_ceilings():
    logging.disable(logging.WARNING)  # as in `make walk`
    try:
        counts = walk.count_turn(walk.walk_through_turn())
    finally:
        logging.disable(logging.NOTSET)
    assert counts.keys() == CEILINGS.keys() - {"size"}
    assert list_above(counts) == []


def test_the_repository_stays_within_its_ceilings():
    sizes = {
        "words of docs": sum(len(page.read_text().split()) for page in ROOT.glob("docs/**/*.md")),
        "lines of beanpost": count_lines("beanpost"),
        "lines of leagues": count_lines("beanpost/leagues"),
        "lines of games": count_lines("games"),
        "lines of tests": count_lines("tests"),
        "templates": len([path for path in ROOT.glob("templates/**/*") if path.is_file()]),
        "lines of templates over 120 characters": count_long_lines(120),
        "lines of templates over 200 characters": count_long_lines(200),
        "run-time dependencies": len(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]),
    }
    assert sizes.keys() == CEILINGS["size"].keys()
    assert list_above({"size": sizes}) == []


def count_lines(folder: str) -> int:
    modules = [path for path in (ROOT / folder).rglob("*.py") if "migrations" not in path.parts]
    return sum(len(path.read_text().splitlines()) for path in modules)


def count_long_lines(longest: int) -> int:
    """Count the lines of Jinja2's templates that are longer: no formatter we know keeps the space between words."""
    templates = [path for pattern in ("templates/**/*", "games/*/jinja2/**/*") for path in ROOT.glob(pattern)]
    read = [path for path in templates if path.suffix in {".html", ".svg", ".txt"}]
    return sum(len(line) > longest for path in read for line in path.read_text().splitlines())
