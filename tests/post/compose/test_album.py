"""Pictures travel with a letter, few and small, unless its reader wants none."""

import json
import re

import pytest
from anymail.backends.base_requests import AnymailRequestsBackend
from requests import Response

from beanpost.players.models import Player
from beanpost.post import pictures
from beanpost.post.compose.album import MAX_PICTURES, Album
from beanpost.post.compose.headers import ProviderMessage
from beanpost.post.deliver import sending
from beanpost.post.models import Letter
from tests.friends import NOON, seat_friends
from tests.post.gallery import deliver, weigh

pytestmark = pytest.mark.django_db


def turn_letter(slug: str, variant: str) -> Letter:
    seat_friends(slug, variant)
    deliver()
    letter = Letter.objects.filter(kind="turn").order_by("pk").last()
    assert letter
    return letter


GAMES = [("bohnanza", "standard"), ("fagioli", "standard"), ("haricots", "sprint"), ("pas_de_haricots", "one"),
         ("haricot_magique", "base")]  # fmt: skip


@pytest.mark.parametrize(("slug", "variant"), GAMES)
def test_every_picture_shown_is_a_part_of_the_mail(slug, variant):
    letter = turn_letter(slug, variant)
    shown = set(re.findall(r'src="cid:([0-9a-f]{32})@', letter.html))
    parts = set(re.findall(rb"Content-ID: <([0-9a-f]{32})@", letter.source))
    assert shown
    assert {name.encode() for name in shown} == parts
    assert len(shown) <= MAX_PICTURES
    assert weigh(letter) < 100_000
    assert len([part for part in ProviderMessage(letter).attachments if not isinstance(part, tuple)]) == len(shown)


def test_an_album_weighs_what_its_pictures_do_decoded():
    album = Album()
    assert album.weight == 0
    album.place_image(b"p" * 3_000, 32, 32)
    album.place_image(b"p" * 3_000, 32, 32)
    album.place_image(b"q" * 1_000, 32, 32)
    assert album.weight == 4_000


def test_a_reader_may_want_no_pictures():
    Player.objects.update(without_pictures=True)
    seat_friends()
    Player.objects.update(without_pictures=True)
    deliver()
    letter = Letter.objects.get(kind="turn")
    assert "<img" not in letter.html
    assert b"image/png" not in letter.source


def test_a_letter_shows_a_dozen_different_pictures_at_most():
    album = Album()
    images = [album.add_picture(*key.split("/")) for key in pictures.load_index()]
    assert sum(map(bool, images)) >= MAX_PICTURES
    assert len(album.used) == MAX_PICTURES


def test_symbols_of_another_package_are_drawn_with_the_letter(monkeypatch):
    monkeypatch.setattr(pictures, "load_index", dict)
    shown = Album()
    assert "<img" in shown.add_picture("bohnanza", "wax")
    assert all(png.startswith(b"\x89PNG") for png in shown.used.values())
    assert Album().add_picture("bohnanza", "no such bean") == Album().add_picture("no such game", "wax") == ""


@pytest.mark.parametrize(
    ("provider", "answer", "are_shown"),
    [
        ("postmark", {"ErrorCode": 0, "Message": "OK", "MessageID": "1", "To": ""}, True),
        ("mailgun", {"id": "<1@mail.example>", "message": "Queued. Thank you."}, True),
        ("brevo", {"messageId": "<1@mail.example>"}, False),
    ],
)
def test_a_provider_gets_pictures_if_its_api_takes_them(monkeypatch, settings, provider, answer, are_shown):
    settings.EMAIL_BACKEND = f"anymail.backends.{provider}.EmailBackend"
    settings.ANYMAIL = {f"{provider.upper()}_{key}": "secret" for key in ("API_KEY", "SERVER_TOKEN")}

    def accept(self, payload, message):
        response = Response()
        response.status_code, response._content = 200, json.dumps({**answer, "To": ", ".join(message.to)}).encode()
        return response

    monkeypatch.setattr(AnymailRequestsBackend, "post_to_esp", accept)
    seat_friends("bohnanza", "standard")
    sending.deliver(lambda: NOON)
    letter = Letter.objects.get(kind="turn")
    assert letter.state == Letter.State.SENT
    assert ('src="cid:' in letter.html) == are_shown
