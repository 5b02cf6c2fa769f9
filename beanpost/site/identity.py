"""The host's own site: its name, contact and colours, and the texts of `SITE_FOLDER/texts`.

`SITE_FOLDER` may hold `texts/` (Markdown: `imprint.en.md`, `imprint.fr.md` …), `templates/` (each replaces ours of the
same name) and `static/` (`logo.svg` or `logo.png` replaces the bean).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

TEXTS = ("about", "imprint", "privacy", "terms")
WRITTEN_BY_US = {"about", "privacy"}  # with a default in templates/site/, unless the host writes another
LOGOS = ("logo.svg", "logo.png")
ENGLISH = "en"
PAPER = {"light": "#ffffff", "dark": "#1d1b17"}  # what the accent colour must be readable on
MIN_CONTRAST = 4.5  # contrast that WCAG 2.2 AA asks for


@dataclass(frozen=True)
class Site:
    """The host, as pages and letters present it."""

    name: str
    footer: str
    contact: str
    source_url: str
    logo: str  # the name of a static file
    has_colours: bool
    texts: tuple[str, ...]  # those that exist, in the order of the footer


def site() -> Site:
    return Site(
        name=settings.SITE_NAME,
        footer=settings.SITE_FOOTER,
        contact=build_contact_link(settings.SITE_CONTACT),
        source_url=settings.SOURCE_URL,
        logo=find_logo(settings.SITE_FOLDER),
        has_colours=bool(settings.ACCENT_COLOUR),
        texts=tuple(name for name in TEXTS if name in WRITTEN_BY_US or find_text_file(name)),
    )


def build_contact_link(address_or_url: str) -> str:
    """Return a link to a mail address or a page.

    >>> build_contact_link("olga@beans.example"), build_contact_link("https://beans.example/contact")
    ('mailto:olga@beans.example', 'https://beans.example/contact')
    """
    return f"mailto:{address_or_url}" if "@" in address_or_url and "/" not in address_or_url else address_or_url


def find_logo(folder: Path | None) -> str:
    found = [name for name in LOGOS if folder and (folder / "static" / name).is_file()]
    return found[0] if found else "beanpost/bean.svg"


def find_text_file(name: str) -> Path | None:
    """Return the host's own text in the reader's language, else the one without a language, else the English one.

    If we have no default, a text in any other language is better than none: an imprint must be there for everyone.
    """
    if settings.SITE_FOLDER is None:
        return None
    folder = settings.SITE_FOLDER / "texts"
    endings = (f".{get_language() or ENGLISH}.md", ".md", f".{ENGLISH}.md")
    others = () if name in WRITTEN_BY_US else sorted(folder.glob(f"{name}.*.md"))
    files = (*(folder / f"{name}{ending}" for ending in endings), *others)
    return next((file for file in files if file.is_file()), None)


def list_labels() -> dict[str, str]:
    """Return what the footer calls each of `TEXTS`."""
    return {"about": _("About"), "imprint": _("Imprint"), "privacy": _("Privacy"), "terms": _("Terms")}


# ── colours ──


def is_readable(colour: str) -> bool:
    """Return whether white text is readable on the colour, and the colour on a white page.

    >>> is_readable("#2f6b3a"), is_readable("#ffd000")
    (True, False)
    """
    return measure_contrast(colour, PAPER["light"]) >= MIN_CONTRAST


def lighten_for_dark_pages(colour: str) -> str:
    """Return the colour, mixed with white until it is readable on dark pages.

    >>> lighten_for_dark_pages("#2f6b3a")
    '#63906b'
    """
    shares = (mix_with_white(colour, share / 20) for share in range(21))
    return next(tint for tint in shares if measure_contrast(tint, PAPER["dark"]) >= MIN_CONTRAST)


def mix_with_white(colour: str, white: float) -> str:
    return "#" + "".join(f"{round(part + (255 - part) * white):02x}" for part in split_colour(colour))


def split_colour(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def measure_contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, as WCAG defines it."""
    dark, light = sorted((measure_luminance(one), measure_luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def measure_luminance(colour: str) -> float:
    linear = [
        part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in split_colour(colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
