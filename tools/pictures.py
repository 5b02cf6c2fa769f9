"""Draw the pictures for letters from the games' SVG symbols: python -m tools.pictures

Each goes to beanpost/post/pictures/ under the hash of its content, and the index names the present ones. Earlier files
stay: letters that were stored with them may be sent again.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

SYMBOL = re.compile(r'<symbol id="([^"]+)"')


def main() -> None:
    os.environ.setdefault("SECRET_KEY", "for pictures")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "beanpost.settings")
    from beanpost.post import pictures  # noqa: PLC0415 (needs the settings)
    from beanpost.post.compose import album  # noqa: PLC0415

    found = {}
    for sprite in sorted(Path("games").glob("*/static/games/*/symbols.svg")):
        text = sprite.read_text()
        for name in SYMBOL.findall(text):
            png = album.draw_symbol(text, name)
            found[f"{sprite.parent.name}/{name}"] = pictures.name_picture(png)
            (pictures.FOLDER / f"{pictures.name_picture(png)}.png").write_bytes(png)
    pictures.INDEX.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    print(f"{len(found)} pictures are in {pictures.FOLDER.name}/.")


if __name__ == "__main__":
    main()
