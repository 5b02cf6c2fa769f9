"""Emails that nobody would write: built from fragments that once caused trouble, then mutated. Each has a number."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from random import Random

HEADERS = (
    "Subject", "From", "To", "Cc", "Bcc", "Reply-To", "Message-ID", "Date", "Received", "Content-Type",
    "Content-Disposition", "Content-Transfer-Encoding", "Content-ID", "MIME-Version", "Resent-To", "Delivered-To",
    "In-Reply-To", "References", "X-Mailer",
)  # fmt: skip
OF_MACHINES = (
    "Return-Path", "Auto-Submitted", "Precedence", "List-Id", "X-Failed-Recipients", "X-Autoreply", "X-Loop",
)  # fmt: skip
VALUES = (
    "Re: Haricots", "Bob <bob@example.org>", "<1@mail.example>", "Mon, 16 Nov 2026 12:00:00 +0000", "<>", "no", "bulk",
    "auto-replied", "auto-generated", "text/plain", "text/html; charset=utf-8", "text/plain; charset=nonsense",
    "text/plain; charset=utf-7", "multipart/mixed; boundary=x", "multipart/alternative; boundary=\"y\"",
    "multipart/digest; boundary=x", "multipart/report; report-type=delivery-status; boundary=x", "message/rfc822",
    "message/delivery-status", "message/partial; id=1", "base64", "quoted-printable", "x-uuencode", "7bit",
    "attachment; filename*0*=utf-8''%C3%A9; filename*1=b", "inline", "=?utf-8?q?R=C3=A9ponse?= =?x?b?////?=",
    "=?utf-8?b?a?=", "(a (b (c)))", "group: a@b, c@d;", "\"a\\\"b\" <a@b>", "failed", "dns; mail.example", "1.0", "",
)  # fmt: skip
LINES = (
    "up",
    "pass", "7", "7.", "play 6 6", "Bonjour,", "je passe", "2 et 3", "offer soy for *eye to D", "-- ",
    "> It is your turn.",
    "> > 7", "On Mon, 16 Nov 2026, Beanpost wrote:", "Le lun. 16 nov. 2026 à 12:00, Beanpost a écrit :",
    "From: Beanpost",
    "-----Original Message-----", "Sent from my iPhone", "Reply above this line / Répondez au-dessus", "", "", "--x",
    "--x--", "--y", "Action: failed", "Status: 5.1.1", "Final-Recipient: rfc822; bob@example.org",
    "Reporting-MTA: dns; x",
    "accept any gift of red beans", "stack eye eye", "=3D=C3=A9", "begin 644 a", "<p>pass</p>", "<blockquote>7",
    "<div style='display:none'>", "<!--", "&#x110000;", "\u202e7\ufeff", "7\ufe0f\u20e3", "option 2 please", "+1",
    "m1", "M 2", "m1 m2", "m9", "m12", "m3.", "(m2)", "play m1", "le m2", "m1 or m2", "m1. pass", "on the M4",
    "m999999", "m 1️⃣", "yes", "Yes, please.", "oui", "yes but", "After Ann:", "I'll answer tonight.", "Bob", "fold",
    "je me couche",
)  # fmt: skip
REPEATED = (
    ";", "(", ")", ",", "\"", "<", ">", "a@b,", " ", "\n", "\n ", "=?", "=?utf-8?q?a?= ", "; x=1", "a.", "\\", "[", ":",
    "--x\n", "\n\n", "a ", "2 ", "é", "\t", "A: b\n\n", "Content-Type: message/rfc822\n\n", "> ", "<div>", "&amp",
    "n° ", "m1 ", "m", "yes ", "thank you ",
    "Content-Type: multipart/mixed; boundary=x\n\n--x\n", "''", "%C3", "x*0*=a;", "\r", "\0", "play 6 ", "or ", "(a",
)  # fmt: skip
TYPICAL, HUGE = 60, 20_000


def made(number: int) -> bytes:
    """Build the email with this number."""
    some = Random(number)
    source = some.choices((plain, multipart, report, chaos), (5, 3, 1, 1))[0](some).encode("utf-8", "surrogateescape")
    for _ in range(some.choice((0, 0, 1, 2, 5))):
        source = some.choice(MUTATIONS)(source, some)
    return source


def plain(some: Random) -> str:
    return head(some) + "\n" + body(some)


def multipart(some: Random) -> str:
    parts = [f"--x\n{head(some, 3)}\n{body(some)}" for _ in range(some.choice((1, 2, 2, 3, 9)))]
    kind = some.choice(("mixed", "alternative", "related", "digest", "signed"))
    return f"{head(some)}Content-Type: multipart/{kind}; boundary=x\n\n" + "\n".join(parts) + "\n--x--\n"


def report(some: Random) -> str:
    blocks = "\n\n".join(lines(some, some.randrange(1, 5)) for _ in range(some.randrange(1, 4)))
    part = f"--x\nContent-Type: message/delivery-status\n\n{blocks}\n--x\nContent-Type: message/rfc822\n\n{plain(some)}"
    return f"{head(some)}Content-Type: multipart/report; boundary=x\n\n{part}\n--x--\n"


def chaos(some: Random) -> str:
    return "\n".join(some.choice((header, line, repeated))(some) for _ in range(some.randrange(1, 12)))


def head(some: Random, most: int = 9) -> str:
    return "".join(f"{header(some)}\n" for _ in range(some.randrange(most)))


def header(some: Random) -> str:
    value = some.choice(VALUES) if some.random() < 0.9 else some.choice(VALUES) + repeated(some)
    return f"{some.choice(HEADERS if some.random() < 0.96 else OF_MACHINES)}: {value}"


def body(some: Random) -> str:
    text = lines(some, some.choice((1, 2, 3, 8, 40)))
    return b64encode(text.encode("utf-8", "replace")).decode() if some.random() < 0.1 else text


def lines(some: Random, many: int) -> str:
    return "\n".join(line(some) for _ in range(many))


def line(some: Random) -> str:
    return some.choice(LINES) if some.random() < 0.97 else some.choice(LINES) + repeated(some)


def repeated(some: Random) -> str:
    most = HUGE if some.random() < 0.05 else TYPICAL
    return some.choice(REPEATED) * some.randrange(1, most)


# ── mutations ──


def place(source: bytes, some: Random) -> tuple[int, int]:
    start = some.randrange(len(source) + 1)
    return start, min(len(source), start + some.choice((1, 4, 30, 400)))


def flipped(source: bytes, some: Random) -> bytes:
    start, _ = place(source, some)
    return source[:start] + bytes([some.randrange(256)]) + source[start + 1 :]


def without(source: bytes, some: Random) -> bytes:
    start, end = place(source, some)
    return source[:start] + source[end:]


def doubled(source: bytes, some: Random) -> bytes:
    start, end = place(source, some)
    times = 2_000 if some.random() < 0.05 else some.randrange(2, 9)
    return (source[:start] + source[start:end] * times + source[end:])[:250_000]


def with_more(source: bytes, some: Random) -> bytes:
    start, _ = place(source, some)
    return source[:start] + repeated(some).encode("utf-8", "surrogateescape") + source[start:]


def moved(source: bytes, some: Random) -> bytes:
    (start, end), (to, _) = place(source, some), place(source, some)
    return source[:to] + source[start:end] + source[to:]


def with_network_lines(source: bytes, some: Random) -> bytes:
    return source.replace(b"\n", some.choice((b"\r\n", b"\r", b"\n\r", b"\n ")))


MUTATIONS: tuple[Callable[[bytes, Random], bytes], ...] = (
    flipped, without, doubled, with_more, moved, with_network_lines,
)  # fmt: skip
