"""manage.py postcheck DOMAIN: say what is still missing before letters arrive."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, CommandParser
from dns.exception import DNSException

from beanpost.post import deliverability
from beanpost.post.deliverability import Finding, Lookup

LINE = re.compile(r"(?P<name>\S+?)\.?\s+(?:\d+\s+)?(?:IN\s+)?(?P<kind>TXT|MX)\s+(?P<value>.+?)\s*", re.I)


class Command(BaseCommand):
    help = "Say what is missing before letters from a domain arrive, and what to do about it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("domain", help="The domain that letters come from, as in beans.example.")
        parser.add_argument("--selector", action="append", default=[], help="Where the DKIM key is; may be repeated.")
        parser.add_argument("--records", type=Path, help="A file of TXT and MX records to go by instead of asking.")
        parser.add_argument("--letter", type=Path, help="A letter as it arrived in a mailbox, with all its headers.")
        parser.add_argument("--server", default="", help="The IP address of the name server to ask.")

    def handle(self, *args: Any, **options: Any) -> None:
        look_up = build_file_lookup(options["records"]) if options["records"] else build_dns_lookup(options["server"])
        domain = options["domain"].strip(".").lower()
        letter = read_letter(options["letter"]) if options["letter"] else None
        found = list(deliverability.check_all(domain, settings, look_up, options["selector"], letter))
        for finding in found:
            self.stdout.write(format_finding(finding))
        if missing := sum(not finding.is_well for finding in found):
            raise CommandError(f"{missing} of {len(found)} need your attention.")
        self.stdout.write("Letters have all they need.")


def format_finding(finding: Finding) -> str:
    """Return a finding as lines of the report."""
    how = "ok" if finding.is_well else "MISSING" if finding.is_known else "unknown"
    lines = [f"{how:<8} {finding.about:<8} {finding.what}"]
    if finding.to_do:
        lines.append(f"{'':18} {finding.to_do}")
    return "\n".join(lines)


def read_letter(file: Path) -> Message:
    try:
        return message_from_bytes(file.read_bytes())
    except OSError as error:
        raise CommandError(f"The letter cannot be read from {file}.") from error


def build_dns_lookup(server: str) -> Lookup:
    """Return a lookup by this name server, or by the system's."""
    try:
        resolver = deliverability.build_resolver(server)
    except ValueError as error:
        raise CommandError(f"--server takes an IP address, and {server} is none.") from error
    except DNSException as error:
        raise CommandError("This machine names no name server. Give one with --server, or --records.") from error
    return lambda name, kind: deliverability.look_up(name, kind, resolver)


def build_file_lookup(file: Path) -> Lookup:
    """Return a lookup in a zone file with one record per line: `beans.example. IN TXT "v=spf1 mx ~all"`."""
    try:
        lines = file.read_text().splitlines()
    except (OSError, UnicodeError) as error:
        raise CommandError(f"The records cannot be read from {file}.") from error
    records: dict[tuple[str, str], list[str]] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith((";", "#")):
            continue
        record = LINE.fullmatch(line.strip())
        if record is None:
            raise CommandError(f"Line {number} of {file} is no TXT or MX record.")
        key = record["name"].lower(), record["kind"].upper()
        records.setdefault(key, []).append(join_value(record["value"]))
    return lambda name, kind: records.get((name, kind), [])


def join_value(text: str) -> str:
    """Remove the quotes of a value, and join its pieces."""
    pieces = re.findall(r'"([^"]*)"', text)
    return "".join(pieces) if pieces else text
