"""A letter over SMTP, with bytes and addresses that are known to be good.

Instead of smtplib's `sendmail`, which takes addresses apart and looks at every line of a letter first. That took
longer than sending it. The words are the same, but that a letter in eight bits is called so (RFC 6152), and so are the
errors.
"""

from __future__ import annotations

from smtplib import SMTP, SMTPDataError, SMTPRecipientsRefused, SMTPSenderRefused

TAKEN, GO_ON = 250, 354  # SMTP's codes
TAKEN_TO_BE_SENT_ON = 251
END = b".\r\n"
LOOKED_THROUGH = 60  # seconds in which a server may look through a whole letter; RFC 5321 would give it ten minutes


def send(server: SMTP, sender: str, to: str, source: bytes) -> None:
    """Hand over a letter. After trouble whoever goes on with this server has to reset it."""
    server.ehlo_or_helo_if_needed()
    lines = source.replace(b"\r", b"").replace(b"\n", b"\r\n")  # no return of its own: to some it ends a line
    size = f" size={len(lines)}" if server.has_extn("size") else ""
    body = " body=8bitmime" if server.has_extn("8bitmime") and not source.isascii() else ""
    code, said = server.docmd("mail", f"FROM:<{sender}>{size}{body}")
    if code != TAKEN:
        raise SMTPSenderRefused(code, said, sender)
    code, said = server.docmd("rcpt", f"TO:<{to}>")
    if code not in (TAKEN, TAKEN_TO_BE_SENT_ON):
        raise SMTPRecipientsRefused({to: (code, said)})
    code, said = server.docmd("data")
    if code != GO_ON:
        raise SMTPDataError(code, said)
    server.send(lines.replace(b"\n.", b"\n..") + (END if lines.endswith(b"\n") else b"\r\n" + END))
    code, said = in_patience(server)
    if code != TAKEN:
        raise SMTPDataError(code, said)


def in_patience(server: SMTP) -> tuple[int, bytes]:
    """The answer to a whole letter: who hangs up before it comes sends twice what was taken."""
    assert server.sock is not None
    usual = server.sock.gettimeout()
    server.sock.settimeout(usual and max(usual, LOOKED_THROUGH))
    answer = server.getreply()
    server.sock.settimeout(usual)
    return answer
