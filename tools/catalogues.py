"""The catalogues of translations: gathered from the sources with gettext, compiled by babel, both kept in locale/."""

import subprocess
import sys
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

IGNORED = (".venv", "tests", "bench", "var", "static-collected")


def main() -> None:
    gather()
    for catalogue in Path("locale").glob("*/LC_MESSAGES/django.po"):
        untranslated = compile_catalogue(catalogue)
        print(f"{catalogue}: {untranslated} texts are not translated yet.")


def gather() -> None:
    ignored = [f"--ignore={folder}/*" for folder in IGNORED]
    words = [sys.executable, "manage.py", "makemessages", "-l", "fr", "--no-obsolete", "--no-location", *ignored]
    subprocess.run(words, check=True)


def compile_catalogue(file: Path) -> int:
    """Write the .mo beside the .po, without doubtful entries; how many texts are still missing."""
    with file.open("rb") as source:
        catalogue = read_po(source)
    # No date and no tool's name: the same texts give the same bytes.
    catalogue.creation_date = catalogue.revision_date = None
    with file.with_suffix(".mo").open("wb") as target:
        write_mo(target, catalogue, use_fuzzy=False)
    return sum(1 for message in catalogue if message.id and (message.fuzzy or not all(in_tuple(message.string))))


def in_tuple(string: str | tuple[str, ...]) -> tuple[str, ...]:
    return string if isinstance(string, tuple) else (string,)


if __name__ == "__main__":
    main()
