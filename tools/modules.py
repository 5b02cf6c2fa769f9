"""Print every module with the first sentence of its docstring: python -m tools.modules [FOLDER …]"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NAMED_BY_DJANGO = {"migrations", "management", "formats", "apps.py", "urls.py", "wsgi.py"}


def main() -> None:
    folder = None
    for path in sorted(list_modules(*sys.argv[1:] or ("beanpost", "games")), key=lambda path: (path.parent, path.name)):
        if sentence := describe_module(path):
            if path.parent != folder:
                folder = path.parent
                print(f"\n{folder.relative_to(ROOT)}/")
            print(f"  {path.stem:<22} {sentence}")


def list_modules(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from (path for path in (ROOT / folder).rglob("*.py") if NAMED_BY_DJANGO.isdisjoint(path.parts))


def describe_module(path: Path) -> str:
    docstring = ast.get_docstring(ast.parse(path.read_text())) or ""
    return docstring.partition("\n\n")[0].replace("\n", " ").partition(". ")[0].removesuffix(".")


if __name__ == "__main__":
    main()
