"""A host's own mail server, as docs/hosting/mail.md has it: python -m tools.proof.mailstack

Postfix, OpenDKIM and Dovecot run on this machine, on ports of their own and from a temporary folder, with the lines of
the recipe. Letters go out signed. Replies, as six mail programs write them, come in by LMTP. The postbox is
stopped and started, a mailbox is full, and a player's address does not exist. Debian's programs and root are needed.
"""

import imaplib
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime, timedelta
from email import policy
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from select import select
from smtplib import SMTP, SMTPRecipientsRefused
from typing import Any

import django
from django.core.management import call_command

from tools.proof import units
from tools.proof.mail_programs import STYLES, parse, read_text, write_reply
from tools.proof.programs import Program, free_port, listens

PROGRAMS = ("postfix", "dovecot", "opendkim", "opendkim-genkey", "openssl")
PACKAGES = "postfix dovecot-imapd dovecot-lmtpd opendkim opendkim-tools openssl"
PAGE = units.ROOT / "docs/hosting/mail.md"
PATIENCE = 60  # seconds for a mail to arrive
PASSWORD = "beans"
# Tables of tools/proof/tables.py: everyone has a mailbox, a full one, or none.
TABLE, FULL, GONE = 4, 9, 11
SERVICES = Path("/usr/share/postfix/master.cf.dist")
MOVE = re.compile(r"^(m?\d+)\.? (.+)\n+https://", re.MULTILINE)

POSTFIX = """
compatibility_level = 3.6
queue_directory = {home}/queue
data_directory = {home}/data
maillog_file = {home}/postfix.log
maillog_file_prefixes = {home}
myhostname = mail.beans.example
mydestination = beans.example, mail.beans.example
mynetworks = 192.0.2.0/24
inet_interfaces = 127.0.0.1
alias_maps = hash:{home}/etc/aliases
recipient_delimiter = +
smtp_dns_support_level = disabled
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
smtpd_tls_cert_file = {home}/server.pem
smtpd_tls_key_file = {home}/server.key
"""
DOVECOT = """
base_dir = {home}/dovecot
state_dir = {home}/dovecot
log_path = {home}/dovecot.log
protocols = imap lmtp
ssl = no
disable_plaintext_auth = no
mail_location = maildir:{home}/mail/%n
mail_plugins = quota
plugin {{
  quota = maildir
}}
passdb {{
  driver = passwd-file
  args = scheme=plain username_format=%n {home}/etc/users
}}
userdb {{
  driver = passwd-file
  args = username_format=%n {home}/etc/users
}}
service imap-login {{
  inet_listener imap {{
    address = 127.0.0.1
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
service auth {{
  unix_listener {home}/queue/private/auth {{
    mode = 0660
    user = postfix
  }}
}}
"""
ZONE = """
beans.example. IN TXT "v=spf1 mx ~all"
mail.beans.example. IN TXT "v=spf1 a -all"
in.beans.example. IN MX 10 mail.beans.example.
in.beans.example. IN TXT "v=spf1 mx ~all"
_dmarc.beans.example. IN TXT "v=DMARC1; p=quarantine"
"""


class Failed(Exception):
    """The mail server or Beanpost did something else."""


def read_recipe() -> dict[str, str]:
    """Return the lines that the page gives for each file."""
    section = PAGE.read_text().partition("### Your own mail server")[2].partition("\n## ")[0]
    found = re.findall(r"^`(/etc/\S+?)`.*\n\n((?:    .+\n)+)", section, re.MULTILINE)
    return {name: re.sub(r"^    ", "", lines, flags=re.MULTILINE) for name, lines in found}


class Stack:
    """The mail server, the players' mailboxes and the postbox."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.ports = {name: free_port() for name in ("smtp", "submission", "milter", "imap", "lmtp")}
        self.listening = socket.create_server(("127.0.0.1", 0))  # systemd's part
        self.postbox_port = self.listening.getsockname()[1]
        self.env = units.build_environment(
            SECRET_KEY=secrets.token_hex(32),
            BEANPOST_VAR=str(home),
            DATABASE_URL="",
            CELERY_BROKER_URL="",
            SITE_URL="https://beans.example",
            DEFAULT_FROM_EMAIL="Beanpost <post@beans.example>",
            EMAIL_URL=f"smtp+tls://beanpost:{PASSWORD}@localhost:{self.ports['submission']}",
            INBOUND_DOMAIN="in.beans.example",
            POSTBOX=f"lmtp://127.0.0.1:{self.postbox_port}",
            SSL_CERT_FILE=str(home / "ca.pem"),
            LOG_LEVEL="WARNING",
        )
        self.postfix = self.program("postfix", "postfix", "-c", f"{home}/etc/postfix", "start-fg")
        self.dovecot = self.program("dovecot", "dovecot", "-F", "-c", f"{home}/etc/dovecot.conf")
        self.opendkim = self.program("opendkim", "opendkim", "-f", "-x", f"{home}/etc/opendkim.conf")
        command = units.pass_socket(units.read_commands("beanpost-postbox")[0], self.listening.fileno())
        self.postbox = self.program("postbox", *command, files=[self.listening.fileno()])

    def program(self, name: str, *command: str, files: Sequence[int] = ()) -> Program:
        log = self.home / f"{name}.out"
        return Program(name, command, log=log, env=self.env, cwd=units.ROOT, files=files)

    def place(self, text: str) -> str:
        """Return the recipe's lines with this trial's folder and ports."""
        there = {"127.0.0.1:8024": f"127.0.0.1:{self.postbox_port}", "8891": str(self.ports["milter"])}
        there |= {"/etc/": f"{self.home}/etc/", "submission inet n - y": f"{self.ports['submission']} inet n - n"}
        there["inline:{in"] = f"inline:{{players.example=lmtp:inet:127.0.0.1:{self.ports['lmtp']}}} inline:{{in"
        there["post: you,"] = "post:"  # nobody reads it here
        for old, new in there.items():
            text = text.replace(old, new)
        return text

    def write_files(self) -> None:
        etc = self.home / "etc"
        for folder in ("postfix", "dkimkeys"):
            (etc / folder).mkdir(parents=True)
        for folder in ("queue", "queue/pid", "data", "dovecot", "mail"):
            (self.home / folder).mkdir()
        shutil.chown(self.home / "data", "postfix")
        shutil.chown(self.home / "mail", "nobody", "nogroup")
        keys = {"home": self.home, **self.ports}
        files = {name.removeprefix("/etc/"): self.place(lines) for name, lines in read_recipe().items()}
        files["postfix/main.cf"] = POSTFIX.format(**keys) + files["postfix/main.cf"]
        services = re.sub(r"^((?:\S+\s+){4})y ", r"\1n ", SERVICES.read_text(), flags=re.MULTILINE)  # without chroot
        services = re.sub(r"^smtp +inet", f"{self.ports['smtp']} inet", services, flags=re.MULTILINE)
        files["postfix/master.cf"] = services + files["postfix/master.cf"]
        files["opendkim.conf"] += "RequireSafeKeys no\n"
        files["verify.conf"] = f"Mode v\nTestPublicKeys {etc}/keys\n"
        files["dovecot.conf"] = DOVECOT.format(**keys)
        users = [f"p{TABLE}-{seat}:{PASSWORD}:nobody:nogroup::::\n" for seat in range(3)]
        users += [f"p{FULL}-{seat}:{PASSWORD}:nobody:nogroup::::userdb_quota_rule=*:bytes=1\n" for seat in range(4)]
        files["users"] = "".join(users) + f"beanpost:{PASSWORD}:nobody:nogroup::::\n"
        for name, text in files.items():
            (etc / name).write_text(text)
        self.write_keys(etc)

    def write_keys(self, etc: Path) -> None:
        run("opendkim-genkey", "-b", "2048", "-d", "beans.example", "-s", "mail", "-D", etc / "dkimkeys")
        record = "".join(re.findall(r'"([^"]*)"', (etc / "dkimkeys/mail.txt").read_text()))
        (etc / "keys").write_text(f"mail._domainkey.beans.example {record}\n")
        (self.home / "zone").write_text(f'{ZONE}mail._domainkey.beans.example. IN TXT "{record}"\n')
        ca, server = self.home / "ca", self.home / "server"
        new = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2")
        run(*new, "-subj", "/CN=our CA", "-keyout", f"{ca}.key", "-out", f"{ca}.pem")
        signed = ["-CA", f"{ca}.pem", "-CAkey", f"{ca}.key", "-addext", "basicConstraints=CA:FALSE"]
        signed += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
        run(*new, *signed, "-keyout", f"{server}.key", "-out", f"{server}.pem")
        run("postalias", "-c", etc / "postfix", f"hash:{etc}/aliases")

    @contextmanager
    def running(self) -> Iterator[None]:
        with ExitStack() as until_the_end:
            until_the_end.callback(self.listening.close)
            until_the_end.callback(self.stop_postfix)
            for program, port in ((self.postfix, "smtp"), (self.dovecot, "imap"), (self.opendkim, "milter")):
                until_the_end.callback(program.stop)
                program.start()
                program.wait_until(lambda port=port: listens(self.ports[port]))  # type: ignore[misc]
            until_the_end.callback(self.postbox.stop)
            self.postbox.start()
            yield

    def stop_postfix(self) -> None:
        """Stop its master too, which outlives the program that started it."""
        subprocess.run(["postfix", "-c", self.home / "etc/postfix", "stop"], check=False, capture_output=True)

    def send(self, mail: EmailMessage, sender: str, to: str) -> None:
        """Send a mail from another server."""
        with SMTP("127.0.0.1", self.ports["smtp"], timeout=PATIENCE) as server:
            server.sendmail(sender, [to], mail.as_bytes(policy=policy.SMTP))

    def read_mailbox(self, name: str) -> list[bytes]:
        with imaplib.IMAP4("127.0.0.1", self.ports["imap"], timeout=PATIENCE) as box:
            box.login(name, PASSWORD)
            box.select()
            numbers = box.search(None, "ALL")[1][0].split()
            return [bytes(box.fetch(number, "(RFC822)")[1][0][1]) for number in numbers]  # type: ignore[index]

    def check_signature(self, mail: bytes) -> None:
        """Have OpenDKIM verify a mail that it has signed."""
        (self.home / "mail.eml").write_bytes(mail)
        said = run("opendkim", "-x", self.home / "etc/verify.conf", "-t", self.home / "mail.eml", "-vv")
        if "verification (s=mail, d=beans.example" not in said or "succeeded" not in said:
            raise Failed(f"The signature is not valid: {said[-500:]}")


def run(*words: object) -> str:
    done = subprocess.run(list(map(str, words)), check=False, capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"{words[0]}: {done.stdout[-1000:]}{done.stderr[-1000:]}")
    return done.stdout + done.stderr


def wait_for(what: str, find: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE
    while not (found := find()):
        if time.monotonic() > end:
            raise Failed(f"This did not happen within {PATIENCE} seconds: {what}")
        time.sleep(0.1)
    return found


class Players:
    """Beanpost's own work, done here instead of by workers, and the players' mailboxes."""

    def __init__(self, stack: Stack) -> None:
        # Only now: the settings are read from the environment.
        from beanpost.play import clock  # noqa: PLC0415
        from beanpost.post.deliver import sending  # noqa: PLC0415
        from beanpost.post.models import Letter, Reply, Report  # noqa: PLC0415
        from beanpost.post.receive import replies  # noqa: PLC0415
        from tools.proof import tables  # noqa: PLC0415

        self.stack, self.open_table = stack, tables.open_table
        self.letters, self.replies, self.reports = Letter.objects, Reply.objects, Report.objects

        def soon() -> datetime:  # by then no letter is held back any more
            return clock.now() + timedelta(minutes=10)

        self.deliver, self.read_waiting = partial(sending.deliver, soon), partial(replies.read_waiting, soon)

    def find_letter(self, row: Any) -> bytes:
        """Return a letter as it arrived in its reader's mailbox."""
        own, name = parse(bytes(row.source))["Message-ID"], row.address.partition("@")[0]

        def find() -> list[bytes]:
            return [mail for mail in self.stack.read_mailbox(name) if parse(mail)["Message-ID"] == own]

        return bytes(wait_for("a letter arrives", find)[0])

    def find_question(self) -> bytes:
        """Return the newest letter that asks for a move."""
        self.deliver()
        return self.find_letter(self.letters.exclude(asked={}).filter(state="sent").latest("pk"))

    def read_reply(self, count: int) -> str:
        """Wait until the postbox has stored another reply, read it, and return what became of it."""
        replies = self.replies.filter(is_returned=False)
        wait_for("a reply comes in", lambda: replies.count() > count)
        self.read_waiting()
        reply = replies.latest("pk")
        return f"{reply.state} {reply.finding}"

    def reply(self, program: str, to: str = "") -> str:
        """Answer the newest question with its first move, and return what became of it."""
        count, letter = self.replies.filter(is_returned=False).count(), parse(self.find_question())
        to = to or letter["Reply-To"]
        self.stack.send(write_reply(letter, program, MOVE.findall(read_text(letter))[0][0], to), letter["To"], to)
        return self.read_reply(count)


def a_letter_arrives_signed(players: Players) -> None:
    players.open_table(TABLE)
    stack, letter = players.stack, players.find_question()
    stack.check_signature(letter)
    (stack.home / "letter.eml").write_bytes(letter)
    call_command("postcheck", "beans.example", records=stack.home / "zone", letter=stack.home / "letter.eml")


def every_program_plays(players: Players) -> None:
    for program in STYLES:
        if (became := players.reply(program)) != "played move":
            raise Failed(f"A reply in the style of {program} became: {became}")


def a_reply_to_the_from_address_gets_the_link(players: Players) -> None:
    for program in ("alpine", "s-nail"):
        if (became := players.reply(program, "post@beans.example")) != "answered unsigned":
            raise Failed(f"A reply to post@beans.example became: {became}")
    players.deliver()
    notice = parse(players.find_letter(players.letters.filter(kind="links_only").latest("pk")))
    if "\nhttps://" not in read_text(notice):
        raise Failed("The answer has no link.")


def other_addresses_are_refused_at_once(players: Players) -> None:
    with suppress(SMTPRecipientsRefused):
        players.stack.send(EmailMessage(), "someone@players.example", "anybody@in.beans.example")
        raise Failed("Postfix accepted mail to an address that is not ours.")


def a_stopped_postbox_costs_nothing(players: Players) -> None:
    postbox, log = players.stack.postbox, players.stack.home / "postfix.log"
    postbox.stop()
    count, letter = players.replies.filter(is_returned=False).count(), parse(players.find_question())
    reply = write_reply(letter, "neomutt", MOVE.findall(read_text(letter))[0][0], letter["Reply-To"])
    players.stack.send(reply, letter["To"], letter["Reply-To"])
    wait_for("Postfix connects", lambda: select([players.stack.listening], [], [], 0)[0])
    began = time.monotonic()
    postbox.start()
    if (became := players.read_reply(count)) != "played move":
        raise Failed(f"A reply that came while the postbox was stopped became: {became}")
    if "status=deferred" in log.read_text():
        raise Failed("Postfix was refused, and tries again later.")
    print(f"    Played {time.monotonic() - began:.0f} seconds after the postbox's start.")


def bounces_come_back_signed(players: Players) -> None:
    for table in (FULL, GONE):
        players.open_table(table)
    players.deliver()
    returned = players.replies.filter(is_returned=True)
    wait_for("both bounces come in", lambda: returned.count() == 2)
    for reply in returned:
        players.stack.check_signature(bytes(reply.source))
    players.read_waiting()
    read = players.reports.filter(proven=True, kind="bounced").values_list("letter__address", "soft")
    if {(address.partition("-")[0], soft) for address, soft in read} != {(f"p{FULL}", True), (f"p{GONE}", False)}:
        raise Failed(f"These bounces were read: {read}")


TRIALS = (
    a_letter_arrives_signed,
    every_program_plays,
    a_reply_to_the_from_address_gets_the_link,
    other_addresses_are_refused_at_once,
    a_stopped_postbox_costs_nothing,
    bounces_come_back_signed,
)


def main() -> None:
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing or os.geteuid():
        print(f"LEFT OUT: the mail server was not tried. It needs root and {', '.join(missing or PROGRAMS)}.")
        print(f"On Debian: apt-get install --no-install-recommends {PACKAGES}")
        return
    began = time.monotonic()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="mail", dir="/tmp", ignore_cleanup_errors=True) as home:
        Path(home).chmod(0o755)  # Postfix and Dovecot run as users of their own
        stack = Stack(Path(home))
        stack.write_files()
        os.environ |= stack.env | {"DJANGO_SETTINGS_MODULE": "beanpost.settings"}
        django.setup()
        call_command("migrate", verbosity=0)
        with stack.running():
            players = Players(stack)
            for trial in TRIALS:
                trial(players)
                print(f"ok  {trial.__name__.replace('_', ' ')}", flush=True)
    print(f"All {len(TRIALS)} trials of the mail server passed, in {time.monotonic() - began:.0f} seconds.")


if __name__ == "__main__":
    main()
