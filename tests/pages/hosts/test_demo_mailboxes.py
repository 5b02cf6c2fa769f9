"""The demo's mailboxes: a whole match can be played from them, and no other site has them."""

import re

import pytest
from django.urls import NoReverseMatch, reverse

from beanpost.pages.hosts import demo_mailboxes
from beanpost.play import clock
from beanpost.play.models import Match
from beanpost.players import accounts
from beanpost.post import mime
from beanpost.post.deliver import sending
from beanpost.post.models import Letter
from tests.browser import fold_space
from tests.friends import NOON, gather, seat_friends
from tests.pages.gallery import every_letter_page
from tests.pages.table import asked, press

pytestmark = pytest.mark.django_db
in_the_demo = [pytest.mark.urls("tests.pages.demo_urls"), pytest.mark.usefixtures("demo")]


def text(response) -> str:
    return response.content.decode()


@pytest.fixture
def match():
    seated = seat_friends(now=clock.now())
    sending.deliver(clock.now)
    return seated


def test_a_site_outside_the_demo_has_no_mailboxes(client):
    for path in ("/letters/", "/letters/ann/", "/letters/ann/1/", "/letters/ann/1/source/"):
        assert client.get(path).status_code == 404
    with pytest.raises(NoReverseMatch):
        reverse("letters")


@pytest.mark.urls("tests.pages.demo_urls")
@pytest.mark.usefixtures("demo")
def test_a_guest_has_no_mailbox(client):
    client.post(reverse("try"), {"game": "haricots"})
    assert demo_mailboxes.list_mailboxes() == []
    assert client.get(reverse("mailbox", args=["guest"])).status_code == 404


def test_a_deleted_player_has_no_mailbox():
    ann, _ = (accounts.get_or_create_player(f"{name}@example.org", name=name, now=NOON) for name in ("Ann", "Bob"))
    accounts.erase_player(ann, "A player", now=NOON)
    assert [box.name for box in demo_mailboxes.list_mailboxes()] == ["bob"]


class TestInTheDemo:
    pytestmark = in_the_demo

    def test_the_front_page_links_to_anns_letters(self, client, match):
        assert 'href="/letters/ann/">Open Ann’s letters</a>' in text(client.get("/"))
        assert client.get("/letters/ann/").status_code == 200

    def test_a_mailbox_says_which_player_the_table_waits_for(self, client, match):
        shown = asked(match)
        assert shown.place is not None
        for place in match.places.all():
            page = text(client.get(f"/letters/{place.name.lower()}/"))
            assert ("needs an answer" in page) == (place.seat == shown.reader)
            assert ("No tables are waiting for" in page) == (place.seat != shown.reader)

    def test_letters_that_need_an_answer_come_first(self, client, match):
        another = seat_friends("haricots", "basic", now=clock.now())
        sending.deliver(clock.now)
        assert asked(another).place.player == asked(match).place.player
        Letter.objects.filter(match=match).update(sent_at=NOON)  # older than the other
        name = asked(match).place.name.lower()
        press(another, now=clock.now())
        page = text(client.get(f"/letters/{name}/"))
        shown = re.findall(r"<li( class=\"open\")?><a href=\"[^\"]+\"><strong>Your turn<", page)
        assert shown == [' class="open"', ""]

    def test_a_player_who_is_asked_again_gets_the_letter_at_once(self, client, match):
        alone = gather(bots=2)
        alone.refresh_from_db()
        press(alone, now=clock.now())  # the bots answer at once
        sending.deliver(clock.now)
        assert asked(alone).place.name == "Ann"
        assert Letter.objects.filter(match=alone, kind="turn", state="sent").latest("pk").values["again"]
        assert 'class="open"' in text(client.get("/letters/ann/"))

    def test_a_letter_can_be_seen_as_text_as_html_and_as_sent(self, client, match):
        pages = every_letter_page(match)
        letter = Letter.objects.filter(kind="turn", state="sent").latest("pk")
        assert "shadowrootmode" in text(client.get(pages["letter"]))
        assert 'href="http' in text(client.get(pages["letter as text"]))
        assert client.get(pages["letter as HTML"]).content.decode() == fold_space(
            mime.render_for_browser(letter.source)
        )
        source = client.get(pages["letter as sent"])
        assert source.content == bytes(letter.source)
        assert source.headers["Content-Type"].startswith("text/plain")

    def test_a_letters_headings_are_below_its_subject(self, client, match):
        pages = every_letter_page(match)
        assert re.findall(r"<h(\d)", text(client.get(pages["letter"])))[:3] == ["1", "2", "3"]
        assert re.findall(r"<h(\d)", text(client.get(pages["letter as HTML"])))[:2] == ["1", "2"]

    def test_times_are_formatted_as_on_every_page(self, client, match):
        Letter.objects.update(sent_at=NOON)
        pages = every_letter_page(match)
        assert "12:00<" in text(client.get(pages["mailbox"]))
        for name in ("mailbox", "letter"):
            page = text(client.get(pages[name], headers={"Accept-Language": "fr"}))
            assert "12\N{NO-BREAK SPACE}h\N{NO-BREAK SPACE}00<" in page

    def test_only_letter_pages_allow_inline_styles(self, client, match):
        pages = every_letter_page(match)
        loose = {name for name, path in pages.items() if "unsafe-inline" in policy(client.get(path))}
        assert loose == {"letter", "letter as HTML"}
        assert all("script-src 'self';" in policy(client.get(path)) for path in pages.values())

    def test_a_whole_match_can_be_played_by_following_links_only(self, client, match, settings):
        for _ in range(10):
            boxes = text(client.get("/letters/"))
            name = re.search(r'href="(/letters/\w+/)"[^>]*><strong>\w+</strong>\s*<span[^>]*>has a move', boxes)
            if name is None:
                break
            letter = re.search(r'class="open"><a href="([^"]+)"', text(client.get(name[1])))
            assert letter
            moves = re.findall(
                rf'class="button[^"]*" href="{settings.SITE_URL}(/move/[^"]+)"', text(client.get(letter[1]))
            )
            played = client.post(moves[-1])  # folding is the quickest way to the end
            assert re.search(r"Open \w+’s letters", text(played))
            sending.deliver(clock.now)
        match.refresh_from_db()
        assert match.phase == Match.Phase.ENDED
        assert "Result" in text(client.get("/letters/ann/"))

    def test_a_letter_that_is_being_written_is_announced(self, client, match):
        client.post(reverse("move", args=[asked(match).question.options[0].ticket]))
        name = str(asked(match).place).lower()
        assert "A letter is being written." in text(client.get(f"/letters/{name}/"))

    @pytest.mark.parametrize("name", ["Zoë", "Jean-Luc P.", "ann", "…", "李"])
    def test_every_player_has_a_mailbox_whatever_their_name(self, name, client, match):
        somebody = accounts.get_or_create_player("somebody@example.org", name=name, now=NOON)
        boxes = re.findall(r'href="(/letters/[^"]+/)"', text(client.get("/letters/")))
        assert len(set(boxes)) == 4
        assert any(f"<h1>{somebody.name}’s letters</h1>" in text(client.get(box)) for box in boxes)

    @pytest.mark.parametrize("path", ["/letters/nobody/", "/letters/ann/999/", "/letters/%00/", "/letters/nobody/1/"])
    def test_an_unknown_mailbox_or_letter_is_not_found(self, path, client, match):
        assert client.get(path).status_code == 404

    def test_a_letter_is_not_found_in_another_mailbox(self, client, match):
        letter = Letter.objects.filter(recipient__name="Ann", state="sent").latest("pk")
        assert client.get(f"/letters/ann/{letter.pk}/").status_code == 200
        assert client.get(f"/letters/bob/{letter.pk}/").status_code == 404


def policy(response) -> str:
    return response.headers["Content-Security-Policy"] + ";"
