"""What of a mail is the writer's own: without the letter it answers, and without the signature."""

from __future__ import annotations

import re
from collections.abc import Iterator

import quotequail

MARKER = "Reply above this line / Répondez au-dessus"
MARKED = re.compile(r"reply above this line|répondez au-dessus", re.I)
TELEPHONE = (  # what one adds by itself
    r"\s*(?:(?:sent (?:from|via|with)|envoyé (?:de(?:puis)?|à partir d[e’']|via|avec))\b|"
    r"(?:get|télécharge[rz]|obtenez|obtenir) outlook (?:for|pour) ).*"
)
# A line of its own: what stands before whatever one's mail program adds.
SIGNATURE = re.compile(rf"--\s*|_{{2,}}|—\s*|{TELEPHONE}", re.I)
BEFORE_ALL = re.compile(rf"\A{TELEPHONE}\n(?:.+\n)*\n", re.I)  # the telephone's paragraph, where one wrote below it
# What quotequail does not know of: Outlook and Zimbra in French, and "a écrit" with a name between.
BEGINS = re.compile(
    r"-{2,} ?(?:message|mail) (?:d.origine|original|transféré) ?-{2,}|"
    r"le .{6,120} (?:a|avez) écrit ?:|.{3,80} a écrit ?:",
    re.I,
)
SPACES = dict.fromkeys(map(ord, "\u00a0\u202f\u2007\u2009"), " ")
UNSEEN = dict.fromkeys([*map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad\x7f"), *range(9), *range(14, 32)])
MOST_LINES = 300  # nobody's own words begin further down …
LONGEST_LINE = 600  # … nor further to the right; and some patterns take their time over what is longer


def own_words(text: str) -> list[str]:
    """The lines somebody wrote, in order; a blank line parts paragraphs.

    >>> own_words("pass\\n\\nOn Mon, 16 Nov 2026, Beanpost wrote:\\n> It is your turn.")
    ['pass']
    >>> own_words("> It is your turn.\\n> Beat 12.\\npass")
    ['pass']
    >>> own_words("je passe\\n----- Mail original -----\\nDe: Beanpost\\nObjet: Haricots")
    ['je passe']
    >>> own_words("Envoyé demain\\nTélécharger Outlook pour iOS\\nEnvoyé de mon iPhone")
    ['Envoyé demain']
    >>> own_words("Sent from my iPhone\\n7\\n\\npass")
    ['pass']
    """
    lines = text.translate(SPACES).translate(UNSEEN).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    tidy = "\n".join(line[:LONGEST_LINE].rstrip() for line in lines[:MOST_LINES])
    above, below = parted(tidy)
    written = list(unsigned(unmarked(unquoted(BEFORE_ALL.sub("", above)))))
    if any(line.strip() for line in written):
        return written
    # Nothing above: who writes below the letter has it quoted with a > before each line, or it cannot be told apart.
    return list(unsigned(after_quotes(below)))


def parted(text: str) -> tuple[str, str]:
    """What stands before the letter that is answered, and the rest."""
    above = quotequail.quote(text, quote_intro_line=True)[0][1]
    found = quotequail.unwrap(text)
    if found and found["type"] in ("reply", "forward"):
        top = found.get("text_top", "")
        above = above if above.strip() and len(above) < len(top) else top
    lines = above.split("\n")
    at = next((n for n, line in enumerate(lines) if BEGINS.fullmatch(line.strip())), len(lines))
    above = "\n".join(lines[:at])
    below = text[text.find(above) + len(above) :]
    return above, below


def unquoted(text: str) -> Iterator[str]:
    return (line for line in text.split("\n") if not line.lstrip().startswith(">"))


def unmarked(lines: Iterator[str]) -> Iterator[str]:
    """Up to our own first line, for mail programs that put no sign before what they quote."""
    for line in lines:
        if MARKED.search(line):
            return
        yield line


def unsigned(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if SIGNATURE.fullmatch(line):
            return
        yield line.strip()


def after_quotes(text: str) -> Iterator[str]:
    """What was written below or between lines that are quoted."""
    lines = iter(text.split("\n"))
    if not any(line.lstrip().startswith(">") for line in lines):
        return iter(())
    return (line for line in lines if not line.lstrip().startswith(">"))
