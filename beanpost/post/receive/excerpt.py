"""Cut an email to the part that is stored, while it comes in: a photo of 3 MB beside a move must not cost the move.

Of a part that is no text, such as a picture, only the beginning is kept, so the text is kept whether it comes before
the picture or after it. The rest of the text is cut where the row is full: people write at the top.
"""

from __future__ import annotations

import re

from beanpost.post.reply_parser.limits import LONGEST_LINE, LONGEST_TYPE, MAX_BYTES, MAX_LINES

KEPT_OF_OTHERS = 4_000  # bytes of a part that is no text
KEPT_OF_ATTACHED_TEXT = 20_000
MAX_HEAD = 2_000  # bytes of a part's Content-… headers that are searched
LINE = re.compile(rb"([^\r\n]*+)(\r\n|\r|\n|\Z)")
OTHER = re.compile(rb"\bcontent-type:\s*(?!text/|multipart/|message/)[a-z]")
ATTACHED = re.compile(rb"\bcontent-disposition:\s*attachment")
WHOLE = re.compile(rb"\bcontent-type:\s*(?:multipart/|message/|text/rfc822)")  # reports enclose the letter in these
NEWLINE = b"\r\n"
END = b"\r\n.\r\n"


class Selection:
    """The choice of lines to keep of an email. It recognises boundaries by their dashes, and a part by its headers."""

    def __init__(self) -> None:
        self.room, self.lines = MAX_BYTES, MAX_LINES
        self.begin_part()

    def begin_part(self) -> None:
        self.in_head, self.in_content, self.head, self.room_of_part = True, False, b"", MAX_BYTES

    def is_full(self) -> bool:
        return self.room <= 0 or self.lines <= 0

    def skips_part(self) -> bool:
        """Return whether nothing more is kept until the next boundary."""
        return self.room_of_part < 0 and not self.in_head

    def keeps(self, line: bytes) -> bool:
        """Return whether the next line is kept; `line` is without its end."""
        if self.is_full():
            return False
        if line.startswith(b"--"):
            self.begin_part()
        elif self.in_head:
            self.read_header(line)
        length = min(len(line), LONGEST_LINE) + 2
        self.room_of_part -= length
        if self.room_of_part < 0:
            return False
        self.room -= length
        self.lines -= 1
        return self.room >= 0

    def read_header(self, line: bytes) -> None:
        """Note a Content-… header; at the end of the headers, limit a part that is no text."""
        if line:
            lowered = line[:LONGEST_TYPE].lower()
            if not lowered.startswith((b" ", b"\t")):  # a DKIM-Signature's next line may begin with content-type:
                self.in_content = lowered.startswith(b"content-")
            if self.in_content and len(self.head) < MAX_HEAD:
                self.head += b"\n" + lowered
            return
        self.in_head = False
        if OTHER.search(self.head):
            self.room_of_part = KEPT_OF_OTHERS
        elif ATTACHED.search(self.head) and not WHOLE.search(self.head):
            self.room_of_part = KEPT_OF_ATTACHED_TEXT


def cut(source: bytes) -> bytes:
    """Return what is stored of an email.

    >>> picture = b"--x\\nContent-Type: image/png\\n\\n" + b"iVBORw0KGgoAAAANSUhEUgAA\\n" * 9_000
    >>> kept = cut(b"Content-Type: multipart/mixed; boundary=x\\n\\n" + picture + b"--x\\n\\npass\\n--x--\\n")
    >>> len(kept) < 5_000, kept.endswith(b"\\n--x\\n\\npass\\n--x--\\n")
    (True, True)
    """
    selection = Selection()
    kept, at = [], 0
    while at < len(source) and not selection.is_full():  # not splitlines(): 25 MB of empty lines would take 1 GB
        line = LINE.match(source, at)
        assert line
        at = line.end()
        if selection.keeps(line[1]):
            kept.append(line[1][:LONGEST_LINE] + line[2])
        elif selection.skips_part():
            boundary = source.find(b"\n--", at - 1)
            at = boundary + 1 if boundary >= 0 else len(source)
    return b"".join(kept)[:MAX_BYTES]


class Stream:
    """The same for an email that comes in by SMTP, in pieces, up to its last line, which is a dot."""

    def __init__(self) -> None:
        self.selection = Selection()
        self.size = 0
        self.has_ended = False
        self.rest = b""  # the unfinished line

    def cut(self, piece: bytes) -> bytes:
        """Return what is kept of the next piece, and all that follows the email, such as the next command."""
        if self.has_ended:
            return piece
        self.size += len(piece)
        if self.selection.is_full():
            return self.skip(piece)
        *lines, rest = (self.rest + piece).split(NEWLINE)
        kept: list[bytes] = []
        for n, line in enumerate(lines):
            if line == b".":
                self.has_ended = True
                return b"".join([*kept, b".\r\n", NEWLINE.join([*lines[n + 1 :], rest])])
            if self.selection.keeps(line):
                kept.append(line[: LONGEST_LINE - len(NEWLINE)] + NEWLINE)
        # It may end in "\r", and the cut must not put a "\r" before a "\n" that stood alone.
        self.rest = rest if len(rest) < LONGEST_LINE else rest[: LONGEST_LINE - 1] + b" " + rest[-1:]
        if self.selection.is_full():
            self.rest = NEWLINE + self.rest
        return b"".join(kept)

    def skip(self, piece: bytes) -> bytes:
        """Look only for the end: 25 MB of short lines would take seconds."""
        text = self.rest + piece
        at = text.find(END)
        self.has_ended = at >= 0
        self.rest = text[-len(END) + 1 :]
        return text[at + len(NEWLINE) :] if self.has_ended else b""
