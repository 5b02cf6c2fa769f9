"""Our own LMTP and SMTP server over real sockets. Other files test what is stored and what follows."""

import os
import smtplib
import socket
import time
from smtplib import LMTP, SMTP

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.test import override_settings

from beanpost.post.outbox.addresses import TURN, build_address
from beanpost.post.receive import inbox, mail_server
from tests.friends import NOON
from tests.post.answering import DOMAIN, with_replies
from tests.post.postbox import free_port


@pytest.fixture(scope="module")
def port():
    with with_replies():
        number = free_port()
        with mail_server.open_listeners([f"lmtp://127.0.0.1:{number}"], lambda: NOON):
            yield number


@pytest.fixture
def connect(port):
    """Open a connection from an address of this machine, and return it with its first answer."""
    opened = []

    def call(source="127.0.0.1"):
        opened.append(call := socket.create_connection(("127.0.0.1", port), timeout=10, source_address=(source, 0)))
        return call, call.recv(100)[:3]

    yield call
    for call in opened:
        call.close()


@pytest.fixture
def caller(port):
    with with_replies(), LMTP("127.0.0.1", port) as caller:
        caller.ehlo("mail.example")
        yield caller


def test_a_signed_address_is_accepted_one_at_a_time(caller):
    assert caller.mail("bob@example.org")[0] == 250
    assert caller.rcpt(build_address(TURN, 41))[0] == 250
    assert caller.rcpt(build_address(TURN, 42))[0] == 452


def test_the_from_address_is_accepted_at_the_reply_domain(caller):
    """The host's mail server passes on what comes to the From address itself."""
    assert caller.mail("bob@example.org")[0] == 250
    assert caller.rcpt(f"Post@{DOMAIN}")[0] == 250


def test_an_email_without_a_sender_is_accepted_too(caller):
    """Bounces and automatic answers come without one. The reader tells them apart."""
    assert caller.mail("")[0] == 250
    assert caller.rcpt(build_address(TURN, 41))[0] == 250


@pytest.mark.parametrize(
    "to", [f"posts@{DOMAIN}", "post@127.0.0.1", f"turn+{'a' * 39}@{DOMAIN}", "ann@example.org", f"turn@{DOMAIN}"]
)
def test_any_other_address_is_refused(caller, to):
    caller.mail("bob@example.org")
    code, message = caller.rcpt(to)
    assert (code, message) == (550, b"5.1.1 Nobody is reached at this address.")


def test_an_oversized_email_is_refused_before_and_after_it_is_sent(caller):
    assert caller.mail("bob@example.org", [f"SIZE={inbox.MAX_EMAIL_BYTES + 1}"])[0] == 552
    caller.mail("bob@example.org")
    caller.rcpt(build_address(TURN, 41))
    assert caller.data(b"x" * 70 + b"\r\n" + (b"y" * 70 + b"\r\n") * (inbox.MAX_EMAIL_BYTES // 72 + 1))[0] == 552


def test_an_email_that_cannot_be_stored_is_to_be_retried(caller):
    """This test has no database."""
    caller.mail("bob@example.org")
    caller.rcpt(build_address(TURN, 41))
    assert caller.data(b"Subject: Re\r\n\r\npass\r\n" + b"z" * 20_000)[0] == 451


def test_a_dead_database_connection_does_not_bounce_a_reply(caller, monkeypatch):
    def dead():
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(mail_server, "close_old_connections", dead)
    caller.mail("bob@example.org")
    caller.rcpt(build_address(TURN, 41))
    assert caller.data(b"Subject: Re\r\n\r\npass\r\n")[0] == 451


def test_the_server_listens_on_a_unix_socket_and_speaks_smtp(tmp_path):
    left_behind = tmp_path / "post.sock"
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(left_behind))
    places = [f"lmtp://{left_behind}", f"smtp://127.0.0.1:{(number := free_port())}"]
    with with_replies(), mail_server.open_listeners(places, lambda: NOON):
        with LMTP(str(left_behind)) as caller:
            assert caller.ehlo("mail.example")[0] == 250
        with SMTP("127.0.0.1", number) as caller, pytest.raises(smtplib.SMTPRecipientsRefused):
            caller.sendmail("bob@example.org", ["ann@example.org"], "pass")


@pytest.mark.parametrize(
    "place", ["127.0.0.1:25", "http://127.0.0.1:25", "lmtp://127.0.0.1", "lmtp://", "lmtp://x:99999"]
)
def test_an_invalid_socket_address_is_refused_with_a_sentence(place):
    with (
        override_settings(INBOUND_DOMAIN=DOMAIN, POSTBOX=[place]),
        pytest.raises(CommandError, match="names no socket"),
    ):
        call_command("postbox")


def test_the_server_does_not_start_without_a_domain():
    with (
        override_settings(INBOUND_DOMAIN="", POSTBOX=["lmtp://127.0.0.1:1"]),
        pytest.raises(CommandError, match="needs"),
    ):
        call_command("postbox")


def test_a_socket_of_systemd_that_the_setting_does_not_name_is_refused_with_a_sentence(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        place = "{}:{}".format(*listening.getsockname())
        monkeypatch.setattr(mail_server, "take_passed_sockets", lambda: {place: listening})
        with (
            override_settings(INBOUND_DOMAIN=DOMAIN, POSTBOX=["lmtp://127.0.0.1:24"]),
            pytest.raises(CommandError, match=f"systemd listens on {place}, which POSTBOX does not name"),
        ):
            call_command("postbox")


def test_our_mail_server_may_use_the_socket_whatever_our_umask(tmp_path):
    usual = os.umask(0o077)
    try:
        with with_replies(), mail_server.open_listeners([f"lmtp://{tmp_path}/post.sock"], lambda: NOON):
            assert (tmp_path / "post.sock").stat().st_mode & 0o777 == 0o666
    finally:
        os.umask(usual)


def test_one_network_may_not_take_all_connections(connect, monkeypatch):
    monkeypatch.setattr(mail_server, "MAX_OF_A_NETWORK", 3)
    held = [connect("127.0.0.2") for _ in range(3)]
    assert {answer for _, answer in held} == {b"220"}
    refused, answer = connect("127.0.0.2")
    assert answer == b"421"
    refused.recv(100)
    assert is_closed(refused)
    assert connect("127.0.0.3")[1] == b"220"
    held[0][0].close()
    assert eventually(lambda: connect("127.0.0.2")[1] == b"220")


def test_there_is_a_limit_for_all_connections(connect, monkeypatch):
    monkeypatch.setattr(mail_server, "MAX_OPEN", 5)
    answers = [connect(f"127.0.0.{n}")[1] for n in range(2, 9)]
    assert answers == [b"220"] * 5 + [b"421"] * 2


def test_a_session_ends_however_busy_it_is(connect, monkeypatch):
    monkeypatch.setattr(mail_server, "LONGEST_SESSION", 0.5)
    call, answer = connect()
    assert answer == b"220"
    assert eventually(lambda: is_closed(call, b"NOOP\r\n"))


def test_an_idle_client_is_disconnected(monkeypatch):
    monkeypatch.setattr(mail_server, "TIMEOUT", 0.3)
    with (
        mail_server.open_listeners([f"smtp://127.0.0.1:{(number := free_port())}"], lambda: NOON),
        socket.create_connection(("127.0.0.1", number), timeout=10) as call,
    ):
        assert call.recv(100)[:3] == b"220"
        assert is_closed(call)


def is_closed(call, command=b""):
    """Wait for the server's next word, and return whether there is none."""
    try:
        call.sendall(command)
        return call.recv(100) == b""
    except (BrokenPipeError, ConnectionResetError):
        return True


def eventually(holds):
    end = time.monotonic() + 10
    while not (held := holds()) and time.monotonic() < end:
        time.sleep(0.05)
    return held
