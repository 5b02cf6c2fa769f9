"""Convert an HTML email to plain text: blocks become lines, and quoted lines begin with ">". Nothing is fetched.

A hand-written parser reads it in one pass: full HTML parsers take minutes over an email written to slow them down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

BLOCKS = {"address", "article", "blockquote", "body", "dd", "div", "dl", "dt", "footer", "h1", "h2", "h3", "h4", "h5",
          "h6", "header", "hr", "li", "ol", "p", "pre", "section", "table", "tr", "ul"}  # fmt: skip
UNREAD = {"head", "script", "style", "template", "title"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
QUOTING = {"gmail_quote", "gmail_quote_container", "yahoo_quoted", "moz-cite-prefix", "protonmail_quote"}
QUOTED_IDS = {"divRplyFwdMsg", "appendonsend", "mail-editor-reference-message-container"}  # Outlook's quote starts here
NAME = re.compile(r"(/?)([a-z][a-z0-9]*)", re.I)
HIDDEN = re.compile(r"display:\s*none", re.I)  # such as the preview text of our letters
ATTRIBUTE = re.compile(r"\b(class|id)=[\"']?([\w -]*)", re.I)
DEEPEST = 100  # nested elements that are tracked; real emails have fewer
LONGEST_TAG = 1_000


def convert_html(html: str) -> str:
    """Convert HTML to lines of plain text.

    >>> convert_html("<p>Passe&nbsp;!</p><!-- <p>fold</p> --><blockquote>It is<br>your turn.</blockquote>").split("\\n")
    ['Passe\\xa0!', '> It is', '> your turn.']
    >>> convert_html("<blockquote>It is<br>your turn.</blockquote><p>pass").split("\\n")
    ['> It is', '> your turn.', '', 'pass']
    >>> convert_html("<style>7</style>1 < 2<div id=x>pass")
    '1 < 2\\npass'
    >>> convert_html("pass<blockquote><div style='display: none'><div>It is</div> your turn.</div>fold</blockquote>")
    'pass\\n> fold'
    """
    page = Page()
    for tag, text in iter_tags(strip_comments(html)):
        page.handle_tag(tag)
        page.add_text(text)
    page.break_line()
    return "\n".join(page.lines)


def strip_comments(html: str) -> str:
    """Return the HTML without its comments."""
    kept, *comments = html.split("<!--")
    return kept + "".join(comment.partition("-->")[2] for comment in comments)


def iter_tags(html: str) -> Iterator[tuple[str, str]]:
    """Yield each tag without its brackets, and the text after it. A "<" that opens no tag is text."""
    first, *others = html.split("<")
    yield "", first
    for piece in others:
        tag, closed, text = piece.partition(">")
        if closed and (NAME.match(tag) or tag[:1] in "!?"):
            yield tag[:LONGEST_TAG], text
        else:
            yield "", f"<{piece}"


class Page:
    """The lines so far, and the open elements."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line: list[str] = []
        self.open: list[tuple[str, bool, bool]] = []  # name, whether it quotes, whether it is hidden
        self.unread = ""  # the open element whose contents are not shown
        self.rest_is_quoted = False

    def add_text(self, text: str) -> None:
        """Add text to the current line, unless it is hidden."""
        if not self.unread and not any(hides for *_, hides in self.open):
            self.line.append(unescape(text))

    def break_line(self) -> None:
        """End the current line, and mark it as quoted if it is."""
        text = "".join(self.line).replace("\n", " ").replace("\t", " ").strip()
        if text:
            quoted = self.rest_is_quoted or any(quotes for _, quotes, _ in self.open)
            if not quoted and self.lines and self.lines[-1].startswith("> "):
                self.lines.append("")  # a quotation ends here: a blank line separates the next text from it
            self.lines.append(f"> {text}" if quoted else text)
        self.line = []

    def handle_tag(self, tag: str) -> None:
        """Open or close the element of a tag; skip everything within an element that is not shown."""
        found = NAME.match(tag)
        if not found:
            return
        closing, name = found[1], found[2].lower()
        if self.unread:
            self.unread = "" if closing and name == self.unread else self.unread
        elif name in UNREAD:
            self.unread = "" if closing else name
        else:
            self.close_element(name) if closing else self.open_element(name, tag)

    def open_element(self, name: str, tag: str) -> None:
        if name in BLOCKS or name == "br":
            self.break_line()
        attributes = {attribute.lower(): value for attribute, value in ATTRIBUTE.findall(tag)}
        self.rest_is_quoted = self.rest_is_quoted or attributes.get("id") in QUOTED_IDS
        if name not in VOID and len(self.open) < DEEPEST:
            quotes = name == "blockquote" or bool(QUOTING & {*attributes.get("class", "").split()})
            self.open.append((name, quotes, bool(HIDDEN.search(tag))))

    def close_element(self, name: str) -> None:
        if name in BLOCKS:
            self.break_line()
        positions = [n for n, (open_name, *_) in enumerate(self.open) if open_name == name]
        if positions:  # close the elements left open inside, too
            del self.open[positions[-1] :]
