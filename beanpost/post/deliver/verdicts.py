"""Tell whose refusal an error of sending is: the recipient's mailbox, the relay we send through, or nobody's for now.

5.1.x, 5.2.x, or refused at RCPT without such a code   the recipient's: the letter is given up
5.7.x, any other permanent answer, a failed sign-in    the relay's: retried like a temporary error, blamed on nobody
everything else                                        temporary: retried
"""

from __future__ import annotations

import re
from smtplib import SMTPRecipientsRefused, SMTPResponseException, SMTPServerDisconnected

from anymail.exceptions import AnymailAPIError, AnymailRecipientsRefused

from beanpost.post.reply_parser import bounces

REFUSED_FOR_GOOD = 500  # SMTP codes from here on are permanent
REFUSED_BY_API = range(400, 500)  # HTTP statuses of a provider that takes no letter of this kind, or none of ours
TOO_SLOW, TOO_FAST = 408, 429  # the two that are temporary
ENHANCED = re.compile(r"\s*([245]\.\d{1,3}\.\d{1,3})\b")
OF_RECIPIENT = re.compile(r"5\.(1\.(?![78]$)|2\.)")  # 5.1.7 and 5.1.8 are about the sender's address


def read_answer(error: Exception) -> tuple[int, str]:
    """Return the server's code and text; 0 and "" for errors without an answer. A letter has one recipient."""
    match error:
        case SMTPRecipientsRefused():
            [(code, text)] = error.recipients.values()
            return code, text.decode("ascii", "replace")
        case SMTPResponseException(smtp_code=code, smtp_error=answer):
            return code, answer.decode("ascii", "replace") if isinstance(answer, bytes) else answer
        case AnymailAPIError():
            return error.status_code or 0, ""
    return 0, ""


def find_enhanced_code(error: Exception) -> str:
    """Return the code such as 5.7.1 (RFC 3463), or ""."""
    found = ENHANCED.match(read_answer(error)[1])
    return found[1] if found else ""


def name_error(error: Exception) -> str:
    """Return the error's class and codes. Its message may hold a player's cards."""
    code, _ = read_answer(error)
    return " ".join(filter(None, [type(error).__name__, str(code or ""), find_enhanced_code(error)]))


def is_of_recipient(error: Exception) -> bool:
    """Return whether the recipient's mailbox refused the letter for good."""
    if read_answer(error)[0] < REFUSED_FOR_GOOD or not isinstance(error, SMTPRecipientsRefused | SMTPResponseException):
        return isinstance(error, AnymailRecipientsRefused)
    if enhanced := find_enhanced_code(error):
        return OF_RECIPIENT.match(enhanced) is not None
    return isinstance(error, SMTPRecipientsRefused)


def is_of_relay(error: Exception) -> bool:
    """Return whether the relay refused the letter for good, as it may refuse every other."""
    code, _ = read_answer(error)
    if isinstance(error, AnymailAPIError):
        return code in REFUSED_BY_API and code not in (TOO_SLOW, TOO_FAST) and not is_of_recipient(error)
    return code >= REFUSED_FOR_GOOD and not is_of_recipient(error)


def is_mailbox_full(error: Exception) -> bool:
    return bounces.is_mailbox_full(read_answer(error)[1])


def is_too_fast(error: Exception) -> bool:
    """Return whether a provider's rate limit is reached. Then the rest of this run waits too."""
    return isinstance(error, AnymailAPIError) and error.status_code == TOO_FAST


def is_broken(error: Exception) -> bool:
    """Return whether the server has hung up, perhaps because of this letter."""
    return isinstance(error, SMTPServerDisconnected)
