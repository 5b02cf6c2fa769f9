"""Make an email safe to parse. Everything that parses email goes through here first.

The standard library reads the parameters of a Content-Type in quadratic time, tests every line against the boundary of
every enclosing part, and recurses into parts and comments. So the bytes are cut to size first, in one linear pass:

    the email       limits on bytes, lines, parts and nesting: the rest is cut off, since people write at the top;
                    NUL bytes are removed: no email may have them, and Python cannot look up a charset with one
    a header        cut if it is too long; a Content-… header with too many parameters loses all of them
    all headers     dropped beyond a total size

A cut email stays readable: real email has headers of 8 KB that we never read. Bodies are parsed in a process that can
be killed (child.py): the second line of defence. Headers and what providers send are parsed in ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from email import message_from_bytes
from email.message import Message
from email.parser import BytesHeaderParser

MAX_BYTES = 200_000  # a writer's own words never begin further down
MAX_LINES = 10_000
MAX_BLANK_LINES = 1_000  # each separates two blocks of a delivery report
LONGEST_LINE = 64_000  # bytes; HTML often comes on one line
MAX_HEADERS = 300
MAX_HEAD = 64_000  # bytes in all headers together
LONGEST_HEADER = 4_000  # bytes
LONGEST_TYPE = 500  # bytes of a Content-… header: a boundary has at most 70, and file names are not needed
MAX_TYPES = 8_000  # bytes in all Content-… headers of parts together
MAX_PARAMETERS = 20
MAX_PARTS = 100
MAX_BOUNDARIES = 200  # lines that begin like a boundary
DEEPEST = 20  # multiparts and enclosed messages, counted as if each were inside the one before

HEADER = re.compile(rb"[!-9;-~]*:|From |[ \t]")  # a header line, as the standard library recognises it
CONTENT = b"content-"
TYPE = b"content-type:"
CONTAINERS = (b"multipart", b"message")


class NotReadable(Exception):
    """The email cannot be parsed, for any reason."""


class TooSlow(NotReadable):
    """Reading the email took too long."""


def parse(source: bytes) -> Message:
    """Return the email with its parts."""
    return run_parser(message_from_bytes, cut_to_size(source))


def parse_head(source: bytes) -> Message:
    """Return the headers of the email, with an empty body."""
    head, _ = split_head(source)
    return run_parser(BytesHeaderParser().parsebytes, b"\n".join([*cut_head(head), b"", b""]))


def run_parser(parser: Callable[[bytes], Message], source: bytes) -> Message:
    """Parse the bytes; raise NotReadable for any error of the parser."""
    try:
        return parser(source)
    except Exception as error:  # anything the parser may raise over hostile bytes
        raise NotReadable from error


# ── cutting ──


def cut_to_size(source: bytes) -> bytes:
    """Remove what makes an email slow or impossible to parse, and end all lines with a plain newline.

    >>> cut_to_size(b"Content-Type: text/plain; x=" + 100 * b";" + b"\\r\\n\\r\\npass\\r\\n")
    b'Content-Type: text/plain\\n\\npass\\n'
    """
    head, body = split_head(source)
    return b"\n".join([*cut_head(head), *cut_body(body)])


def split_head(source: bytes) -> tuple[list[bytes], list[bytes]]:
    """Return the lines of the headers, and those of the body."""
    text = source[:MAX_BYTES].replace(b"\0", b"").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    lines = text.split(b"\n", MAX_LINES)[:MAX_LINES]
    end = next((at for at, line in enumerate(lines) if not HEADER.match(line)), len(lines))
    return lines[:end], lines[end:]


def cut_head(lines: Sequence[bytes]) -> Iterator[bytes]:
    """Yield the headers, each cut to size, until they fill the space for all headers."""
    room, room_for_types = MAX_HEAD, 4 * LONGEST_TYPE
    for header in list(iter_headers(lines))[:MAX_HEADERS]:
        kept = cut_header(header, room_for_types)
        room -= len(kept)
        room_for_types -= len(kept) * is_content_header(kept)
        if room < 0:
            return
        yield kept


def cut_body(lines: Sequence[bytes]) -> Iterator[bytes]:
    """Yield the lines of the body until there are too many parts. Any line may be a header of a part."""
    parts = deep = boundaries = blank = 0
    room = MAX_TYPES
    for text in iter_body_lines(lines):
        if is_content_header(text):
            text = cut_header(text, room)
            room -= len(text)
            lowered = text.lower()
            parts += lowered.startswith(TYPE)
            deep += lowered.startswith(TYPE) and any(kind in lowered for kind in CONTAINERS)
        boundaries += text.startswith(b"--")
        blank += not text
        if parts > MAX_PARTS or boundaries > MAX_BOUNDARIES or deep > DEEPEST or blank > MAX_BLANK_LINES or room < 0:
            return
        yield text if is_content_header(text) else text[:LONGEST_LINE]


def iter_headers(lines: Sequence[bytes]) -> Iterator[bytes]:
    """Yield each header with its continuation lines."""
    header: list[bytes] = []
    for line in lines:
        if header and not is_continuation(line):
            yield b"\n".join(header)
            header = []
        header.append(line)
    if header:
        yield b"\n".join(header)


def iter_body_lines(lines: Sequence[bytes]) -> Iterator[bytes]:
    """Yield each line of a body; a Content-… header together with its continuation lines."""
    header: list[bytes] = []
    for line in lines:
        if header and is_continuation(line):
            header.append(line)
            continue
        if header:
            yield b"\n".join(header)
            header = []
        if is_content_header(line):
            header = [line]
        else:
            yield line
    if header:
        yield b"\n".join(header)


def is_continuation(line: bytes) -> bool:
    """Return whether the line continues the header above it."""
    return line.startswith((b" ", b"\t"))


def is_content_header(line: bytes) -> bool:
    return line[: len(CONTENT)].lower() == CONTENT


def cut_header(header: bytes, room: int) -> bytes:
    """Cut a header to size. It never ends in an empty line, which would end all headers."""
    if not is_content_header(header):
        return header if len(header) <= LONGEST_HEADER else header[:LONGEST_HEADER].rstrip()
    if len(header) <= min(LONGEST_TYPE, room) and header.count(b";") <= MAX_PARAMETERS:
        return header
    return header.partition(b";")[0][:LONGEST_TYPE].rstrip()
