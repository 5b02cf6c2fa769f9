"""The outcome of a reply: it plays, gets a friendly answer, or is left alone. It never costs the turn."""

import itertools
import re
from datetime import timedelta
from threading import Barrier, Thread

import pytest
import time_machine
from django.conf import settings
from django.db import connection
from django.test import override_settings
from django.utils import translation

from beanpost.play import load
from beanpost.play.display import scene
from beanpost.play.models import Event, Match, Order
from beanpost.play.seats import own_seat, takeover, votes
from beanpost.play.tickets import MoveTicket, redeem
from beanpost.play.turns import house_lines, standing_orders
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post import tasks
from beanpost.post.compose import menus
from beanpost.post.models import Letter, Reply
from beanpost.post.outbox import claims, retention, wake_up
from beanpost.post.outbox.addresses import NoSuchAddress
from beanpost.post.receive import inbox, replies
from beanpost.post.reply_parser.mail import parse_mail
from beanpost.post.reply_parser.sent_letter import MARKER
from tests.friends import NOON
from tests.post.answering import (
    ANN,
    BOB,
    CLEO,
    DOMAIN,
    DORA,
    LATER,
    address,
    answer,
    bobs_first_letter,
    haricots,
    head,
    long_menu,
    mail,
    market,
    nested,
    newest,
    outcome,
    planting,
    put_in,
    say,
    stacking,
    with_replies,
)
from tests.post.gallery import deliver, play_on, printed_moves

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("replies_come_in")]
DAY = timedelta(days=1)


@pytest.fixture
def replies_come_in():
    with with_replies():
        yield


@pytest.fixture
def letter():
    """A letter to Bob, who may play anything."""
    return bobs_first_letter()


def sent(kind: str, now=LATER) -> Letter:
    deliver(now)
    return Letter.objects.get(kind=kind, state=Letter.State.SENT)


# ── letters that can be answered ──


def test_a_turn_letter_has_its_own_reply_address_and_says_how_to_answer(letter):
    assert head(letter)["Reply-To"] == address(letter)
    assert letter.text.startswith(MARKER)
    assert MARKER in letter.html
    assert "You can also reply by email" in letter.text
    assert "We can’t read replies" not in letter.text + letter.html


def test_other_letters_cannot_be_answered_and_say_so(letter):
    other = Letter.objects.get(kind="started", recipient__name="Ann")
    assert MARKER not in other.text + other.html
    assert "We can’t read replies to this letter" in " ".join(other.text.split())


def test_replies_are_not_offered_without_a_domain():
    with override_settings(INBOUND_DOMAIN=""):
        letter = bobs_first_letter()
        assert head(letter)["Reply-To"] is None
        assert MARKER not in letter.text + letter.html
        assert "We can’t read replies to this letter" in " ".join(letter.text.split())


# ── moves ──


def test_a_mark_plays_the_move_printed_beside_it(letter):
    assert outcome(answer(letter, "m7")) == "say play 6 6"
    event = Event.objects.filter(match=letter.match, seat=BOB).latest("seq")
    assert event.origin == Event.Origin.PLAYER
    assert not Letter.objects.filter(kind__in=("answer", "unheard")).exists()


@pytest.mark.parametrize(
    "text",
    [
        "If Ann plays a 5\nm4",
        "Don't play this:\nm4",
        "Wait, don't play\nm4",
        "m4\nunless Ann plays a 5",
        "Cancel my\nm4",
    ],
)
def test_a_sentence_that_goes_on_in_another_line_is_asked_about(letter, text):
    assert outcome(answer(letter, text)) == "answer unclear"


@pytest.mark.parametrize(
    "text", ["Not a bad hand!\nm4", "I don't know.\nm4", "m4\nNo hurry", "No problem, Ann,\n\nm4\n\nBob"]
)
def test_a_sentence_that_ends_before_a_move_does_not_hinder_it(letter, text):
    assert outcome(answer(letter, text)) == "say play 4 4"


def test_marks_have_no_gaps_when_a_letter_leaves_moves_out():
    letter = newest(long_menu(), BOB)
    printed = re.findall(r"^(m\d+)\. (.+)$", letter.text, re.MULTILINE)
    assert [mark for mark, _ in printed] == [option["mark"] for option in letter.options]
    assert len(printed_moves(letter)) == menus.MAX_PRINTED
    last = printed_moves(letter)[-1]
    assert f"m20. {last['label']} " in " ".join(letter.text.split())
    assert re.search(r">m20 · Play \d+</a>", letter.html)
    assert last["mark"] == "m20"
    assert outcome(answer(letter, "m20")) == "answer costly"


def test_the_same_email_twice_plays_once(letter):
    source = mail(letter, "pass")
    first = put_in(letter, source)
    assert put_in(letter, source) == first
    assert inbox.receive(source.replace(b"pass", b"fold"), address(letter), sender="", now=LATER) is False
    assert Reply.objects.count() == 1


def test_a_mark_plays_what_was_printed_whatever_is_offered_since():
    match, bob = market()
    letter = newest(match, bob)
    [printed] = [option["mark"] for option in printed_moves(letter) if option["line"] == "no deal"]
    say(match, DORA, "offer *green for nothing to B")
    assert scene.build_scene(match, bob).question.options[int(printed[1:]) - 1].line != "no deal"
    assert outcome(answer(letter, printed)) == "say no deal"


def test_a_mark_plays_what_was_printed_even_if_the_letter_was_resent_elsewhere():
    match, bob = market()
    letter = newest(match, bob)
    say(match, DORA, "offer *green for nothing to B")
    accounts.change_address(letter.recipient, "bob@beans.example")
    claims.resend([letter], LATER)
    again = newest(match, bob)
    assert again != letter
    [printed] = [option for option in printed_moves(letter) if option["line"] == "no deal"]
    assert printed not in again.options
    assert outcome(answer(letter, printed["mark"])) == "say no deal"


def test_a_suggested_trade_is_offered_by_its_mark_once_per_letter():
    match, bob = market()
    letter = newest(match, bob)
    printed = next(option for option in printed_moves(letter) if option["line"].startswith("offer"))
    assert outcome(answer(letter, printed["mark"])) == f"say {printed['line']}"
    assert outcome(answer(letter, printed["label"])) == "answer repeated"


def test_an_offer_is_made_once_per_letter():
    match, bob = market()
    letter = newest(match, bob)
    assert outcome(answer(letter, "offer soy for *eye to D")) == "say offer soy for *eye to D"
    assert outcome(answer(letter, "Offer soy for *eye to D!")) == "answer repeated"
    say(match, bob, "withdraw 1")
    say(match, DORA, "offer *green for nothing to B")
    fresh = newest(match, bob, LATER + timedelta(minutes=70))
    assert fresh != letter
    assert outcome(answer(fresh, "OFFER soy for *eye to D")) == "say offer soy for *eye to D"


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
@pytest.mark.parametrize(("seat", "line"), [(BOB, "offer chili for *eye to D"), (DORA, "offer *eye for garden to A")])
def test_the_example_offer_in_a_letter_can_be_sent_back(seat, line, language):
    match, _ = market()
    Player.objects.update(language=language)
    letter = newest(match, seat)
    with translation.override(language):
        example = scene.build_scene(match, seat).question.example
    assert example in " ".join(letter.text.split())
    assert "<" not in letter.text
    assert outcome(answer(letter, example, From=letter.recipient.address)) == f"say {line}"


def test_a_stack_is_composed_by_reply():
    match, seat = stacking()
    dice = scene.build_scene(match, seat).view.dice
    aimed = " ".join([f"{dice[0]}@-1", *dice[1:]])
    assert outcome(answer(newest(match, seat), f"stack {aimed}")) == f"say stack {aimed}"


def test_a_player_who_plays_by_email_gets_the_next_question_at_once():
    match, dora = planting()
    answer(newest(match, dora), "plant garden in 1")
    following = newest(match, dora)
    assert [option["line"] for option in printed_moves(following)][-1] == "reveal"
    assert outcome(answer(following, "reveal")) == "say reveal"


# ── friendly answers ──


def test_an_unreadable_reply_is_answered_with_the_options_and_costs_nothing(letter):
    before = letter.match.waits.get().due_at
    reply = answer(letter, "<b>Good luck</b> {{ scene.table }} & all", Message_ID="<b1@mail.example>")
    assert outcome(reply) == "answer unread"
    kind = sent("answer")
    assert kind.address == "bob@example.org"
    assert [option["line"] for option in kind.options] == [option["line"] for option in letter.options]
    assert "“<b>Good luck</b> {{ scene.table }} & all”" in kind.text
    assert "&lt;b&gt;Good luck&lt;/b&gt; {{ scene.table }} &amp; all" in kind.html
    assert "It’s still your turn" in kind.text
    assert letter.match.waits.get().due_at == before
    assert outcome(answer(kind, "m7")) == "say play 6 6"  # and the answer can be answered


def test_a_reply_that_resembles_an_order_is_answered_with_the_three_nearest(letter):
    nearest = "Pass on every turn of round 1"
    assert outcome(answer(letter, "Hi there,\n\npass on each turn of round 1 ok\n\nBob")) == "answer unread"
    kind = sent("answer")
    offered = (
        kind.text.partition("If you meant a standing order")[2].partition("\n\n")[2].split("\n\n")[0].split("- ")[1:]
    )
    assert len(offered) == 3
    assert offered[0].strip() == nearest
    assert nearest in kind.html
    assert "“pass on each turn of round 1 ok”" in kind.text
    answer(kind, offered[0])
    assert [order.line for order in Order.objects.all()] == ["always pass in round 1"]


def test_a_greeting_is_answered_without_orders(letter):
    answer(letter, "Hello Bob, nice to see you, how are you?")
    assert "send back one of these" not in sent("answer").text


def test_an_answer_is_marked_as_automatic_and_stays_in_its_thread(letter):
    answer(letter, "Good luck", Message_ID="<b1@mail.example>")
    kind = head(sent("answer"))
    assert kind["Auto-Submitted"] == "auto-replied"
    assert kind["References"].split() == [head(letter)["References"], "<b1@mail.example>"]
    assert kind["Subject"] == head(letter)["Subject"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("play sixes", "- m8. Play 6 6 6 (worth 18)"),
        ("4", "- m3. Play 4"),
        ("8", "Was it this move? If so, reply just “yes” to this letter"),
        ("play 15", "You don’t have 15"),
        ("40", "We don’t understand “40”."),
        ("\n", "none of your own words above our letter"),
        ("Sent from my iPhone", "none of your own words above our letter"),
        ("-- \nBob\n\npass", "or your signature"),
        ("I resign", "resign or get fewer letters, use the links at the bottom of this letter."),
    ],
)
def test_an_answer_gives_the_reason(letter, text, reason):
    answer(letter, text)
    assert reason in " ".join(sent("answer").text.split())


def test_an_answer_is_not_sent_when_the_question_was_answered_meanwhile(letter):
    answer(letter, "Good luck")
    answer(letter, "pass")
    deliver(LATER)
    assert Letter.objects.get(kind="answer").state == Letter.State.DROPPED


def test_answers_are_rate_limited(letter):
    for n in range(8):
        put_in(letter, mail(letter, f"Good luck {n}"), sender=f"bob{n}@example.org")
    assert Letter.objects.filter(kind="answer").count() == 5
    assert outcome(Reply.objects.latest("pk")) == "leave unread"
    assert outcome(answer(letter, "pass")) == "say pass"  # a move is still played


# ── too late ──


def test_the_answer_to_a_late_reply_says_what_was_played_and_what_can_be_done_now(letter):
    answer(letter, "play 6 6")
    assert outcome(answer(letter, "fold")) == "answer repeated"
    notice = sent("unheard")
    assert "You played 6 6, worth 12." in notice.text
    assert "We’re now waiting for Cleo." in notice.text
    assert "Let a standing order play for you:" in notice.text
    assert "[7]" not in notice.text + notice.html  # no hand
    assert notice.options == []
    assert head(notice)["Reply-To"] == address(notice)
    assert head(notice)["Auto-Submitted"] == "auto-replied"


def test_a_late_reply_of_a_player_who_is_asked_again_links_to_the_question(letter):
    for seat in (BOB, CLEO, ANN):
        say(letter.match, seat, "pass")
    answer(letter, "play 6 6")
    notice, shown = sent("unheard"), scene.build_scene(letter.match, BOB)
    assert f"Your turn now: {shown.question.text}" in " ".join(notice.text.split())
    [ticket] = {redeem(MoveTicket, link) for link in re.findall(r"/move/([^/]+)/", notice.text + notice.html)}
    assert (ticket.seat, ticket.question) == (BOB, shown.wait.opened)


def test_the_answer_to_a_late_reply_can_be_resent(letter):
    answer(letter, "play 6 6")
    answer(letter, "fold")
    claims.resend([sent("unheard")], LATER)
    assert sent("unheard")


def test_a_reply_after_the_end_is_answered_with_that_fact(letter):
    play_on(letter.match)
    assert outcome(answer(letter, "pass")) == "answer over"
    assert "no longer in progress" in sent("unheard").text


def test_a_letter_forwarded_by_mistake_can_no_longer_be_answered(letter):
    own_seat.renew_links(letter.match.places.get(seat=BOB))
    assert outcome(answer(letter, "pass")) == "answer void"
    notice = sent("unheard")
    assert "/move/" not in notice.text
    assert letter.match.events.filter(seat=BOB).count() == 0


def test_a_player_whose_seat_was_given_away_plays_no_more(letter):
    match, bob = letter.match, letter.match.places.get(seat=BOB)
    house_lines.substitute_bot(load.lock_match(match.pk), bob, Event.Origin.CLOCK, LATER)
    offered = votes.offer_seat(match.pk, BOB, "zoe@example.org", now=LATER)
    takeover.take_over(offered, offered.player, now=LATER)
    assert outcome(answer(letter, "pass")) == "answer void"
    assert sent("unheard").address == "bob@example.org"


# ── machines ──


@pytest.mark.parametrize(
    ("headers", "sender"),
    [
        ({"Auto_Submitted": "auto-generated"}, "bob@example.org"),
        ({"Precedence": "bulk"}, "bob@example.org"),
        ({"X_Loop": "beans"}, "bob@example.org"),
        ({}, "<>"),
    ],
)
def test_automatic_emails_are_never_answered(letter, headers, sender):
    reply = put_in(letter, mail(letter, "pass", **headers), sender=sender)
    assert outcome(reply) == "leave automatic"
    assert not Letter.objects.filter(kind__in=("answer", "unheard", "away_offer")).exists()
    assert not letter.match.events.filter(seat=BOB).exists()


def test_an_email_with_auto_submitted_no_is_a_persons(letter):
    assert outcome(answer(letter, "pass", Auto_Submitted="no")) == "say pass"


def test_an_out_of_office_reply_is_shown_to_the_keeper_and_offered_as_away_days(letter):
    for n in range(2):
        reply = answer(letter, f"Gone fishing. {n}", Auto_Submitted="auto-replied")
        assert outcome(reply) == "leave away"
    assert sent("away_offer").recipient.name == "Bob"
    shown = sent("away_seen")
    assert shown.recipient == letter.match.keeper
    assert "Bob seems to be away" in shown.text
    assert "fishing" not in shown.text + shown.html


# ── storing, waking, sweeping ──


def test_the_sweep_reads_replies_that_were_stored_and_never_read(letter):
    inbox.receive(mail(letter, "pass"), address(letter), sender="", now=NOON)
    with time_machine.travel(LATER, tick=False):
        tasks.read()
        tasks.read()
    assert outcome(Reply.objects.get()) == "say pass"
    assert letter.match.events.filter(seat=BOB).count() == 1


def test_a_reply_that_causes_an_error_is_retried_and_then_answered(letter):
    whole = letter.asked
    Letter.objects.filter(pk=letter.pk).update(asked=whole | {"strange": 1})
    reply = answer(letter, "pass")
    assert (reply.state, reply.error) == (Reply.State.WAITING, "TypeError")
    assert replies.read_waiting(lambda: LATER) == 0  # not at once
    for n in range(1, 4):
        replies.read_waiting(lambda later=n: LATER + later * DAY)
    reply.refresh_from_db()
    assert outcome(reply) == "answer fault"
    assert "Something went wrong and we couldn’t read your email" in sent("answer", LATER + 4 * DAY).text


def test_a_reply_that_another_reader_has_read_is_left_unchanged(letter):
    reply = answer(letter, "pass")
    replies.note_error(reply.pk, "OperationalError")
    replies.set_aside(reply.pk, LATER)
    reply.refresh_from_db()
    assert (outcome(reply), reply.attempts, reply.error) == ("say pass", 1, "")


def test_a_reply_plays_after_a_temporary_error(letter):
    whole = letter.asked
    Letter.objects.filter(pk=letter.pk).update(asked=whole | {"strange": 1})
    answer(letter, "pass")
    Letter.objects.filter(pk=letter.pk).update(asked=whole)
    replies.read_waiting(lambda: LATER + DAY)
    assert outcome(Reply.objects.get()) == "say pass"


def test_an_email_to_an_unsigned_address_is_not_accepted(letter):
    for to in (
        f"turn@{DOMAIN}",
        f"turn+abc@{DOMAIN}",
        address(letter).replace(DOMAIN, "other.example"),
        "",
        "x" * 5_000,
    ):
        with pytest.raises(NoSuchAddress):
            inbox.receive(b"pass", to, sender="", now=NOON)
    letter_id = letter.pk
    Letter.objects.filter(pk=letter_id).update(match=None)
    with pytest.raises(NoSuchAddress):
        inbox.receive(b"pass", address(Letter(pk=letter_id + 1_000)), sender="", now=NOON)
    assert not Reply.objects.exists()


MALFORMED = [
    b"",
    b"\x00\xff" * 500,
    b"\n" * 9,
    b"Content-Type: multipart/mixed; boundary=x\n\n--x\n",
    b"Subject: =?x?q?" + b"=FF" * 900 + b"?=\n\nhi",
    b"Content-Type: text/html\n\n<<<>&#x;<p",
    b"Content-Type: text/plain; charset=\xff\nContent-Transfer-Encoding: base64\n\n====",
]


@pytest.mark.parametrize("source", MALFORMED)
def test_a_malformed_email_does_no_harm(letter, source):
    assert outcome(put_in(letter, source)) == "answer unread"


@pytest.mark.parametrize(("depth", "becomes"), [(15, "say pass"), (100, "answer unread"), (1_500, "answer unread")])
def test_an_email_nested_too_deeply_is_answered_like_one_without_a_move(letter, depth, becomes):
    reply = put_in(letter, nested(letter, depth))
    assert (outcome(reply), reply.attempts, reply.error) == (becomes, 1, "")


@pytest.mark.parametrize(
    "head",
    [
        b"Subject: Re: =?utf-8?B?a?=",
        b"Content-Type: text/plain; charset=idna",
        b"Content-Type: text/plain; charset=undefined",
        b'Content-Type: text/plain; charset="utf\0"',
    ],
)
def test_a_move_is_read_whatever_the_headers_of_its_email(letter, head):
    assert outcome(put_in(letter, head + b"\n\npass\n")) == "say pass"


@pytest.mark.parametrize("kind", ["message/rfc822", "multipart/digest", "text/plain; name=x.txt"])
@pytest.mark.parametrize(("own", "becomes"), [("Look what Ann wrote", "answer unread"), ("m7", "say play 6 6")])
def test_an_email_attached_to_a_reply_is_not_its_writers_own_text(letter, kind, own, becomes):
    attached = {
        "message/rfc822": "\n\nFrom: ann@example.org\n\npass\n",
        "multipart/digest": "; boundary=y\n\n--y\n\nFrom: ann@example.org\n\npass\n--y--\n",
    }.get(kind, "\n\npass\n")
    source = f"Content-Type: multipart/mixed; boundary=x\n\n--x\n\n{own}\n--x\nContent-Type: {kind}{attached}--x--\n"
    assert outcome(put_in(letter, source.encode())) == becomes


@pytest.mark.parametrize("charset", ["us-ascii", "ASCII", "ansi_x3.4-1968", "iso646-us"])
@pytest.mark.parametrize("written_in", ["utf-8", "cp1252"])
def test_text_that_is_falsely_declared_as_ascii_is_read(letter, charset, written_in):
    head = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit\n\n"
    reply = put_in(letter, head.encode() + "Je passe, s’il vous plaît, désolé !\n".encode(written_in))
    assert outcome(reply) == "say pass"


@pytest.mark.parametrize(
    ("charset", "text"), [("iso-8859-1", "désolé"), ("windows-1251", "привет"), ("gb2312", "联通"), ("koi8-r", "ход")]
)
def test_any_other_declared_charset_is_trusted(charset, text):
    head = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit\n\n"
    assert parse_mail(head.encode() + text.encode(charset)).text == text


@pytest.mark.parametrize("text", ["up", "Face up", "Visible", "m7\nup", "m1\nup"])
def test_an_incomplete_market_move_is_answered_without_an_error(text):
    match, bob = market()
    letter = newest(match, bob)
    reply = answer(letter, text)
    assert (reply.error, reply.attempts) == ("", 1)
    assert outcome(reply) in ("answer unread", "answer refused", f"say {letter.options[0]['line']}")


def test_a_long_run_hands_over_to_a_new_task(letter, monkeypatch):
    """The new task answers requests for letters first: people who sign in don't wait for slow replies."""
    for n in range(3):
        inbox.receive(mail(letter, f"Well {n}"), address(letter), sender="", now=NOON)
    moments, woken = itertools.count(), []
    monkeypatch.setattr(wake_up.READERS, "call", lambda: woken.append(True))
    replies.read_waiting(lambda: LATER + next(moments) * replies.LONGEST_RUN)
    assert Reply.objects.filter(state=Reply.State.WAITING, attempts=0).count() == 2
    replies.read_waiting(lambda: LATER)
    assert not Reply.objects.filter(state=Reply.State.WAITING).exists()
    assert woken == [True]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_simultaneous_readers_read_a_reply_once():
    letter = bobs_first_letter()
    inbox.receive(mail(letter, "pass"), address(letter), sender="", now=NOON)
    together_now, read = Barrier(2), []

    def look() -> None:
        together_now.wait()
        read.append(replies.read_waiting(lambda: LATER))
        connection.close()

    readers = [Thread(target=look) for _ in range(2)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert sorted(read) == [0, 1]
    assert letter.match.events.filter(seat=BOB).count() == 1


def test_the_text_of_replies_is_deleted_with_the_letters(letter):
    reply = answer(letter, "pass")
    play_on(Match.objects.get(pk=letter.match_id))
    assert retention.erase_contents(NOON + retention.KEPT) == 0
    retention.erase_contents(NOON + 2 * retention.KEPT)
    reply.refresh_from_db()
    assert (bytes(reply.source), reply.sender, reply.finding) == (b"", "", "move")


def test_a_reply_is_read_in_the_players_language():
    match, bob = haricots()
    Player.objects.update(language="fr")
    letter = newest(match, bob)
    [label] = [option["label"] for option in letter.options if option["line"] == "pass"]
    assert outcome(answer(letter, label)) == "say pass"


# ── orders ──


def test_an_order_sent_back_is_given_and_shown_to_its_owner_only():
    match, seat = market()
    reply = answer(newest(match, seat), "Hello\n\nAccept any gift of red beans, please.")
    assert outcome(reply) == "answer unread"  # everything the admin shows
    order = match.orders.get()
    assert (order.seat, order.line) == (seat, "accept any gift of red")
    text = " ".join(newest(match, seat).text.split())
    assert "We’ve got your order, Bob" in text
    assert "Nothing has been played" not in text  # the order may have moved
    assert "- Accept any gift of red beans" in text
    others = match.letters.exclude(recipient__name="Bob")
    assert not any("gift of red" in letter.text for letter in others)


def test_an_order_sent_back_in_french_acts_at_once():
    match, seat = haricots()
    Player.objects.filter(name="Bob").update(language="fr")
    answer(newest(match, seat), "Passer à chaque tour de la manche 1")
    assert match.orders.get().line == "always pass in round 1"
    assert match.events.filter(seat=seat).exists()


def test_a_resigned_player_gives_no_orders():
    match, seat = market()
    letter = newest(match, seat)
    house_lines.forfeit(match, match.places.get(seat=seat), Event.Origin.PLAYER, NOON)
    assert match.waits.filter(seat=seat, opened=letter.asked["question"]).exists()  # a bot may still answer it
    assert outcome(answer(letter, "Accept any gift of red beans")) == "answer late"
    assert not match.orders.exists()


def test_an_order_beyond_the_limit_is_refused_with_the_reason():
    match, seat = market()
    for turn in range(standing_orders.MAX_ORDERS):
        standing_orders.give_order(
            match.places.get(seat=seat), f"close in turn {turn + 50} when everybody is through", now=NOON
        )
    answer(newest(match, seat), "Accept any gift of red beans")
    assert match.orders.count() == standing_orders.MAX_ORDERS
    text = " ".join(newest(match, seat).text.split())
    assert "You can have up to 12 orders at a time. Cancel one first." in text
