"""Letters that ask nothing: replies to them get a short answer with the letter's link, and do nothing."""

import re
from datetime import timedelta
from html import unescape

import pytest

from beanpost.play.models import Event
from beanpost.play.tickets import AddressTicket, sign
from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.post.outbox import queue
from beanpost.site.links import link
from tests.friends import gather
from tests.post.answering import (
    LATER,
    address,
    answer,
    bobs_first_letter,
    head,
    mail,
    nested,
    outcome,
    put_in,
    with_replies,
)
from tests.post.gallery import deliver, write_every_game, write_every_kind

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def replies_come_in():
    with with_replies():
        yield


@pytest.fixture
def letter():
    return bobs_first_letter()


def sent(kind: str, now=LATER) -> Letter:
    deliver(now)
    return Letter.objects.filter(kind=kind, state=Letter.State.SENT).latest("pk")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_letter_has_its_own_reply_address(language):
    for kind, written in (write_every_kind(language) | write_every_game(language)).items():
        assert head(written)["Reply-To"] == address(written), kind


def links_in(letter: Letter) -> list[str]:
    return re.findall(r"^https?://\S+$", letter.text, re.M)


def test_an_answer_to_a_letter_that_asks_nothing_gets_one_sentence_with_its_link(letter):
    started = Letter.objects.get(kind="started", recipient__name="Ann")
    assert outcome(answer(started, "pass", Message_ID="<hello@mail.example>")) == "answer links"
    notice = sent("links_only")
    assert (notice.recipient, notice.address) == (started.recipient, "ann@example.org")
    assert links_in(notice)[0] == links_in(started)[0]
    assert links_in(started)[0] in unescape(notice.html)
    said = "Thank you for writing back, but we can’t read replies to that letter. Please use its link:"
    assert said in " ".join(notice.text.split())
    assert head(notice)["Auto-Submitted"] == "auto-replied"
    assert head(notice)["References"] == "<hello@mail.example>"
    assert not letter.match.events.filter(origin=Event.Origin.PLAYER).exists()


def test_an_answer_to_a_letter_whose_text_is_erased_leads_to_the_home_page(letter):
    started = Letter.objects.get(kind="started", recipient__name="Ann")
    started.body.delete()
    answer(started, "Hello?")
    assert links_in(sent("links_only"))[0] == link("home")


def test_automatic_mail_to_a_letter_that_asks_nothing_gets_no_answer(letter):
    started = Letter.objects.get(kind="started", recipient__name="Ann")
    assert outcome(answer(started, "Got it", Precedence="bulk")) == "leave automatic"
    assert outcome(put_in(started, mail(started, "Got it too"), sender="<>")) == "leave automatic"
    assert not Letter.objects.filter(kind="links_only").exists()


def test_an_unconfirmed_address_gets_the_sentence_once_a_day_and_has_agreed_to_nothing():
    match = gather()
    Player.objects.update(confirmed_at=None)
    deliver()
    invitation = Letter.objects.filter(kind="invitation", state=Letter.State.SENT).first()
    assert outcome(answer(invitation, "Yes, gladly!")) == "answer links"
    assert outcome(answer(invitation, "Did you get it?")) == "leave links"
    notice = sent("links_only")  # at once, although an unconfirmed address gets one letter a day
    assert links_in(notice)[0] == links_in(invitation)[0]
    assert outcome(answer(notice, "Thanks")) == "leave links"
    assert outcome(answer(invitation, "And today?", now=LATER + DAY)) == "answer links"
    invited = match.places.get(player=invitation.recipient)
    assert (invited.confirmed_at, invited.player.confirmed_at) == (None, None)


def test_an_answer_to_a_letter_for_another_address_goes_there_alone(letter):
    player = letter.recipient
    change = sign(AddressTicket(player.pk, player.sessions, player.address, "new@beans.example"))
    queue.queue(player, "address", "address/1", {"to": "new@beans.example", "ticket": change}, now=LATER)
    asked = sent("address")
    assert outcome(answer(asked, "Yes, that is me")) == "answer links"
    notice = sent("links_only")
    assert (notice.address, links_in(notice)) == ("new@beans.example", links_in(asked)[:1])


def test_a_mail_that_breaks_on_a_letter_that_asks_nothing_gets_the_sentence_too(letter):
    started = Letter.objects.get(kind="started", recipient__name="Ann")
    put_in(started, nested(started, 300))
    assert sent("links_only").recipient == started.recipient
