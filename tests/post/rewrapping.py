"""Letters as mail programs quote them when they wrap the lines again: the ends of long lines lose their ">"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle
from textwrap import wrap

WIDTHS = (30, 60, 66, 70, 72, 76, 78)  # the first is that of a small phone

INTRODUCTIONS = {
    "none": "",
    "english": "On Mon, 16 Nov 2026 at 13:05, Beanpost <post@beans.example> wrote:\n\n",
    "unknown": "Beanpost 2026-11-16 13:05 wanawandika haya\n\n",  # words of no known program
}


def broken(line: str, width: int) -> list[str]:
    return wrap(line, width, break_long_words=False, break_on_hyphens=False, drop_whitespace=True) or [""]


def tails(letter: str, width: int, sign: str = "> ") -> Iterator[str]:
    """Prefix each line, then wrap it."""
    for line in letter.splitlines():
        yield from broken((sign + line).rstrip(), width)


def bare_blanks(letter: str, width: int) -> Iterator[str]:
    """Like tails, but without a prefix on blank lines."""
    return ("" if line.strip() == ">" else line for line in tails(letter, width))


def twice(letter: str, width: int) -> Iterator[str]:
    """Quote the letter twice, as in an email that was answered before."""
    return tails(letter, width, "> > ")


def tight(letter: str, width: int) -> Iterator[str]:
    return tails(letter, width, ">")


def indented(letter: str, width: int) -> Iterator[str]:
    """Indent the wrapped ends."""
    return (line if line.startswith(">") else f"    {line}" for line in tails(letter, width))


def standing_apart(letter: str, width: int) -> Iterator[str]:
    """Put the wrapped ends into paragraphs of their own."""
    for line in tails(letter, width):
        yield from [line] if line.startswith(">") else ["", line, ""]


def without_signs(letter: str, width: int) -> Iterator[str]:
    """Wrap the letter without any prefix."""
    return (piece for line in letter.splitlines() for piece in broken(line, width))


def without_our_first_line(letter: str, width: int) -> Iterator[str]:
    """Like without_signs, with the “reply above this line” line cut away."""
    return without_signs(letter.partition("\n")[2].lstrip(), width)


def trimmed(letter: str, width: int) -> Iterator[str]:
    """Put the wrapped ends into paragraphs of their own, and keep only the moves and what follows them."""
    return standing_apart(letter[letter.index("\nm1. ") + 1 :], width)


STYLES: dict[str, Callable[[str, int], Iterator[str]]] = {
    style.__name__: style
    for style in (
        tails,
        bare_blanks,
        twice,
        tight,
        indented,
        standing_apart,
        trimmed,
        without_signs,
        without_our_first_line,
    )
}


def quoted(letter: str) -> Iterator[tuple[str, str]]:
    """Yield the letter as each program quotes it, with a name for each; the introductions alternate."""
    introductions = cycle(INTRODUCTIONS.items())
    for style, rewrap in STYLES.items():
        for width in WIDTHS:
            language, introduction = next(introductions)
            yield f"{style} at {width}, {language}", introduction + "\n".join(rewrap(letter, width)) + "\n"
