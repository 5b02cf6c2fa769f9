"""The plain text of a letter, read from its HTML, so that every sentence, link and fact is written once.

Where the two differ, a template has both: a <figure> is shown in HTML alone, such as moves as buttons side by side, and
a <pre> in the text alone, such as a table drawn with letters.
"""

from __future__ import annotations

import re
import textwrap
from functools import lru_cache
from html.parser import HTMLParser
from itertools import zip_longest

from beanpost.play.display.wording import add_colon

COLUMNS = 76
HTML_ONLY = re.compile(r"<figure>.*?</figure>", re.S)
TEXT_ONLY = re.compile(r"</?figure>|<pre>.*?</pre>", re.S)
INDENTATION = re.compile(r"[ \t]*\n[ \t\n]*")
BLOCKS = {"div", "h1", "h2", "h3", "p", "td", "th"}
SEPARATOR = re.compile(r"\n ?·")  # between links, which are on lines of their own in the text
SPACE = re.compile(r"[ \t\r\n]+")  # not non-breaking spaces
RULE = "-" * COLUMNS


def keep_html(letter: str) -> str:
    """Return a letter's HTML, without the parts that are only for its text and the indentation of its templates."""
    return INDENTATION.sub("\n", TEXT_ONLY.sub("", letter))


def read_text(letter: str) -> str:
    """Return a letter's plain text: short lines, single blank lines, and every link on a line of its own.

    >>> print(read_text("<body><h2>Your seat</h2><p>It’s <b>yours</b>. <a href='https://b.example/'>Keep it</a></p>"))
    YOUR SEAT
    <BLANKLINE>
    It’s yours.
    Keep it:
    https://b.example/
    <BLANKLINE>
    >>> print(read_text("<body><ul><li>Ann passed.</li><li>Bob passed.</li></ul><pre>[4] [4]</pre>"))
    - Ann passed.
    - Bob passed.
    <BLANKLINE>
    [4] [4]
    <BLANKLINE>
    """
    reader = TextReader()
    reader.feed(HTML_ONLY.sub("", letter[letter.index("<body") :]))
    return fold_text("".join(reader.text))


class TextReader(HTMLParser):
    """Reads our own HTML: every element is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.words: list[str] = []  # of the block that is being read
        self.link, self.link_starts = "", 0
        self.prefix = ""
        self.look = ""  # the element's classes
        self.rows: list[list[str]] | None = None  # of a table of facts
        self.is_drawn = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        look = values.get("class") or ""
        if tag in BLOCKS or tag == "li":
            self.end_block()
            self.look = look
            self.prefix = "- " if tag == "li" else ""
        if look == "foot":
            self.text.append("--\n")
        elif look == "seats":
            self.rows = []
        elif tag == "tr" and self.rows is not None:
            self.rows.append([])
        elif tag == "br" or look == "note":
            self.words.append("\n")
        elif tag == "a":
            self.words.append("\n")
            self.link, self.link_starts = values["href"] or "", len(self.words)
        self.is_drawn = tag == "pre"

    def handle_data(self, data: str) -> None:
        if self.is_drawn:
            drawn = data.strip("\n")
            self.text.append(f"{drawn}\n\n")
        else:
            self.words.append(SPACE.sub(" ", data))

    def handle_endtag(self, tag: str) -> None:
        self.is_drawn = False
        if tag == "a":
            label = "".join(self.words[self.link_starts :]).strip()
            self.words[self.link_starts :] = [label if ":" in label else add_colon(label), f"\n{self.link}\n"]
        elif tag in ("h2", "h3") and self.look != "matter":
            self.words = [word.upper() for word in self.words]
        if tag in BLOCKS or tag == "li":
            self.end_block(tag)
        elif tag == "ul":
            self.text.append("\n")
        elif tag == "table" and self.rows is not None:
            self.text.append(f"{write_table(self.rows)}\n\n")
            self.rows = None

    def end_block(self, tag: str = "") -> None:
        """Write the words of a block: a cell of a table of facts, a line of a list, or a paragraph."""
        lines = [line.strip(" ") for line in SEPARATOR.sub("\n", "".join(self.words)).strip(" \n").split("\n")]
        self.words = []
        if self.rows and tag in ("td", "th"):
            self.rows[-1].append("\n".join(lines))
        elif lines != [""]:
            first, *rest = lines
            hanging = [line if line.startswith("http") else " " * len(self.prefix) + line for line in rest]
            self.text.append("\n".join([self.prefix + first, *hanging]) + ("\n" if tag == "li" else "\n\n"))
            if self.look == "matter":
                self.text[-1] = f"{first}\n{RULE}\n\n"
        self.look = self.prefix = ""


def write_table(rows: list[list[str]]) -> str:
    """Write facts as "Name: value", and wider tables in columns."""
    if all(len(row) == 2 for row in rows):
        facts = (f"  {add_colon(name)} {value}" for name, value in rows)
        return "\n".join(fact.replace("\n", "\n    ") for fact in facts)
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)) for row in rows)
    return "\n".join(f"  {line}".rstrip() for line in lines)


def fold_text(text: str) -> str:
    """Wrap plain text: short lines, single blank lines, unbroken links.

    >>> print(fold_text("Dear Ann,\\n\\n\\n\\nit is your turn.  \\n"))
    Dear Ann,
    <BLANKLINE>
    it is your turn.
    <BLANKLINE>
    """
    lines = map(fold_line, map(str.rstrip, text.strip("\n").splitlines()))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"


def fold_line(line: str) -> str:
    """Wrap a long line, indented like its beginning; never break a link."""
    return line if len(line) <= COLUMNS or line.split() == [line] else wrap_line(line)


@lru_cache(maxsize=512)
def wrap_line(line: str) -> str:
    """Wrap a line. Cached because most long lines are standard sentences, the same in many letters."""
    indent = re.match(r"\s*(?:[-·>]|m?\d+\.)?\s*", line)
    assert indent is not None
    hanging = re.sub(r"[^>\s]", " ", indent[0])
    return textwrap.fill(line, COLUMNS, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)
