"""Check the DNS records and settings that letters need to arrive. Each finding states a fact and suggests a remedy.

SPF      the servers that may send for the domain
DKIM     the key that signs letters
DMARC    the policy for letters that fail both
From     the sender's address belongs to this domain
replies  mail to the reply domain reaches us
returns  bounces reach us
server   bounces that our own mail server writes pass SPF
signed   a letter that arrived was signed, with the headers of one-click unsubscribing
links    links lead to a public https address
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from email.message import Message
from email.utils import parseaddr
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from dns.exception import DNSException
from dns.rdata import Rdata
from dns.rdtypes.ANY.MX import MX
from dns.rdtypes.ANY.TXT import TXT
from dns.resolver import NXDOMAIN, Resolver

Lookup: TypeAlias = Callable[[str, str], list[str]]

TIMEOUT = 5  # seconds for one lookup

# DKIM selectors that mail servers and providers use by default.
SELECTORS = (
    "default", "dkim", "mail", "s1", "s2", "k1", "k2", "pm", "smtp", "mx", "mailo", "krs", "pic", "resend", "brevo",
    "mlsend", "mailjet", "scph0220", "selector1", "selector2", "google", "postal",
)  # fmt: skip

# Headers that a letter's signature must cover (RFC 8058).
SIGNED = {"from", "list-unsubscribe", "list-unsubscribe-post"}


class LookupFailed(Exception):
    """The name server gave no answer, so nothing is known."""


@dataclass(frozen=True)
class Finding:
    about: str
    is_well: bool
    what: str
    to_do: str = ""
    is_known: bool = True


def check_all(
    domain: str, config: Any, look_up: Lookup, selectors: Iterable[str] = (), letter: Message | None = None
) -> Iterator[Finding]:
    """Yield all findings, in the order in which a host would set things up. `letter` is one as it arrived."""
    yield run_check("SPF", check_spf, domain, look_up)
    yield run_check("DKIM", check_dkim, domain, look_up, tuple(selectors))
    yield run_check("DMARC", check_dmarc, domain, look_up)
    yield check_sender(domain, config)
    yield run_check("replies", check_replies, config, look_up)
    yield run_check("returns", check_returns, config, look_up)
    yield run_check("server", check_server, domain, config, look_up)
    yield check_signature(domain, letter)
    yield check_links(config)


def run_check(about: str, check: Callable[..., Finding], *arguments: Any) -> Finding:
    """Return the finding of a check; if the name server fails, a finding that says so."""
    try:
        return check(*arguments)
    except LookupFailed:
        to_do = "Check that this machine reaches a name server, or give the records in a file with --records."
        return Finding(about, False, "The name server did not answer, so nothing is known.", to_do, is_known=False)


def check_spf(domain: str, look_up: Lookup) -> Finding:
    """Check that the domain has one SPF record, which lets only some servers send."""
    found = [text for text in look_up(domain, "TXT") if re.match(r"v=spf1( |$)", text, re.I)]
    if not found:
        to_do = (
            f'Publish a TXT record for {domain}: "v=spf1 mx ~all" if your own server sends, or what your provider says.'
        )
        return Finding("SPF", False, f"{domain} has no SPF record, which says who may send in its name.", to_do)
    if len(found) > 1:
        to_do = "Join them into one: receivers ignore two."
        return Finding("SPF", False, f"{domain} has {len(found)} SPF records.", to_do)
    if not re.search(r"([~-]all|redirect=\S+)\s*$", found[0], re.I):
        return Finding("SPF", False, f"It lets anyone send: {found[0]}", "End it with ~all or -all.")
    return Finding("SPF", True, found[0])


def check_dkim(domain: str, look_up: Lookup, selectors: tuple[str, ...]) -> Finding:
    for selector in selectors or SELECTORS:
        name = f"{selector}._domainkey.{domain}"
        if any(re.search(r"\bp=[\w+/]", text) for text in look_up(name, "TXT")):
            return Finding("DKIM", True, f"There is a key under {name}.")
    asked = ", ".join(selectors) if selectors else "any name we know"
    to_do = (
        "Have your mail server or provider sign letters, and publish the key it gives you; "
        "if it is there, name its selector with --selector."
    )
    return Finding("DKIM", False, f"No key was found for {domain} under {asked}.", to_do)


def check_dmarc(domain: str, look_up: Lookup) -> Finding:
    """Look for a policy at the domain, then at its parent, whose policy applies if the domain has none."""
    above = domain.partition(".")[2]
    for name in (domain, above) if "." in above else (domain,):
        for text in look_up(f"_dmarc.{name}", "TXT"):
            if re.match(r"v=DMARC1\s*;.*\bp=(none|quarantine|reject)\b", text, re.I):
                return Finding("DMARC", True, text)
    to_do = f'Publish a TXT record for _dmarc.{domain}: "v=DMARC1; p=none; rua=mailto:you@{domain}".'
    return Finding("DMARC", False, f"{domain} has no policy, and large mailboxes refuse letters without one.", to_do)


def check_sender(domain: str, config: Any) -> Finding:
    from_domain = parseaddr(config.DEFAULT_FROM_EMAIL)[1].partition("@")[2].lower()
    if from_domain == domain or from_domain.endswith(f".{domain}"):
        return Finding("From", True, f"Letters come from {config.DEFAULT_FROM_EMAIL}.")
    what = f"Letters come from {config.DEFAULT_FROM_EMAIL}, which is not under {domain}."
    return Finding("From", False, what, f"Set DEFAULT_FROM_EMAIL, as in Beanpost <post@{domain}>.")


def check_replies(config: Any, look_up: Lookup) -> Finding:
    inbound = config.INBOUND_DOMAIN
    if not inbound:
        return Finding("replies", True, "INBOUND_DOMAIN is not set: letters are answered by their links alone.")
    servers = [server for server in look_up(inbound, "MX") if not server.endswith(" .")]
    if servers:
        return Finding(
            "replies", True, f"Mail to {inbound} goes to {', '.join(sorted(server.rstrip('.') for server in servers))}."
        )
    to_do = f"Publish an MX record for {inbound} that names your mail server or your provider's."
    return Finding("replies", False, f"No server accepts mail to {inbound}.", to_do)


def check_returns(config: Any, look_up: Lookup) -> Finding:
    """Check that bounces reach us. With plain SMTP they go to the reply domain, so that domain needs an SPF record."""
    if not config.EMAIL_BACKEND.endswith("smtp.EmailBackend"):
        return Finding("returns", True, "Your provider reports bounces, if it knows the address of the webhook.")
    if not config.INBOUND_DOMAIN:
        return Finding("returns", True, "INBOUND_DOMAIN is not set: later bounces go unnoticed.")
    return replace(check_spf(config.INBOUND_DOMAIN, look_up), about="returns")


def check_server(domain: str, config: Any, look_up: Lookup) -> Finding:
    """Check the SPF record of our own mail server's name: its bounces have no sender, so receivers look there."""
    exchangers = look_up(config.INBOUND_DOMAIN, "MX") if config.INBOUND_DOMAIN else []
    is_smtp = config.EMAIL_BACKEND.endswith("smtp.EmailBackend")
    names = [config.EMAIL_HOST if is_smtp else "", *(server.split()[-1].rstrip(".") for server in exchangers)]
    for name in dict.fromkeys(name for name in names if name.endswith(f".{domain}")):
        finding = replace(check_spf(name, look_up), about="server")
        if not finding.is_well:
            to_do = f'Publish a TXT record for {name}: "v=spf1 a -all". Bounces that it writes have no other sender.'
            return replace(finding, to_do=to_do)
    return Finding("server", True, f"Every mail server of yours under {domain} may send.")


def check_signature(domain: str, letter: Message | None) -> Finding:
    """Check which headers a letter's signature covers. Mailboxes show the button of RFC 8058 only if all are signed."""
    if letter is None or "List-Unsubscribe-Post" not in letter:
        to_do = "Save a turn letter from a mailbox elsewhere, with all its headers, and name the file with --letter."
        what = "Only a letter that has arrived shows which headers are signed."
        return Finding("signed", False, what, to_do, is_known=False)
    missing = set(SIGNED)
    for signature in letter.get_all("DKIM-Signature", []):
        tags = dict(re.findall(r"(\w+)=([^;]*)", re.sub(r"\s", "", str(signature))))
        signer = tags.get("d", "").lower()
        if signer == domain or domain.endswith(f".{signer}"):
            missing = min(missing, SIGNED - set(tags.get("h", "").lower().split(":")), key=len)
    if not missing:
        return Finding("signed", True, "The letter is signed, with the headers of one-click unsubscribing.")
    what = f"No signature for {domain} on that letter covers {', '.join(sorted(missing))}."
    to_do = "Have them signed. OpenDKIM: SignHeaders *,+List-Unsubscribe,+List-Unsubscribe-Post."
    return Finding("signed", False, what, to_do)


def check_links(config: Any) -> Finding:
    where = urlsplit(config.SITE_URL)
    if where.scheme != "https":
        what = f"Links in letters begin with {config.SITE_URL}, which is not https."
        return Finding(
            "links", False, what, "Put a proxy with a certificate in front, and set SITE_URL to its address."
        )
    if "." not in (where.hostname or ""):
        what = f"Links in letters lead to {where.hostname}, which can't be reached from outside."
        return Finding("links", False, what, "Set SITE_URL to the address that players reach.")
    return Finding("links", True, f"Links in letters begin with {config.SITE_URL}.")


# ── DNS ──


def build_resolver(server: str = "") -> Resolver:
    """Return a resolver for this server, or for those of the system. Raise ValueError if it is not an IP address."""
    resolver = Resolver(configure=not server)
    if server:
        resolver.nameservers = [server]
    resolver.lifetime = TIMEOUT
    return resolver


def look_up(name: str, kind: str, resolver: Resolver) -> list[str]:
    """Return the texts of all TXT or MX records; an empty list if there is no such name."""
    try:
        answer = resolver.resolve(name, kind, raise_on_no_answer=False)
    except NXDOMAIN:
        return []
    except (DNSException, OSError) as error:
        raise LookupFailed from error
    return [format_record(record) for record in answer]


def format_record(record: Rdata) -> str:
    """Return a TXT record as one text (DNS splits it into pieces of 255 bytes), an MX record as `10 mx.example`."""
    match record:
        case TXT():
            return b"".join(record.strings).decode("utf-8", "replace")
        case MX():
            return f"{record.preference} {record.exchange.to_text(omit_final_dot=True)}"
    return record.to_text()
