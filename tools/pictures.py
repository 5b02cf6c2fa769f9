"""Draw the pictures for letters from the games' SVG symbols: python -m tools.pictures

Each goes to beanpost/post/pictures/ under the hash of its content, and the index names the present ones. Earlier files
stay: letters that were stored with them may be sent again. The games' emblems for the README go to docs/pictures/.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import django
import resvg_py
from django.template.loader import render_to_string

import games

EMBLEMS = Path("docs/pictures")
SYMBOL = re.compile(r'<symbol id="([^"]+)"')


def main() -> None:
    os.environ.setdefault("SECRET_KEY", "for pictures")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "beanpost.settings")
    django.setup()
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
    for slug in games.GAMES:
        (EMBLEMS / f"{slug}.png").write_bytes(draw_emblem(slug))
    print(f"{len(found)} pictures are in {pictures.FOLDER.name}/, and {len(games.GAMES)} emblems in {EMBLEMS}/.")


def draw_emblem(slug: str) -> bytes:
    """Draw a game's emblem on a light tile with round corners, twice as large as the README shows it."""
    from beanpost.post.compose import album  # noqa: PLC0415 (needs the settings)

    emblem = render_to_string(f"games/{slug}/emblem.html", using="jinja2")
    placed = "".join(re.findall(r"<use [^>]+/>", album.LINKED.sub('href="#', emblem)))
    tile = f'<rect width="64" height="64" rx="10" fill="{album.TILE}"/>'
    drawing = f"{tile}{album.extract_symbols(album.read_symbols(slug))}{placed}"
    canvas = f'{album.XMLNS} viewBox="0 0 64 64" width="88" height="88"'
    return resvg_py.svg_to_bytes(svg_string=f"<svg {canvas}>{drawing}</svg>", skip_system_fonts=True)


if __name__ == "__main__":
    main()
