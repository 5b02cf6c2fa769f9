"""The house's own postbox, spoken to over real sockets. What is stored, and what follows, is tested elsewhere."""

import os
import smtplib
import socket
from smtplib import LMTP, SMTP

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.test import override_settings

from beanpost.post import inbox, postbox
from beanpost.post.addresses import TURN, address
from tests.friends import NOON
from tests.post.answering import DOMAIN, with_replies
from tests.post.postbox import free_port


@pytest.fixture(scope="module")
def port():
    with with_replies():
        number = free_port()
        with postbox.opened([f"lmtp://127.0.0.1:{number}"], lambda: NOON):
            yield number


@pytest.fixture
def caller(port):
    with with_replies(), LMTP("127.0.0.1", port) as caller:
        caller.ehlo("mail.example")
        yield caller


def test_an_address_that_we_have_signed_is_taken_one_at_a_time(caller):
    assert caller.mail("bob@example.org")[0] == 250
    assert caller.rcpt(address(TURN, 41))[0] == 250
    assert caller.rcpt(address(TURN, 42))[0] == 452


def test_mail_from_nobody_is_taken_too(caller):
    """Bounces and automatic answers come so. They are told apart when they are read."""
    assert caller.mail("")[0] == 250
    assert caller.rcpt(address(TURN, 41))[0] == 250


@pytest.mark.parametrize("to", [f"post@{DOMAIN}", f"turn+{'a' * 39}@{DOMAIN}", "ann@example.org", f"turn@{DOMAIN}"])
def test_nobody_else_is_reached_there(caller, to):
    caller.mail("bob@example.org")
    code, said = caller.rcpt(to)
    assert (code, said) == (550, b"5.1.1 Nobody is reached at this address.")


def test_too_much_is_refused_before_it_is_sent_and_after(caller):
    assert caller.mail("bob@example.org", [f"SIZE={inbox.LARGEST + 1}"])[0] == 552
    caller.mail("bob@example.org")
    caller.rcpt(address(TURN, 41))
    assert caller.data(b"x" * 70 + b"\r\n" + (b"y" * 70 + b"\r\n") * (inbox.LARGEST // 72 + 1))[0] == 552


def test_what_cannot_be_stored_now_is_to_be_sent_again_later(caller):
    """No database is to be had here."""
    caller.mail("bob@example.org")
    caller.rcpt(address(TURN, 41))
    assert caller.data(b"Subject: Re\r\n\r\npass\r\n" + b"z" * 20_000)[0] == 451


def test_a_connection_that_has_died_is_no_reason_to_send_a_reply_back(caller, monkeypatch):
    def dead():
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(postbox, "close_old_connections", dead)
    caller.mail("bob@example.org")
    caller.rcpt(address(TURN, 41))
    assert caller.data(b"Subject: Re\r\n\r\npass\r\n")[0] == 451


def test_it_listens_on_a_socket_of_the_file_system_and_speaks_smtp(tmp_path):
    left_behind = tmp_path / "post.sock"
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(left_behind))
    places = [f"lmtp://{left_behind}", f"smtp://127.0.0.1:{(number := free_port())}"]
    with with_replies(), postbox.opened(places, lambda: NOON):
        with LMTP(str(left_behind)) as caller:
            assert caller.ehlo("mail.example")[0] == 250
        with SMTP("127.0.0.1", number) as caller, pytest.raises(smtplib.SMTPRecipientsRefused):
            caller.sendmail("bob@example.org", ["ann@example.org"], "pass")


@pytest.mark.parametrize(
    "place", ["127.0.0.1:25", "http://127.0.0.1:25", "lmtp://127.0.0.1", "lmtp://", "lmtp://x:99999"]
)
def test_what_is_no_socket_is_refused_with_a_sentence(place):
    with (
        override_settings(INBOUND_DOMAIN=DOMAIN, POSTBOX=[place]),
        pytest.raises(CommandError, match="names no socket"),
    ):
        call_command("postbox")


def test_without_a_domain_there_is_no_postbox():
    with (
        override_settings(INBOUND_DOMAIN="", POSTBOX=["lmtp://127.0.0.1:1"]),
        pytest.raises(CommandError, match="needs"),
    ):
        call_command("postbox")


def test_our_own_mail_server_may_speak_to_a_socket_whatever_our_umask(tmp_path):
    usual = os.umask(0o077)
    try:
        with with_replies(), postbox.opened([f"lmtp://{tmp_path}/post.sock"], lambda: NOON):
            assert (tmp_path / "post.sock").stat().st_mode & 0o777 == 0o666
    finally:
        os.umask(usual)
