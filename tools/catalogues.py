"""The catalogues of translations: gathered from the sources with gettext, compiled by babel, both kept in locale/."""

import subprocess
import sys
from pathlib import Path

from babel.messages.catalog import Message
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
    with file.with_suffix(".mo").open("wb") as target:
        write_mo(target, catalogue, use_fuzzy=False)
    return sum(is_missing(message) for message in catalogue if message.id)


def is_missing(message: Message) -> bool:
    texts = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
    return message.fuzzy or not all(texts)


if __name__ == "__main__":
    main()
