"""Tell `play` that a letter was late or bounced."""

from __future__ import annotations

from datetime import datetime

from beanpost.play.timekeeping import mail_credits
from beanpost.post import preferences
from beanpost.post.models import Letter


def credit_late_letter(letter: Letter, now: datetime) -> None:
    """Give back time if the mail server accepted the first letter about a question late. Resent letters don't count."""
    if letter.sent_at is None and now - letter.created_at > mail_credits.TOLERATED_DELAY:
        for match, opened in preferences.find_first_told_questions(letter):
            mail_credits.credit_late_letter(match, letter.recipient, opened, promised=letter.created_at, now=now)


def credit_bounce(letter: Letter, now: datetime) -> None:
    """Stop the seat's clock for a while when a letter was permanently refused or bounced."""
    if letter.match:
        mail_credits.credit_bounce(letter.match, letter.recipient, opened=letter.values.get("opened"), now=now)
    for match, opened in preferences.find_first_told_questions(letter) if letter.kind == "digest" else ():
        mail_credits.credit_bounce(match, letter.recipient, opened=opened, now=now)
