"""A letter's bytes: Django writes them, and they parse back to what was written."""

from email import message_from_bytes, policy
from email.generator import BytesGenerator
from io import BytesIO
from itertools import product

import pytest
from django.core.mail import BadHeaderError

from beanpost.post import mime, pictures

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
SUBJECTS = ["Haricots", "Haricots avec Änn · 16 novembre", "beans and " * 12, "à " * 90, "b" * 200, "=?utf-8?q?b?="]


@pytest.mark.parametrize(("words", "html", "calendar"), [*product(WORDS, ["", "<p>{}</p>\n"], ["", CALENDAR])])
def test_a_letters_parts_can_be_parsed_back(words, html, calendar):
    text, html, calendar = f"Dear Ann,\n\n{words}\n", html.format(words), calendar.format(words[:60])
    source = mime.build_message(HEAD, text, html, calendar)
    assert mime.split_parts(source) == (text, html, calendar.replace("\r\n", "\n"))
    assert source.isascii()
    assert max(map(len, source.split(b"\n"))) <= 998  # RFC 5322


@pytest.mark.parametrize(("subject", "html", "calendar"), [*product(SUBJECTS, ["", "<p>é</p>"], ["", CALENDAR])])
def test_a_letter_has_the_bytes_that_pythons_generator_writes(subject, html, calendar):
    source = mime.build_message(HEAD | {"Subject": subject.strip()}, "From here\n", html, calendar)
    written = BytesIO()
    BytesGenerator(written, mangle_from_=False, maxheaderlen=0).flatten(message_from_bytes(source))
    assert written.getvalue() == source


def test_an_empty_message_has_no_parts():
    assert mime.split_parts(b"") == ("", "", "")


@pytest.mark.parametrize("subject", SUBJECTS)
def test_headers_can_be_parsed_back(subject):
    head = HEAD | {"Subject": subject.strip(), "From": "Bohnenpöst <post@beans.example>"}
    source = mime.build_message(head, "x\n", "", "")
    assert source.partition(b"\n\n")[0].isascii()
    if subject.startswith("=?"):
        head["Subject"] = "b"  # such words are an encoding, to us as to everyone
    read = message_from_bytes(source, policy=policy.default)
    assert {name: str(read[name]) for name in head} == head


def test_a_long_link_stays_on_the_line_of_its_header():
    source = mime.build_message(HEAD, "x\n", "", "").decode()
    assert f"List-Unsubscribe: {HEAD['List-Unsubscribe']}\n" in source


def test_an_address_cannot_smuggle_a_header_in():
    with pytest.raises(BadHeaderError):
        mime.build_message(HEAD | {"To": "ann@example.org\nBcc: all@example.org"}, "x\n", "", "")


MARKED = HEAD | {"Message-ID": f"<{'a' * 39}@beans.example>"}
HTML = '<img src="cid:{}@pictures.beanpost">'


def ready() -> tuple[str, bytes]:
    name = pictures.load_index()["bohnanza/wax"]
    png = pictures.read_picture(name)
    assert png
    return name, png


@pytest.mark.parametrize("calendar", ["", CALENDAR])
def test_a_picture_of_the_set_is_stored_by_name_and_sent_whole(calendar):
    name, png = ready()
    stored = mime.build_message(MARKED, "x\n", HTML.format(name), calendar, {name: png})
    assert len(stored) < 2_000 + len(calendar)
    sent = mime.restore_pictures(stored)
    assert sent == mime.restore_pictures(stored)
    assert mime.split_parts(sent) == mime.split_parts(stored)
    [image] = [part for part in message_from_bytes(sent).walk() if part.get_content_maintype() == "image"]
    assert image.get_payload(decode=True) == png
    assert image["Content-ID"] == f"<{name}@pictures.beanpost>"
    assert "data:image/png;base64," in mime.render_for_browser(sent)


def test_a_picture_drawn_for_the_letter_is_stored_with_it():
    _, png = ready()
    drawn = png + b"another"
    stored = mime.build_message(MARKED, "x\n", "<p>", "", {pictures.name_picture(drawn): drawn})
    assert mime.restore_pictures(stored) == stored
    [image] = [part for part in message_from_bytes(stored).walk() if part.get_content_maintype() == "image"]
    assert image.get_payload(decode=True) == drawn


def test_a_typed_line_is_never_taken_for_a_picture():
    name, _ = ready()
    stored = mime.build_message(MARKED, f"picture {name} {'b' * 32}\n", "<p>", "")
    assert mime.restore_pictures(stored) == stored


def test_every_ready_picture_has_the_name_of_its_content():
    files = list(pictures.FOLDER.glob("*.png"))
    assert {file.stem for file in files} >= set(pictures.load_index().values())
    assert [file for file in files if pictures.name_picture(file.read_bytes()) != file.stem] == []
