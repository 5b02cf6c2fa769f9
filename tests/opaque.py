"""The opaque values in letters, pages and exports: they differ between two worlds that must otherwise look the
same.
Each is keyed, signed or random, and always of the same length, so neither it nor the length of its text reveals
anything.
"""

from __future__ import annotations

import re

TICKET = r"(?<=/)[A-Za-z0-9_.-]+:[A-Za-z0-9]+:[A-Za-z0-9_-]{43}(?=/)"
DIGEST = r"\b[0-9a-f]{64}\b"  # digests, commitments, seals and nonces
MARK = r"\b[0-9a-f]{32}(?=@)"  # Message-IDs and the first Message-ID of a thread
REPLY = r"(?<=turn\+)[a-z2-7]{39}(?=@)"  # the token in a reply address
BOUNDARY = r"={15}\d{19}=="  # boundaries between the parts of a message
CSRF = r"(?<=name=\"csrfmiddlewaretoken\" value=\")\w{64}"
CODE = r"(?<=/match/)[\w-]{12}(?=/)|\b[\w-]{12}(?=\.localhost>)"

OPAQUE = re.compile(f"{TICKET}|{DIGEST}|{MARK}|{REPLY}|{BOUNDARY}|{CSRF}|{CODE}")


def masked(text: str) -> str:
    """Return the text with a placeholder of the same length for every opaque value.
    >>> masked("line 3 · " + 64 * "a")[:12]
    'line 3 · ░░░'
    """
    return OPAQUE.sub(lambda found: "░" * len(found[0]), text)
