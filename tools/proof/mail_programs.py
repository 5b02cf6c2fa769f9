"""Replies as six mail programs write them, for the trial of the mail server."""

from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import make_msgid

ABOVE = "{words}\n\n{intro}\n{quoted}\n"
BELOW = "{intro}\n{quoted}\n\n{words}\n"
STYLES = {
    "neomutt": (ABOVE, "On Thu, Nov 19, 2026 at 02:05:03PM +0000, Beanpost wrote:", "> "),
    "alpine": (ABOVE, "On Thu, 19 Nov 2026, Beanpost wrote:\n", "> "),
    "aerc": (ABOVE, "On Thu Nov 19, 2026 at 2:05 PM UTC, Beanpost wrote:", "> "),
    "s-nail": (ABOVE, "Beanpost wrote in\n <{id}>:", " |"),
    "Roundcube": (BELOW, "On 2026-11-19 14:05, Beanpost wrote:", "> "),
    "Thunderbird": (BELOW, "On 19/11/2026 14:05, Beanpost wrote:", "> "),
}


def write_reply(letter: EmailMessage, program: str, words: str, to: str) -> EmailMessage:
    shape, intro, mark = STYLES[program]
    quoted = "\n".join(mark + line for line in read_text(letter).splitlines())
    reply = EmailMessage()
    reply["From"], reply["To"], reply["Subject"] = letter["To"], to, f"Re: {letter['Subject']}"
    reply["Message-ID"] = make_msgid(domain="players.example")
    reply["In-Reply-To"] = letter["Message-ID"]
    reply["References"] = f"{letter['References'] or ''} {letter['Message-ID']}".strip()
    intro = intro.format(id=letter["Message-ID"].strip("<>"))
    reply.set_content(shape.format(words=words, intro=intro, quoted=quoted))
    return reply


def read_text(letter: EmailMessage) -> str:
    body = letter.get_body(("plain",))
    return str(body.get_content()).replace("\r\n", "\n") if body else ""


def parse(source: bytes) -> EmailMessage:
    return message_from_bytes(source, EmailMessage, policy=policy.default)
