"""The pictures of one letter. They travel with it as parts of the mail, so that nothing is loaded from anywhere.

Beans, suits, dice and cards are drawn in advance (beanpost.post.pictures); a stalk is drawn with its letter.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path

import resvg_py
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

from beanpost.i18n import translations
from beanpost.post import pictures
from beanpost.post.mime import PICTURES

# Their APIs take no pictures inside a letter, and Anymail refuses to send one.
PROVIDERS_WITHOUT_PICTURES = tuple(
    f"anymail.backends.{name}." for name in ("brevo", "postal", "scaleway", "sendinblue")
)
MOST = 12  # distinct pictures in one letter
SIZE = 32  # pixels on the screen; drawn twice as large, for fine screens
TILE = "#fffdf8"
XMLNS = 'xmlns="http://www.w3.org/2000/svg"'
SYMBOLS = re.compile(r"<svg[^>]*>(?P<symbols>.*)</svg>", re.DOTALL)
LINKED = re.compile(r'href="[^"]*#')
VARIABLE = re.compile(r"var\(--(\w+)\)")
COLOURS = {"ink": "#2b2620", "soft": "#6a6052", "paper": "#fbf7ef", "leaf": "#2f6b3a", "bean": "#9c3d2e"}


def provider_takes_pictures() -> bool:
    return not settings.EMAIL_BACKEND.startswith(PROVIDERS_WITHOUT_PICTURES)


class Album:
    """The pictures that one letter uses, collected while its template is rendered."""

    def __init__(self, *, shown: bool = True) -> None:
        self.shown = shown
        self.used: dict[str, bytes] = {}

    def clear(self) -> None:
        self.used.clear()

    @property
    def weight(self) -> int:
        """The bytes that the pictures add to the mail, in base64."""
        return sum(len(png) * 4 // 3 + 300 for png in self.used.values())

    def picture(self, game: str, *words: object, size: int = SIZE) -> SafeString:
        """Return a symbol of a game as an image: `{{ picture("bohnanza", bean) }}`. A label must stand beside it."""
        name = pictures.index().get(f"{game}/{'-'.join(map(str, words))}")
        png = name and pictures.read(name)
        return self.placed(png, size, size) if png else SafeString()

    def stalk(self, picture: object, alt: str) -> SafeString:
        """Return the picture of a stalk, drawn now."""
        if not self.shown:
            return SafeString()
        png, width, height = drawn_stalk(rendered_stalk(picture))
        return self.placed(png, width, height, alt)

    def placed(self, png: bytes, width: int, height: int, alt: str = "") -> SafeString:
        name = pictures.named(png)
        if not self.shown or (name not in self.used and len(self.used) == MOST):
            return SafeString()
        self.used[name] = png
        image = '<img class="picture" src="cid:{}@{}" width="{}" height="{}" alt="{}">'
        return format_html(image, name, PICTURES, width, height, alt)


# ── drawing ──


def draw_symbol(sprite: str, name: str) -> bytes:
    """Draw a symbol of an SVG file on a light tile: on dark paper its lines would not be seen."""
    size = 2 * SIZE
    canvas = f'{XMLNS} viewBox="0 0 64 64" width="{size}" height="{size}"'
    tile = f'<rect width="64" height="64" fill="{TILE}"/>{symbols_in(sprite)}<use href="#{name}"/>'
    return resvg_py.svg_to_bytes(svg_string=f"<svg {canvas}>{tile}</svg>", skip_system_fonts=True)


def symbols_in(sprite: str) -> str:
    found = SYMBOLS.search(sprite)
    assert found
    return found["symbols"]


def rendered_stalk(picture: object) -> str:
    context = {"picture": picture, **translations.functions()}
    return render_to_string("games/haricot_magique/stalk.svg", context, using="jinja2")


@lru_cache(maxsize=64)  # all readers of a table get the same stalk
def drawn_stalk(svg: str) -> tuple[bytes, int, int]:
    """Draw a stalk, with the page's own symbols and colours. Return it with its width and height on the screen."""
    size = re.search(r'width="(\d+)" height="(\d+)"', svg)
    assert size
    width, height = int(size[1]), int(size[2])
    symbols, style = stalk_parts()
    alone = LINKED.sub('href="#', svg).replace("<svg ", f"<svg {XMLNS} ", 1).replace("\n", f"\n{symbols}", 1)
    png = resvg_py.svg_to_bytes(
        svg_string=alone,
        style_sheet=style,
        background=TILE,
        width=2 * width,
        height=2 * height,
        skip_system_fonts=True,  # without words: not every server has fonts, and loading them takes long
    )
    return png, width, height


@cache
def stalk_parts() -> tuple[str, str]:
    """Return the symbols of the dice, and the stylesheet with colours in place of variables."""
    sprite, style = (static_text(f"games/haricot_magique/{name}") for name in ("symbols.svg", "stalk.css"))
    return symbols_in(sprite), VARIABLE.sub(lambda found: COLOURS.get(found[1], COLOURS["ink"]), style)


def static_text(name: str) -> str:
    file = finders.find(name)
    assert isinstance(file, str)
    return Path(file).read_text()
