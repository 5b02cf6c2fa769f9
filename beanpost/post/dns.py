"""Asking a name server: TXT and MX records, which the standard library does not look up.

Just enough of RFC 1035 for `manage.py postcheck`: one question, over UDP, and over TCP where the answer is too long.
"""

from __future__ import annotations

import os
import re
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

KINDS = {"TXT": 16, "MX": 15}
TIMEOUT = 5
TRUNCATED = 0x0200
NO_SUCH_NAME = 3


class NoAnswer(Exception):
    """The name server did not answer, or could not: nothing is known."""


def name_server(file: Path = Path("/etc/resolv.conf")) -> str:
    """The first one this machine is told to ask."""
    found = re.search(r"^nameserver\s+(\S+)", file.read_text() if file.exists() else "", re.MULTILINE)
    return found[1] if found else "127.0.0.1"


def look_up(name: str, kind: str, *, server: str = "", port: int = 53) -> list[str]:
    """The texts of all such records; none, if there is no such name."""
    number = os.urandom(2)
    question = number + struct.pack(">HHHHH", 0x0100, 1, 0, 0, 0) + in_labels(name) + struct.pack(">HH", KINDS[kind], 1)
    try:
        answer = ask(question, server or name_server(), port)
        if answer[:2] != number or answer[3] & 15 not in (0, NO_SUCH_NAME):
            raise NoAnswer
        return list(records(answer, kind))
    except (OSError, struct.error, IndexError, UnicodeError) as trouble:
        raise NoAnswer from trouble


def ask(question: bytes, server: str, port: int) -> bytes:
    family = socket.AF_INET6 if ":" in server else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as line:
        line.settimeout(TIMEOUT)
        line.connect((server, port))
        line.send(question)
        answer = line.recv(4096)
    if struct.unpack_from(">H", answer, 2)[0] & TRUNCATED:
        return ask_at_length(question, server, port)
    return answer


def ask_at_length(question: bytes, server: str, port: int) -> bytes:
    with socket.create_connection((server, port), timeout=TIMEOUT) as line, line.makefile("rb") as incoming:
        line.sendall(struct.pack(">H", len(question)) + question)
        return incoming.read(struct.unpack(">H", incoming.read(2))[0])


def in_labels(name: str) -> bytes:
    r"""A name as it travels.

    >>> in_labels("beans.example")
    b'\x05beans\x07example\x00'
    """
    labels = [label.encode("idna") for label in name.strip(".").split(".")]
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def records(answer: bytes, kind: str) -> Iterator[str]:
    """What the answer holds of this kind. Names it was led through on the way (CNAME) are passed over."""
    questions, answers = struct.unpack_from(">HH", answer, 4)
    at = 12
    for _ in range(questions):
        at = after_name(answer, at) + 4
    for _ in range(answers):
        at = after_name(answer, at)
        found, _class, _ttl, length = struct.unpack_from(">HHIH", answer, at)
        at += 10
        if found == KINDS[kind]:
            yield text_at(answer, at, length) if kind == "TXT" else exchanger_at(answer, at)
        at += length


def text_at(answer: bytes, at: int, length: int) -> str:
    """A text, which travels in pieces of at most 255 bytes."""
    pieces, end = [], at + length
    while at < end:
        size = answer[at]
        pieces.append(answer[at + 1 : at + 1 + size])
        at += 1 + size
    return b"".join(pieces).decode("utf-8", "replace")


def exchanger_at(answer: bytes, at: int) -> str:
    preference = struct.unpack_from(">H", answer, at)[0]
    return f"{preference} {'.'.join(labels_at(answer, at + 2)) or '.'}"


def labels_at(answer: bytes, at: int, hops: int = 0) -> Iterator[str]:
    """The labels of a name; a pointer leads on to where the rest was written before."""
    while size := answer[at]:
        if size & 0xC0:
            if hops > 20:  # it leads in a circle
                raise NoAnswer
            yield from labels_at(answer, struct.unpack_from(">H", answer, at)[0] & 0x3FFF, hops + 1)
            return
        yield answer[at + 1 : at + 1 + size].decode("ascii", "replace")
        at += 1 + size


def after_name(answer: bytes, at: int) -> int:
    while size := answer[at]:
        if size & 0xC0:
            return at + 2
        at += 1 + size
    return at + 1
