"""What a provider tells of a mail, cut to size before anymail reads it.

Anymail builds a message from it with the standard library's modern parser, which reads addresses and parameters in
quadratic time and recurses into comments. The mail may stand anywhere in the call, whole or as single headers, so each
string is made safe by its shape. Attachments are left out: nobody here reads them, and attached mail would be parsed.
Only the parts of a delivery report or a complaint stay, which Postmark tells as attachments.
Of a mail that anymail fetches itself (Resend, Mailtrap, Amazon S3) nothing is cut; an error still does no harm.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from itertools import islice
from typing import Any

from django.http import HttpRequest, QueryDict, RawPostDataException

from beanpost.post.reading import safety

HARMLESS = 100  # letters: too short to take long, however they are read
LONGEST = 1_000  # letters of a header
MOST = 32_000  # letters in all headers together
MOST_ITEMS = 300  # of a list, or of an object
MOST_PEOPLE = 20  # of a list of people, which is put together into one header
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
BODIES = {  # what anymail keeps as text and does not parse
    "textbody", "htmlbody", "strippedtextreply", "body-plain", "body-html", "stripped-text", "stripped-html", "text",
    "html", "text-part", "html-part", "rawtextbody", "rawhtmlbody", "extractedmarkdownmessage",
}  # fmt: skip
ATTACHED = re.compile(r"(?:inline)?attachments?-?\d*|parts", re.I)
REPEATED = re.compile(r"resent-.*", re.I)  # the only headers with addresses that may stand in a mail many times
PACKED = {"message", "content", "email_rfc822"}  # where a whole mail may stand in base64
BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
HEADERS = "headers"
REPORTS = {"message/delivery-status", "message/feedback-report", "message/rfc822", "text/rfc822-headers"}
MOST_REPORTS = 5
BATCHES = ("", "items", "mandrill_events")  # several mails or reports in one call


class CutRequest:
    """A request as a webhook's view reads it, with what it tells cut to size."""

    def __init__(self, request: HttpRequest) -> None:
        self.request = request
        self.FILES: dict[str, Any] = {}
        self.POST = QueryDict(mutable=True, encoding=request.encoding)
        try:
            body = request.body
        except RawPostDataException:  # the signature of a form was checked by its fields
            body = b""
        cutter = Cutter()
        if request.content_type in FORMS:
            self.body = safety.cut(b"\n" + body)  # SendGrid's view looks there for texts in other charsets
            for name, values in request.POST.lists():
                self.POST.setlist(name, [cutter.text(value, name) for value in values])
        else:
            self.body = json.dumps(cutter.value(json.loads(body))).encode()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.request, name)


class Cutter:
    """Cuts the values of one call, and knows how much room is left for headers."""

    def __init__(self) -> None:
        self.room = MOST

    def value(self, value: Any, key: str = "") -> Any:
        match value:
            case dict():
                wanted = ((name, inner) for name, inner in value.items() if not is_left_out(name, inner))
                # A header may be called like a body.
                kept = {
                    name: self.value(inner, HEADERS if key.lower() == HEADERS else name)
                    for name, inner in islice(wanted, MOST_ITEMS)
                }
                return kept | ({"Attachments": reports(value["Attachments"])} if "Attachments" in value else {})
            case list():
                wanted_items = (item for item in value if not is_repeated(item))
                return [self.value(item, key) for item in islice(wanted_items, most_of(value, key))]
            case str():
                return self.text(value, key)
        return value

    def text(self, text: str, key: str) -> str:
        text = text.encode("utf-8", "replace").decode()
        if len(text) <= HARMLESS or key.lower() in BODIES:
            return text
        if text.lstrip()[:1] in ("{", "["):  # an object within an object, as Amazon sends it, or within a form
            try:
                return json.dumps(self.value(json.loads(text), key))
            except ValueError:
                pass
        if key.lower() in PACKED and BASE64.fullmatch("".join(text.split())):
            return b64encode(safety.cut(b64decode(text))).decode()
        if "\n" in text:  # a mail, or all its headers; a single header has one line
            return safety.cut(text.encode()).decode("utf-8", "replace")
        self.room -= len(text)
        return text[:LONGEST] if self.room >= 0 else ""


def reports(attachments: Any) -> list[dict[str, str]]:
    """Return those of Postmark's attachments that are parts of a report, each made safe.

    Brevo has a list of the same name, whose items bring no content: anymail would fetch it.
    """
    items = attachments if isinstance(attachments, list) else []
    items = [item for item in items if isinstance(item, dict) and "Content" in item]
    parts = [item for item in items if str(item.get("ContentType", "")).partition(";")[0].lower() in REPORTS]
    return [
        {
            "ContentType": str(part["ContentType"]).partition(";")[0],
            "Content": b64encode(safety.cut(b64decode(str(part["Content"])))).decode(),
        }
        for part in parts[:MOST_REPORTS]
    ]


def most_of(items: list[Any], key: str) -> int | None:
    """How many items of a list are kept; of a batch of events, all."""
    if key in BATCHES:
        return None
    return MOST_PEOPLE if any(isinstance(item, dict) and "Email" in item for item in items) else MOST_ITEMS


def is_left_out(name: str, value: Any) -> bool:
    return bool(REPEATED.fullmatch(name) or (ATTACHED.fullmatch(name) and isinstance(value, list | str)))


def is_repeated(item: Any) -> bool:
    """Whether an item of a list is a header that is left out: its name and its value."""
    name = item.get("Name") if isinstance(item, dict) else item[0] if isinstance(item, list) and item else ""
    return bool(REPEATED.fullmatch(str(name)))
