"""Trim a provider's webhook before anymail parses the mail in it.

Anymail builds a message from it with the standard library's modern parser, which reads addresses and parameters in
quadratic time and recurses into comments. The mail may be anywhere in the call, whole or as single headers, so each
string is made safe by its shape. Attachments are left out: nothing here reads them, and attached mail would be parsed.
Only the parts of a delivery report or a complaint stay, which Postmark sends as attachments.
Mail that anymail would fetch itself (Resend, Mailtrap, Amazon SES) is refused: it can't be cut first (webhooks.py).
"""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from itertools import islice
from typing import Any

from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest, QueryDict, RawPostDataException

from beanpost.post.receive import excerpt
from beanpost.post.reply_parser import limits
from beanpost.post.reply_parser.mail import CHARSET

SHORT_VALUE = 100  # characters: too short to take long, however they are parsed
MAX_VALUE = 1_000  # characters in a header
MAX_BODY = 32_000  # characters in all headers together
MAX_ITEMS = 300  # in a list or an object
MAX_PEOPLE = 20  # in a list of people, which becomes one header
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
BODIES = {  # kept as text by anymail, not parsed
    "textbody", "htmlbody", "strippedtextreply", "body-plain", "body-html", "stripped-text", "stripped-html", "text",
    "html", "text-part", "html-part", "rawtextbody", "rawhtmlbody", "extractedmarkdownmessage",
}  # fmt: skip
ATTACHED = re.compile(r"(?:inline)?attachments?-?\d*|parts", re.I)
REPEATED = re.compile(r"resent-.*", re.I)  # the only headers with addresses that may occur many times in a mail
PACKED = {"message", "content", "email_rfc822"}  # fields that may hold a whole mail in base64
BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
HEADERS = "headers"
REPORTS = {"message/delivery-status", "message/feedback-report", "message/rfc822", "text/rfc822-headers"}
MAX_REPORTS = 5
BATCHES = ("", "items", "mandrill_events")  # several mails or reports in one request


class TrimmedRequest:
    """A request as a webhook's view reads it, with its values trimmed."""

    def __init__(self, request: HttpRequest) -> None:
        self.request = request
        self.FILES: dict[str, Any] = {}
        self.POST = QueryDict(mutable=True, encoding=request.encoding)
        try:
            body = request.body
        except RawPostDataException:  # a form's signature was checked by its fields
            body = b""
        trimmer = Trimmer()
        if request.content_type in FORMS:
            self.body = cut_mail(b"\n" + body)  # SendGrid's view reads texts in other charsets here
            for name, values in request.POST.lists():
                self.POST.setlist(name, [trimmer.text(value, name) for value in values])
            if "charsets" in self.POST:
                self.POST["charsets"] = keep_known_charsets(str(self.POST["charsets"]))
        else:
            self.body = json.dumps(trimmer.value(json.loads(body))).encode()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.request, name)


class SkipFiles(FileUploadHandler):
    """Skip the files of a form while it is read: nothing here reads attachments."""

    def new_file(self, *args: Any, **values: Any) -> None:
        raise SkipFile

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        return None

    def file_complete(self, file_size: int) -> None:
        return None


class Trimmer:
    """Trim the values of one request within one limit for all its headers."""

    def __init__(self) -> None:
        self.room = MAX_BODY

    def value(self, value: Any, key: str = "") -> Any:
        match value:
            case dict():
                wanted = ((name, inner) for name, inner in value.items() if not is_left_out(name, inner))
                # A header may have the same name as a body.
                kept = {
                    name: self.value(inner, HEADERS if key.lower() == HEADERS else name)
                    for name, inner in islice(wanted, MAX_ITEMS)
                }
                return kept | ({"Attachments": keep_reports(value["Attachments"])} if "Attachments" in value else {})
            case list():
                wanted_items = (item for item in value if not is_repeated(item))
                return [self.value(item, key) for item in islice(wanted_items, find_item_limit(value, key))]
            case str():
                return self.text(value, key)
        return value

    def text(self, text: str, key: str) -> str:
        text = text.encode("utf-8", "replace").decode()
        if len(text) <= SHORT_VALUE:
            return text
        if key.lower() in BODIES:
            return text[: limits.MAX_BYTES]
        if text.lstrip()[:1] in ("{", "["):  # JSON inside JSON, as Amazon sends it, or inside a form
            try:
                return json.dumps(self.value(json.loads(text), key))
            except ValueError:
                pass
        if key.lower() in PACKED and BASE64.fullmatch("".join(text.split())):
            return b64encode(cut_mail(b64decode(text))).decode()
        if "\n" in text:  # a mail or all its headers; a single header has one line
            return cut_mail(text.encode()).decode("utf-8", "replace")
        self.room -= len(text)
        return text[:MAX_VALUE] if self.room >= 0 else ""


def cut_mail(source: bytes) -> bytes:
    """Return a whole mail without most of its pictures, and safe to parse."""
    return limits.cut_to_size(excerpt.cut(source))


def keep_known_charsets(charsets: str) -> str:
    """Return SendGrid's charsets without those that are not known in mail. Python's punycode, say, is quadratic.

    >>> keep_known_charsets('{"text": "ISO-8859-1", "html": "punycode", "subject": 7}')
    '{"text": "ISO-8859-1"}'
    """
    named = json.loads(charsets)
    return json.dumps({field: name for field, name in named.items() if CHARSET.fullmatch(str(name))})


def keep_reports(attachments: Any) -> list[dict[str, str]]:
    """Return those of Postmark's attachments that are parts of a report, each made safe.

    Brevo has a list of the same name whose items have no content: anymail would fetch it.
    """
    items = attachments if isinstance(attachments, list) else []
    items = [item for item in items if isinstance(item, dict) and "Content" in item]
    parts = [item for item in items if str(item.get("ContentType", "")).partition(";")[0].lower() in REPORTS]
    return [
        {
            "ContentType": str(part["ContentType"]).partition(";")[0],
            "Content": b64encode(cut_mail(b64decode(str(part["Content"])))).decode(),
        }
        for part in parts[:MAX_REPORTS]
    ]


def find_item_limit(items: list[Any], key: str) -> int | None:
    """Return how many items of a list to keep. A batch of events is kept whole."""
    if key in BATCHES:
        return None
    return MAX_PEOPLE if any(isinstance(item, dict) and "Email" in item for item in items) else MAX_ITEMS


def is_left_out(name: str, value: Any) -> bool:
    return bool(REPEATED.fullmatch(name) or (ATTACHED.fullmatch(name) and isinstance(value, list | str)))


def is_repeated(item: Any) -> bool:
    """Whether a list item, a pair of name and value, is a header to drop."""
    name = item.get("Name") if isinstance(item, dict) else item[0] if isinstance(item, list) and item else ""
    return bool(REPEATED.fullmatch(str(name)))
