"""Newcomers find what the pages promise: the workflow's parts and the named files exist."""

import re
import subprocess
from importlib.util import find_spec
from pathlib import Path

from django.core.management import get_commands

import games

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
CI = (ROOT / ".ci/run").read_text()
PARTS = re.findall(r"^    ([a-z-]+)\) ", CI, re.MULTILINE)
PAGES = [page for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")] if page.name != "CHANGELOG.md"]
HOSTS_OWN = ["beanpost/deploy/container/site/"]  # a folder that a host makes
ON_DEMAND = ["tests-all", "secrets", "fuzz", "mailstack", "crashes", "hosts"]  # .ci/run says why


def test_the_workflow_runs_every_part_of_the_local_run():
    workflow = (ROOT / ".github/workflows/check.yml").read_text()
    [listed] = re.findall(r"part: \[(.+)\]", workflow)
    [by_night, by_day] = re.findall(r"'schedule' && '(.+)' \|\| '(.+)' \}\}", workflow)[0]
    assert [by_day, by_night, *listed.split(", ")] == PARTS
    [usual] = re.findall(r'"\$\{@:-(.+)\}"', CI)
    assert usual.split() == [part for part in PARTS if part not in ON_DEMAND]


def test_the_local_run_refuses_a_part_that_does_not_exist():
    done = subprocess.run([ROOT / ".ci/run", "nothing"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "There is no part called nothing.\n")


def test_every_link_to_a_file_leads_somewhere():
    links = re.compile(r"""\]\(([^)#:]+?)(?:#[^)]*)?\)|<img src="([^"]+)\"""")
    lost = [
        f"{page.name}: {link}"
        for page in PAGES
        for link in map("".join, links.findall(page.read_text()))
        if not (page.parent / link).exists()
    ]
    assert lost == []


def test_every_path_in_the_documents_exists():
    folders = {path.name for path in ROOT.iterdir()}
    paths = [(page, path) for page in PAGES for path in re.findall(r"`([^`\s]+/[^`\s]*)`", page.read_text())]
    ours = [(page, path) for page, path in paths if path.split("/")[0] in folders and path not in HOSTS_OWN]
    there = [(page, path) for page, path in ours if not re.search(r"\bde\b", path)]  # de: the example of a new language
    assert len(there) > 100
    assert [f"{page.name}: {path}" for page, path in there if not any(ROOT.glob(write_pattern(path)))] == []


def write_pattern(path: str) -> str:
    return re.sub(r"<\w+>|…", "*", path.split("::")[0]).rstrip("/")


def test_every_command_in_the_documents_exists():
    [phony] = re.findall(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    text = "\n".join(page.read_text() for page in PAGES)
    targets = set(re.findall(r"(?:`|^    |&& )make ([a-z-]+)", text, re.MULTILINE))
    modules = set(re.findall(r"python -m\s+([a-z_.]*[a-z])", text))
    commands = set(re.findall(r"(?:manage\.py|beanpost manage) ([a-z_]+)", text))
    assert min(map(len, (targets, modules, commands))) > 5
    assert targets <= set(phony.split())
    assert [module for module in modules if not find_spec(module)] == []
    assert commands <= get_commands().keys()


def test_the_readme_shows_every_game_with_its_drawing_and_is_short():
    for slug, rules in games.GAMES.items():
        shown = (
            f'<img src="docs/pictures/{slug}.png" width="44" alt=""> | [**{rules.title}**](docs/games/{slug}.md)<br>'
        )
        assert f"{shown}{rules.seats[0]} to {rules.seats[-1]} players" in README
    assert len(README.splitlines()) <= 120
    assert re.findall(r"^    (make \w+)", README, re.MULTILINE) == ["make run", "make test"]


def test_the_list_of_documents_names_every_one():
    listed = set(re.findall(r"\]\(([^)]+)\)", (ROOT / "docs/README.md").read_text()))
    found = {str(page.relative_to(ROOT / "docs")) for page in ROOT.glob("docs/**/*.md")}
    assert {page for page in found - {"README.md"} if not page.startswith("decisions/")} <= listed


def test_every_picture_of_the_documents_is_shown():
    shown = "".join(page.read_text() for page in PAGES)
    assert [picture.name for picture in ROOT.glob("docs/pictures/*") if f"pictures/{picture.name}" not in shown] == []
