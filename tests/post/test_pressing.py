"""A letter's bytes are those of Django's own message."""

import re
from itertools import product

import pytest
from django.core.mail import BadHeaderError, EmailMultiAlternatives

from beanpost.post import pressing
from beanpost.post.envelopes import enclose

HEAD = {
    "Subject": "Haricots with Bob",
    "From": "Beanpost <post@beans.example>",
    "To": "ann@example.org",
    "Reply-To": "turn+aaaa@in.beans.example",
    "Message-ID": "<1@beans.example>",
    "Date": "Mon, 16 Nov 2026 12:00:00 +0000",
    "List-Unsubscribe": f"<https://beans.example/{'u' * 80}/>, <mailto:{'u' * 60}@in.beans.example>",
}
CALENDAR = "BEGIN:VCALENDAR\r\nSUMMARY:{}\r\nEND:VCALENDAR\r\n"
WORDS = ["beans", "des haricots à l’étouffée", "x" * 1_200, "é" * 600]
SUBJECTS = [
    "Haricots",
    "Haricots avec Änn · 16 novembre",
    "beans and " * 12,
    "à " * 90,
    "b" * 200,
    "b,;" * 60,
    "=?utf-8?q?b?=",
]


def django_s_own(head, text, html, calendar):
    message = EmailMultiAlternatives(
        head["Subject"], text, head["From"], [head["To"]], headers=dict(list(head.items())[3:])
    )
    if html:
        message.attach_alternative(html, "text/html")
    if calendar:
        enclose(message, calendar)
    top, blank, body = message.message().as_bytes().partition(b"\n\n")
    return re.sub(rb": *\n +", b": ", top) + blank + body


def pressed(head, text, html, calendar):
    return pressing.pressed(head, text.encode(), html.encode(), calendar)


def without_boundaries(source):
    """Each is told by when it comes first."""
    found = dict.fromkeys(re.findall(rb"={15}\d{19}==", source))
    for number, boundary in enumerate(found):
        source = source.replace(boundary, b"boundary %d" % number)
    return source, len(found)


@pytest.mark.parametrize(("words", "html", "calendar"), [*product(WORDS, ["", "<p>{}</p>\n"], ["", CALENDAR])])
def test_the_parts_of_a_letter_are_as_django_has_them(words, html, calendar):
    parts = f"Dear Ann,\n\n{words}\n", html.format(words), calendar.format(words[:60])
    source, boundaries = without_boundaries(pressed(HEAD, *parts))
    assert (source, boundaries) == without_boundaries(django_s_own(HEAD, *parts))
    assert boundaries == bool(html) + bool(calendar)


@pytest.mark.parametrize(("words", "html", "calendar"), [*product(WORDS, ["", "<p>{}</p>\n"], ["", CALENDAR])])
def test_what_was_pressed_reads_back(words, html, calendar):
    text, html = f"Dear Ann,\n\n{words}\n", html.format(words)
    assert pressing.unpressed(pressed(HEAD, text, html, calendar)) == (text, html)


def test_in_nothing_nothing_stands():
    assert pressing.unpressed(b"") == ("", "")


@pytest.mark.parametrize("subject", SUBJECTS)
def test_headers_are_as_django_has_them(subject):
    head = HEAD | {"Subject": subject, "From": "Bohnenpöst <post@beans.example>", "To": "ann@bücher.example"}
    assert pressed(head, "x\n", "", "") == django_s_own(head, "x\n", "", "")


def test_a_header_has_one_line():
    with pytest.raises(BadHeaderError):
        pressing.header("To", "ann@example.org\nBcc: all@example.org")
