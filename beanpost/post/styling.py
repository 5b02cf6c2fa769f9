"""Rules written onto what they are for, since mail programs drop stylesheets. What only a stylesheet can say stays.

How an element looks follows from its own tag and those around it, and letters have the same few hundred again and
again: css_inline is asked about each once, instead of about the whole of every letter. So no rule of letters/style.css
may go by what stands beside an element.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple, TypeAlias

import css_inline

INLINER = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
# What else a tag has, as an address, is each letter's own, and says nothing about how it looks.
COMMON = ("class", "role", "scope", "align", "border", "width", "cellpadding", "cellspacing", "colspan")
OWN = re.compile(rf' (?!(?:{"|".join(COMMON)})=)[\w-]+="[^"]*"')
OPENING = re.compile(r"<[a-z][^>]*>")
EMPTY = {"br"}  # nothing stands in it

# Where a tag leads, and how it is written: up to where its own is added, and what follows.
Step: TypeAlias = tuple["Place", str, str]


def inlined(html: str) -> str:
    """A letter with every rule on what it is for, as css_inline would write it."""
    head, _, body = html.partition("<body>")
    before, _, rest = head.partition("<style>")
    rules, _, after = rest.partition("</style>")
    sheet = read(rules)
    return f"{before}<style>{sheet.kept}</style>{after}{sheet.page.written('body>' + body)}"


class Sheet(NamedTuple):
    kept: str
    page: Place


@cache
def read(rules: str) -> Sheet:
    kept = applied(rules, "").partition("<style>")[2].partition("</style>")[0]
    return Sheet(kept, Place(rules, "", None))


def applied(rules: str, html: str) -> str:
    return INLINER.inline(f"<style>{rules}</style>{html}")


class Place(dict[str, Step]):
    """A place in letters, within the tags around it. It knows every tag that has stood there."""

    def __init__(self, rules: str, around: str, outer: Place | None) -> None:
        self.rules, self.around = rules, around
        self.outer = self if outer is None else outer

    def written(self, html: str) -> str:
        place, pile = self, list[str]()
        for piece in html.split("<"):
            tag, _, text = piece.partition(">")
            place, before, after = place[tag]
            pile += before, after, text
        return "".join(pile)

    def __missing__(self, tag: str) -> Step:
        if own := "".join(OWN.findall(tag)):
            inside, before, after = self[OWN.sub("", tag)]
            return inside, before + own, after
        self[tag] = self.closed(tag) if tag.startswith("/") else self.opened(tag)
        return self[tag]

    def closed(self, tag: str) -> Step:
        return self.outer, f"<{tag}", ">"

    def opened(self, tag: str) -> Step:
        around = f"{self.around}<{tag}>"
        *_, innermost = OPENING.findall(applied(self.rules, around))
        inside = self if tag in EMPTY else Place(self.rules, around, self)
        # A new line before each style keeps lines short, and mail needs no code for them.
        _, is_styled, style = innermost.partition(" style=")
        return inside, f"<{tag}", f"\nstyle={style}" if is_styled else ">"
