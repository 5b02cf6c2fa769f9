"""How six mail programs put an answer above, below or between the lines of a letter they quote."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from beanpost.post.reply_parser.html_to_text import convert_html
from tests.post.rewrapping import broken

ABOVE, BELOW, BETWEEN = "above", "below", "between"
POSITIONS = (ABOVE, BELOW, BETWEEN)
SIGNATURE = "-- \nBob Brown\nhttps://bob.example/"
NATIVE = {"en": "On {}, Beanpost wrote:", "fr": "Le {}, Beanpost a écrit :"}


def put(answer: str, position: str, lines: Sequence[str], at: int, *, introduction: str, gap: str = "\n") -> str:
    """Return a reply; `at` is the number of the quoted line that an answer between them follows."""
    if position == ABOVE:
        parts = [answer + gap, introduction, *lines, "", SIGNATURE]
    elif position == BELOW:
        parts = [introduction, *lines, gap + answer, "", SIGNATURE]
    else:
        parts = [introduction, *lines[: at + 1], gap + answer + gap, *lines[at + 1 :], "", SIGNATURE]
    return "\n".join(parts) + "\n"


def with_signs(letter: Sequence[str], sign: str = "> ") -> list[str]:
    return [(sign + line).rstrip() for line in letter]


def neomutt(answer: str, position: str, letter: Sequence[str], at: int, language: str) -> str:
    introduction = "On Mon, Nov 16, 2026 at 01:05:00PM +0000, Beanpost wrote:"
    return put(answer, position, with_signs(letter), at, introduction=introduction)


def neomutt_flowed(answer: str, position: str, letter: Sequence[str], at: int, language: str) -> str:
    introduction = NATIVE[language].format("Mon, Nov 16, 2026 at 01:05:00PM +0000")
    return put(answer + " ", position, with_signs(letter, ">"), at, introduction=introduction)


def alpine(answer: str, position: str, letter: Sequence[str], at: int, language: str) -> str:
    return put(answer, position, with_signs(letter), at, introduction="On Mon, 16 Nov 2026, Beanpost wrote:\n")


def aerc(answer: str, position: str, letter: Sequence[str], at: int, language: str) -> str:
    """Wrap the letter to 72 columns before it is quoted."""
    wrapped = [broken(line, 72) for line in letter]
    lines = with_signs([piece for pieces in wrapped for piece in pieces])
    at = sum(map(len, wrapped[: at + 1])) - 1
    return put(answer, position, lines, at, introduction="On Mon Nov 16, 2026 at 1:05 PM UTC, Beanpost wrote:")


def s_nail(answer: str, position: str, letter: Sequence[str], at: int, language: str) -> str:
    """Leave no blank line between the quotation and the answer."""
    introduction = "Beanpost <post@beans.example> wrote:\n"
    return put(answer, position, with_signs(letter), at, introduction=introduction, gap="")


def roundcube(answer: str, position: str, letter: Sequence[str], at: int, language: str) -> str:
    introduction = NATIVE[language].format("2026-11-16 13:05")
    return put(answer, position, with_signs(letter), at, introduction=introduction)


def roundcube_html(answer: str, position: str, letter: Sequence[str], at: int, language: str) -> str:
    introduction = f'<p id="reply-intro">{NATIVE[language].format("2026-11-16 13:05")}</p>'
    opened = '<blockquote type="cite" style="padding: 0 0.4em; border-left: #1010ff 2px solid; margin: 0">'
    return quote_in_html(f"<p>{escape(answer)}</p>", position, letter, at, introduction=introduction, opened=opened)


def thunderbird(answer: str, position: str, letter: Sequence[str], at: int, language: str) -> str:
    """Write format=flowed: a quoted line has one sign and no space on blank lines."""
    introduction = NATIVE[language].format({"en": "16/11/2026 13:05", "fr": "16/11/2026 à 13:05"}[language])
    return put(answer, position, with_signs(letter), at, introduction=introduction)


def thunderbird_html(answer: str, position: str, letter: Sequence[str], at: int, language: str) -> str:
    when = {"en": "16/11/2026 13:05", "fr": "16/11/2026 à 13:05"}[language]
    introduction = f'<div class="moz-cite-prefix">{NATIVE[language].format(when)}<br></div>'
    opened = '<blockquote type="cite" cite="mid:176338230000.1@beans.example">'
    return quote_in_html(f"<p>{escape(answer)}</p>", position, letter, at, introduction=introduction, opened=opened)


def quote_in_html(answer: str, position: str, letter: Sequence[str], at: int, *, introduction: str, opened: str) -> str:
    """Return the text of a reply in HTML. Programs split the blockquote where the answer stands."""
    first, rest = [
        "".join(f"<div>{escape(line)}</div>" for line in part) for part in (letter[: at + 1], letter[at + 1 :])
    ]
    whole = f"{opened}{first}{rest}</blockquote>"
    split = f"{opened}{first}</blockquote>{answer}{opened}{rest}</blockquote>"
    body = {ABOVE: answer + introduction + whole, BELOW: introduction + whole + answer, BETWEEN: introduction + split}
    signature = '<pre class="moz-signature">-- \nBob Brown</pre>'
    return convert_html(f"<html><body>{body[position]}{signature}</body></html>")


PROGRAMS: dict[str, Callable[[str, str, Sequence[str], int, str], str]] = {
    program.__name__: program
    for program in (
        neomutt,
        neomutt_flowed,
        alpine,
        aerc,
        s_nail,
        roundcube,
        roundcube_html,
        thunderbird,
        thunderbird_html,
    )
}


def in_blockquotes(above: Sequence[str], piece: str, below: Sequence[str]) -> str:
    """Return the text of an HTML email in which a piece stands between two quoted parts."""
    first, rest = ["".join(f"<div>{escape(line)}</div>" for line in part) for part in (above, below)]
    return convert_html(f"<blockquote>{first}</blockquote><p>{escape(piece)}</p><blockquote>{rest}</blockquote>")


def behind(sign: str) -> Callable[[Sequence[str], str, Sequence[str]], str]:
    return lambda above, piece, below: "\n".join([*with_signs(above, sign), piece, *with_signs(below, sign), ""])


# Ways to quote the lines above and below a piece.
QUOTINGS = (behind("> "), behind(">"), behind("| "), in_blockquotes)
