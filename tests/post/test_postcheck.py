"""The deliverability check: what a host is told before the first letter, and what to do about it."""

import socket
import struct
import threading
from email import message_from_string
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from beanpost.post import deliverability
from beanpost.post.deliverability import LookupFailed, check_all
from beanpost.post.management.commands import postcheck

GOOD = {
    ("beans.example", "TXT"): ["unrelated=1", "v=spf1 include:spf.provider.example ~all"],
    ("pm._domainkey.beans.example", "TXT"): ["k=rsa; p=MIGfMA0GCSqGSIb3"],
    ("_dmarc.beans.example", "TXT"): ["v=DMARC1; p=none; rua=mailto:you@beans.example"],
    ("in.beans.example", "MX"): ["10 mail.beans.example"],
    ("in.beans.example", "TXT"): ["v=spf1 a mx ~all"],
    ("mail.beans.example", "TXT"): ["v=spf1 a -all"],
}
FILE = """
; as a zone file has them
beans.example. IN TXT "v=spf1 include:spf.provider.example ~all"
pm._domainkey.beans.example. 3600 IN TXT "k=rsa; p=MIGf" "MA0GCSq"
_dmarc.beans.example TXT "v=DMARC1; p=none"
in.beans.example. IN MX 10 inbound.provider.example.
in.beans.example. IN TXT "v=spf1 a mx ~all"
mail.beans.example. IN TXT "v=spf1 a -all"
"""
LETTER = """\
DKIM-Signature: v=1; a=rsa-sha256; d=beans.example; s=pm;
\th=From:To:List-Unsubscribe:
\t List-Unsubscribe-Post; bh=x; b=y
From: post@beans.example
List-Unsubscribe: <https://beans.example/unsubscribe/x/>
List-Unsubscribe-Post: List-Unsubscribe=One-Click

"""


@pytest.fixture
def config():
    return SimpleNamespace(
        DEFAULT_FROM_EMAIL="Beanpost <post@beans.example>",
        EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend",
        EMAIL_HOST="mail.beans.example",
        INBOUND_DOMAIN="in.beans.example",
        SITE_URL="https://beans.example",
    )


def found(config, records, letter=LETTER, **options):
    options["letter"] = message_from_string(letter)
    return {
        finding.about: finding
        for finding in check_all("beans.example", config, lambda *asked: records.get(asked, []), **options)
    }


def test_a_good_setup_passes_every_check(config):
    assert [about for about, finding in found(config, GOOD).items() if not finding.is_well] == []
    assert list(found(config, GOOD)) == [
        "SPF", "DKIM", "DMARC", "From", "replies", "returns", "server", "signed", "links",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("about", "asked", "records"),
    [
        ("SPF", ("beans.example", "TXT"), []),
        ("SPF", ("beans.example", "TXT"), ["v=spf1 mx -all", "v=spf1 a -all"]),
        ("SPF", ("beans.example", "TXT"), ["v=spf1 mx +all"]),
        ("SPF", ("beans.example", "TXT"), ["v=spf10 mx -all"]),
        ("DKIM", ("pm._domainkey.beans.example", "TXT"), []),
        ("DKIM", ("pm._domainkey.beans.example", "TXT"), ["v=DKIM1; p="]),  # a revoked key
        ("DMARC", ("_dmarc.beans.example", "TXT"), []),
        ("DMARC", ("_dmarc.beans.example", "TXT"), ["v=DMARC1; rua=mailto:you@beans.example"]),
        ("replies", ("in.beans.example", "MX"), []),
        ("replies", ("in.beans.example", "MX"), ["0 ."]),  # RFC 7505: this domain accepts no mail
        ("returns", ("in.beans.example", "TXT"), []),
        ("server", ("mail.beans.example", "TXT"), []),
    ],
)
def test_a_missing_record_is_named_with_what_to_do(config, about, asked, records):
    missing = [finding for finding in found(config, GOOD | {asked: records}).values() if not finding.is_well]
    assert [finding.about for finding in missing] == [about]
    assert missing[0].what
    assert missing[0].to_do.endswith((".", '@beans.example".'))


@pytest.mark.parametrize("address", ["http://beans.example", "https://localhost"])
def test_links_must_use_https(config, address):
    config.SITE_URL = address
    assert not found(config, GOOD)["links"].is_well


def test_only_servers_under_the_domain_are_its_hosts_own(config):
    config.EMAIL_HOST = "smtp.provider.example"
    assert found(config, GOOD | {("in.beans.example", "MX"): ["10 inbound.provider.example"]})["server"].is_well
    config.EMAIL_HOST = "localhost"  # the server is that of the MX record
    assert not found(config, GOOD | {("mail.beans.example", "TXT"): []})["server"].is_well


@pytest.mark.parametrize(
    ("signed", "instead", "missing"),
    [
        (":\n\t List-Unsubscribe-Post", "", "list-unsubscribe-post"),  # as OpenDKIM signs by default
        ("d=beans.example", "d=provider.example", "from, list-unsubscribe, list-unsubscribe-post"),
        ("h=From", "h=Date", "from"),
    ],
)
def test_a_letter_whose_signature_leaves_out_a_header_of_one_click_unsubscribing_is_found(
    config, signed, instead, missing
):
    assert signed in LETTER
    finding = found(config, GOOD, LETTER.replace(signed, instead))["signed"]
    assert (finding.is_well, finding.is_known) == (False, True)
    assert finding.what.endswith(f"covers {missing}.")


def test_without_a_letter_that_arrived_nothing_is_known_of_its_signature(config):
    finding = found(config, GOOD, "From: post@beans.example\n\n")["signed"]
    assert (finding.is_well, finding.is_known) == (False, False)
    assert "--letter" in finding.to_do


def test_letters_must_come_from_the_domain_that_signs_them(config):
    config.DEFAULT_FROM_EMAIL = "post@elsewhere.example"
    assert not found(config, GOOD)["From"].is_well


def test_a_dkim_key_may_have_any_selector_the_host_names(config):
    elsewhere = {**GOOD, ("x7._domainkey.beans.example", "TXT"): GOOD[("pm._domainkey.beans.example", "TXT")]}
    del elsewhere[("pm._domainkey.beans.example", "TXT")]
    assert not found(config, elsewhere)["DKIM"].is_well
    assert found(config, elsewhere, selectors=["x7"])["DKIM"].is_well


def test_no_replies_are_promised_without_a_reply_domain(config):
    config.INBOUND_DOMAIN = ""
    assert found(config, {})["replies"].is_well


def test_a_policy_of_the_parent_domain_is_enough(config):
    def look_up(name, kind):
        return ["v=DMARC1; p=reject"] if name == "_dmarc.beans.example" else []

    findings = {finding.about: finding for finding in check_all("post.beans.example", config, look_up)}
    assert findings["DMARC"].is_well


def test_a_silent_name_server_proves_nothing(config):
    def silent(name, kind):
        raise LookupFailed

    findings = {finding.about: finding for finding in check_all("beans.example", config, silent)}
    assert "did not answer" in findings["SPF"].what
    assert "--records" in findings["SPF"].to_do
    assert postcheck.format_finding(findings["SPF"]).startswith("unknown  SPF ")


# ── the command ──


@pytest.fixture
def run_postcheck(settings, config, tmp_path):
    for name, value in vars(config).items():
        setattr(settings, name, value)

    def run(text):
        (tmp_path / "zone").write_text(text)
        out = StringIO()
        (tmp_path / "letter").write_text(LETTER)
        files = {"records": tmp_path / "zone", "letter": tmp_path / "letter"}
        call_command("postcheck", "Beans.Example.", stdout=out, **files)
        return out.getvalue()

    return run


def test_the_command_can_read_records_from_a_file(run_postcheck):
    assert "Letters have all they need." in run_postcheck(FILE)


def test_the_command_fails_when_something_is_missing(run_postcheck):
    with pytest.raises(CommandError, match="1 of 9 need your attention"):
        run_postcheck(FILE.replace("v=DMARC1", "DMARC"))


def test_an_unreadable_file_is_refused_with_a_sentence(run_postcheck):
    with pytest.raises(CommandError, match=r"Line 1 of .* is no TXT or MX record"):
        run_postcheck("beans")
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("postcheck", "beans.example", records=Path("/nowhere/zone"))
    with pytest.raises(CommandError, match="The letter cannot be read"):
        call_command("postcheck", "beans.example", server="127.0.0.1", letter=Path("/nowhere/letter"))


# ── real DNS messages ──


def test_a_name_server_is_asked_and_its_answer_parsed():
    text = b"\x0bv=spf1 mx \xc3" + b"\x05\xa9~all"  # in two strings, with a character across them
    assert answered("TXT", [(5, b"\x05other\xc0\x0c"), (16, text)]) == ["v=spf1 mx é~all"]


def test_names_in_an_answer_may_be_compressed():
    assert answered("MX", [(15, b"\x00\x0a\x02mx\xc0\x0c"), (15, b"\x00\x00\x00")]) == ["10 mx.beans.example", "0 ."]


def test_a_long_answer_comes_over_tcp():
    text = b"".join(b"\xff" + b"x" * 255 for _ in range(3))
    assert answered("TXT", [(16, text)], cut=True) == ["x" * 765]


def test_an_unknown_name_has_no_records():
    assert answered("TXT", [], flags=0x8183) == []


def test_a_server_that_fails_has_not_answered():
    with pytest.raises(LookupFailed):
        answered("TXT", [], flags=0x8182)


def test_an_invalid_server_address_is_refused_with_a_sentence():
    with pytest.raises(CommandError, match="--server takes an IP address"):
        call_command("postcheck", "beans.example", server="ns.beans.example")


def answered(kind, rows, *, flags=0x8180, cut=False):
    """Return the parsed result when a name server answers this."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp, socket.socket() as tcp:
        udp.bind(("127.0.0.1", 0))
        tcp.bind(udp.getsockname())
        tcp.listen()
        server = threading.Thread(target=serve, args=(udp, tcp, rows, flags, cut), daemon=True)
        server.start()
        try:
            resolver = deliverability.build_resolver("127.0.0.1")
            resolver.port = udp.getsockname()[1]
            return deliverability.look_up("beans.example", kind, resolver)
        finally:
            server.join(timeout=5)


def serve(udp, tcp, rows, flags, cut):
    question, asker = udp.recvfrom(512)
    body = b"".join(b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 60, len(data)) + data for kind, data in rows)
    head = question[:2] + struct.pack(">HHHHH", flags | 0x0200 * cut, 1, 0 if cut else len(rows), 0, 0) + question[12:]
    udp.sendto(head if cut else head + body, asker)
    if cut:
        line, _ = tcp.accept()
        with line:
            question = line.recv(512)[2:]  # behind its length; it has an id of its own
            whole = question[:2] + struct.pack(">HHHHH", flags, 1, len(rows), 0, 0) + question[12:] + body
            line.sendall(struct.pack(">H", len(whole)) + whole)
