"""The pictures of one letter. They are parts of the email, so that reading it loads nothing from a server.

The symbols of our own games are drawn in advance (beanpost.post.pictures). Symbols of other packages, and pictures of a
table, are drawn when the letter is composed.
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

# The APIs of these providers take no pictures inside a letter, and Anymail refuses to send one.
PROVIDERS_WITHOUT_PICTURES = tuple(
    f"anymail.backends.{name}." for name in ("brevo", "postal", "scaleway", "sendinblue")
)
MAX_PICTURES = 12  # distinct pictures in one letter
SIZE = 32  # pixels on the screen; drawn twice as large, for fine screens
TILE = "#fffdf8"
XMLNS = 'xmlns="http://www.w3.org/2000/svg"'
SYMBOLS = re.compile(r"<svg[^>]*>(?P<symbols>.*)</svg>", re.DOTALL)
LINKED = re.compile(r'href="[^"]*#')
VARIABLE = re.compile(r"var\(--(\w+)\)")
# Colours of drawings. They have no background, so these must be readable on light and dark paper.
COLOURS = {"ink": "#857a69", "soft": "#857a69", "paper": "#fbf7ef", "leaf": "#3f8f4d", "bean": "#c75a45"}


def does_provider_take_pictures() -> bool:
    return not settings.EMAIL_BACKEND.startswith(PROVIDERS_WITHOUT_PICTURES)


class Album:
    """The pictures that one letter uses, collected while its template is rendered."""

    def __init__(self, *, shown: bool = True) -> None:
        self.shown = shown
        self.used: dict[str, bytes] = {}

    @property
    def weight(self) -> int:
        """The bytes of the pictures, decoded."""
        return sum(map(len, self.used.values()))

    def add_picture(self, game: str, *words: object, size: int = SIZE) -> SafeString:
        """Return a symbol of a game as an image: `{{ album.add_picture("bohnanza", bean) }}`. Put a label beside it."""
        symbol = "-".join(map(str, words))
        name = pictures.load_index().get(f"{game}/{symbol}")
        png = pictures.read_picture(name) if name else draw_game_symbol(game, symbol)
        return self.place_image(png, size, size, name=name) if png else SafeString()

    def add_drawing(self, game: str, name: str, picture: object, alt: str) -> SafeString:
        """Return a picture drawn by the game's template `<name>.svg`, styled by its static file `<name>.css`."""
        if not self.shown:
            return SafeString()
        context = {"picture": picture, **translations.functions()}
        svg = render_to_string(f"games/{game}/{name}.svg", context, using="jinja2")
        png, width, height = draw_svg(game, name, svg)
        return self.place_image(png, width, height, alt)

    def place_image(self, png: bytes, width: int, height: int, alt: str = "", *, name: str | None = None) -> SafeString:
        """Add a picture to the letter and return its <img>; nothing if the letter has too many."""
        name = name or pictures.name_picture(png)
        if not self.shown or (name not in self.used and len(self.used) == MAX_PICTURES):
            return SafeString()
        self.used[name] = png
        image = '<img class="picture" src="cid:{}@{}" width="{}" height="{}" alt="{}">'
        return format_html(image, name, PICTURES, width, height, alt)


# ── drawing ──


def draw_symbol(sprite: str, name: str) -> bytes:
    """Draw a symbol of an SVG file on a light tile: on a dark background its lines would be invisible."""
    size = 2 * SIZE
    canvas = f'{XMLNS} viewBox="0 0 64 64" width="{size}" height="{size}"'
    tile = f'<rect width="64" height="64" fill="{TILE}"/>{extract_symbols(sprite)}<use href="#{name}"/>'
    return resvg_py.svg_to_bytes(svg_string=f"<svg {canvas}>{tile}</svg>", skip_system_fonts=True)


def extract_symbols(sprite: str) -> str:
    found = SYMBOLS.search(sprite)
    return found["symbols"] if found else ""


@lru_cache(maxsize=512)
def draw_game_symbol(game: str, name: str) -> bytes | None:
    """Draw a symbol of a game that has no pictures drawn in advance; None if it has no such symbol."""
    sprite = read_symbols(game)
    return draw_symbol(sprite, name) if f'<symbol id="{name}"' in sprite else None


@lru_cache(maxsize=64)  # all readers of a table get the same picture
def draw_svg(game: str, name: str, svg: str) -> tuple[bytes, int, int]:
    """Draw an SVG with the game's symbols and the page's colours. Return it with its width and height on the screen."""
    size = re.search(r'width="(\d+)" height="(\d+)"', svg)
    assert size
    width, height = int(size[1]), int(size[2])
    symbols, style = extract_symbols(read_symbols(game)), read_style(game, name)
    alone = LINKED.sub('href="#', svg).replace("<svg ", f"<svg {XMLNS} ", 1).replace(">", f">{symbols}", 1)
    png = resvg_py.svg_to_bytes(
        svg_string=alone,
        style_sheet=style,
        width=2 * width,
        height=2 * height,
        skip_system_fonts=True,  # without words: not every server has fonts, and loading them takes long
    )
    return png, width, height


@cache
def read_symbols(game: str) -> str:
    return read_static_text(f"games/{game}/symbols.svg")


@cache
def read_style(game: str, name: str) -> str:
    """Return a game's stylesheet, with colours in place of variables."""
    return VARIABLE.sub(
        lambda found: COLOURS.get(found[1], COLOURS["ink"]), read_static_text(f"games/{game}/{name}.css")
    )


def read_static_text(name: str) -> str:
    """Return the text of a static file; "" if there is none."""
    file = finders.find(name)
    return Path(file).read_text() if isinstance(file, str) else ""
