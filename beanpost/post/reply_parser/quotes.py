"""Find the writer's own words in an email: without the quoted letter, and without the signature."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from beanpost.post.reply_parser.quote_introductions import find_first_quoted
from beanpost.post.reply_parser.sent_letter import MARKER, SIGNS, SentLetter, is_quoted, normalise_words

MARKS = tuple("".join(normalise_words(half)) for half in MARKER.split("/"))
PHONE_SIGNATURE = (  # signatures that phones add
    r"\s*(?:(?:sent (?:from|via|with)|envoyé (?:de(?:puis)?|à partir d[e’']|via|avec)|gesendet (?:von|mit)|"
    r"von mein\w{1,3} \w+ gesendet|enviado (?:desde|do|de)|inviato da|verstuurd vanaf|wysłan[eo] z|отправлено (?:с|из)|"
    r"надіслано з)\b|发自我的|從我的|从我的|iphoneから送信|"
    r"(?:get|télécharge[rz]|obtenez|obtenir) outlook (?:for|pour) ).*"
)
# A line that separates the text from a signature.
SIGNATURE = re.compile(rf"--\s*|_{{2,}}|—\s*|{PHONE_SIGNATURE}", re.I)
PHONE_LINE = re.compile(PHONE_SIGNATURE, re.I)
SPACES = dict.fromkeys(map(ord, "\u00a0\u202f\u2007\u2009"), " ")
UNSEEN = dict.fromkeys([*map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad\x7f"), *range(9), *range(14, 32)])
BEGIN_PGP = re.compile(r"-----BEGIN PGP (SIGNED MESSAGE|SIGNATURE)-----")
END_PGP = "-----END PGP SIGNATURE-----"
MAX_LINES = 300  # a writer's own words never begin further down …
LONGEST_LINE = 600  # … nor further to the right; and some patterns are slow on longer lines

NO_LETTER = SentLetter()


def find_own_words(text: str, sent: SentLetter = NO_LETTER) -> list[str]:
    """Return the lines that the writer wrote; a blank line separates paragraphs.

    >>> find_own_words("pass\\n\\nOn Mon, 16 Nov 2026, Beanpost wrote:\\n> It is your turn.")
    ['pass']
    >>> find_own_words("> It is your turn.\\n> Beat 12.\\n\\npass")
    ['pass']
    >>> find_own_words("> It is your turn.\\n> Beat\\n12.")
    []
    >>> find_own_words("je passe\\n----- Mail original -----\\nDe: Beanpost\\nObjet: Haricots")
    ['je passe']
    >>> find_own_words("Envoyé demain\\nTélécharger Outlook pour iOS\\nEnvoyé de mon iPhone")
    ['Envoyé demain']
    >>> find_own_words("Sent from my iPhone\\n7\\n\\npass")
    ['pass']
    """
    whole = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[:MAX_LINES]
    lines = [*remove_armour(cut_line(line.translate(SPACES).translate(UNSEEN)) for line in whole)]
    cut = min(find_marker(lines), find_first_quoted(lines))
    copied, certain = sent.find_copied_lines(lines)
    broken = sent.find_broken_lines(lines)
    unquoted = [line if n not in certain | broken else "" for n, line in enumerate(blank_quoted_lines(lines))]
    above = strip_signature(unquoted[skip_phone_signature(lines[:cut]) : cut])
    if above:
        return above
    # Nothing is above the letter. Words below it are the writer's only if the letter is quoted with ">": otherwise they
    # cannot be told from ours.
    quoted = [n for n, line in enumerate(lines) if is_quoted(line)]
    first = max(cut, quoted[0]) if quoted else len(lines)
    written = sent.find_lines_below_quotation(lines, copied, broken)
    below = (lines[n] if n in written else "" if n in copied else line for n, line in enumerate(unquoted))
    return strip_signature(islice(below, first + 1, None))


def remove_armour(lines: Iterable[str]) -> Iterator[str]:
    """Yield a text without the armour of a PGP signature around it (RFC 9580, section 7). Nothing is verified.

    >>> signed = ["-----BEGIN PGP SIGNED MESSAGE-----", "Hash: SHA512", "", "pass", "- -- ", "Bob"]
    >>> [*remove_armour([*signed, "-----BEGIN PGP SIGNATURE-----", "", "iQEz", "-----END PGP SIGNATURE-----", ""])]
    ['pass', '-- ', 'Bob', '']
    """
    inside = ""
    for line in lines:
        if begins := BEGIN_PGP.fullmatch(line):
            inside = begins[1]
        elif inside == "SIGNED MESSAGE":  # its headers
            inside = inside if line else "TEXT"
        elif inside == "SIGNATURE":
            inside = "" if line == END_PGP else inside
        else:
            yield line.removeprefix("- ") if inside else line


def cut_line(line: str) -> str:
    """Cut a line to size, before and after NFKC, which turns some characters into eighteen.

    >>> len(cut_line("\ufdfa" * 100))
    600
    """
    line = line[:LONGEST_LINE].rstrip()
    plain = unicodedata.normalize("NFKC", line)
    return line if len(plain) <= LONGEST_LINE else plain[:LONGEST_LINE]


# ── where the quoted letter begins ──


def find_marker(lines: Sequence[str]) -> int:
    """Return the number of the line with our marker, or with its beginning if it was wrapped.

    >>> find_marker(["7", "> > Reply above this line / Répondez au-dessus"]), find_marker(["7"])
    (1, 1)
    >>> find_marker(["7", "> > Reply above", "this line / Répondez au-dessus"])
    1
    """
    plain = ["".join(normalise_words(line)) for line in lines]
    for n, line in enumerate(plain):
        wrapped = line + "".join(plain[n + 1 : n + 2])
        if any(mark in line for mark in MARKS) or (line and wrapped.startswith(MARKS)):
            return n
    return len(lines)


def skip_phone_signature(lines: Sequence[str]) -> int:
    """Return the number of the first line below a signature that a phone has put at the top, or 0."""
    first = next((n for n, line in enumerate(lines) if line), len(lines))
    if first == len(lines) or not PHONE_LINE.fullmatch(lines[first]):
        return 0
    return next((n for n in range(first, len(lines)) if not lines[n]), 0)


# ── unquoted lines ──


def blank_quoted_lines(lines: Sequence[str]) -> Iterator[str]:
    """Yield all lines, but blank ones for quoted lines and for the lines they were wrapped into.

    A wrapped quoted line continues without ">" until the next blank line.
    """
    wrapped = False
    for line in lines:
        if is_quoted(line):
            wrapped = bool(line.strip(SIGNS))
        elif not line.strip():
            wrapped = False
        yield "" if wrapped or is_quoted(line) else line


def strip_signature(lines: Iterable[str]) -> list[str]:
    """Return the lines above the signature, without repeated or trailing blank lines."""
    own: list[str] = []
    for line in lines:
        if SIGNATURE.fullmatch(line):
            break
        if line.strip() or (own and own[-1]):
            own.append(line.strip())
    return own[:-1] if own and not own[-1] else own
