"""Letters that ask nothing: replies to them get a short answer with the letter's link, and do nothing."""

import re
from datetime import timedelta
from html import unescape

import pytest

from beanpost.play.models import Event
from beanpost.play.tickets import AddressTicket, sign
from beanpost.players.models import Player
from beanpost.post.models import Letter, Reply
from beanpost.post.outbox import queue
from beanpost.post.receive import inbox, replies
from beanpost.site.links import link
from tests.friends import gather
from tests.post.answering import (
    DOMAIN,
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
from tests.post.gallery import deliver, write_every_kind

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


def test_every_letter_has_its_own_reply_address():
    for kind, written in write_every_kind().items():
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
    said = "Thank you for writing back, but we can’t read replies to that letter. Please use the letter’s link:"
    assert said in " ".join(notice.text.split())
    assert head(notice)["Auto-Submitted"] == "auto-replied"
    assert head(notice)["References"] == "<hello@mail.example>"
    assert not letter.match.events.filter(origin=Event.Origin.PLAYER).exists()


OUR_ADDRESS = f"post@{DOMAIN}"  # the mail server passes on what comes to our From address


def write_to_our_address(letter, text, *, sender="bob@example.org", **headers):
    """Reply with a program that ignores Reply-To, as s-nail and alpine do."""
    named = {"To": "post@127.0.0.1", "In_Reply_To": head(letter)["Message-ID"]} | headers
    inbox.receive(mail(letter, text, **named), OUR_ADDRESS, sender=sender, now=LATER)
    replies.read_waiting(lambda: LATER)
    return Reply.objects.last()


def test_a_reply_to_our_from_address_gets_the_letters_link_and_plays_nothing(letter):
    assert outcome(write_to_our_address(letter, "pass")) == "answer unsigned"
    notice = sent("links_only")
    assert (notice.recipient, links_in(notice)[0]) == (letter.recipient, links_in(letter)[0])
    said = "your email program wrote to post@127.0.0.1, where we can’t read replies. Please use the letter’s link:"
    assert said in " ".join(notice.text.split())
    assert not letter.match.events.filter(origin=Event.Origin.PLAYER).exists()


def test_a_thread_that_names_one_of_our_letters_is_enough(letter):
    thread = f"<other@mail.example> {head(letter)['Message-ID']} <reply@mail.example>"
    assert write_to_our_address(letter, "pass", In_Reply_To="<reply@mail.example>", References=thread).letter == letter


@pytest.mark.parametrize("named", ["", "<hello@mail.example>", f"<{'a' * 39}@127.0.0.1>"])
def test_other_mail_to_our_from_address_is_dropped(letter, named):
    assert write_to_our_address(letter, "Hello, who are you?", In_Reply_To=named) is None


def test_automatic_mail_to_our_from_address_gets_no_answer(letter):
    assert outcome(write_to_our_address(letter, "Got it", Precedence="bulk")) == "leave automatic"
    assert not Letter.objects.filter(kind="links_only").exists()


def test_an_answer_to_mail_at_our_from_address_goes_to_the_letters_reader_at_most_five_times_an_hour(letter):
    found = [outcome(write_to_our_address(letter, f"pass {n}", sender=f"x{n}@evil.example")) for n in range(7)]
    assert found == ["answer unsigned"] * 5 + ["leave unsigned"] * 2
    deliver(LATER)
    assert set(Letter.objects.filter(kind="links_only").values_list("recipient__name", flat=True)) == {"Bob"}


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
