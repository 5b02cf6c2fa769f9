"""The files a host copies: units start programs that exist, every setting is documented, and no log holds a ticket."""

import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from axes.models import AccessLog
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import override_settings
from django.urls import resolve

from beanpost.celery import app
from beanpost.play import clock
from beanpost.post.outbox import addresses
from tests.site.test_every_address import ROUTES
from tools.proof import mailstack, units
from tools.proof.programs import Program, free_port, listens

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "beanpost/deploy"
HOSTING = "\n".join(page.read_text() for page in sorted((ROOT / "docs/hosting").glob("*.md")))
STAYING = ["beanpost-web", "beanpost-worker@", "beanpost-sweeper", "beanpost-slow", "beanpost-beat"]
UNITS = [*STAYING, "beanpost-postbox", "beanpost-prepare", "beanpost-prune", "beanpost-serve"]
TICKET = "WzEsMCwxLDIsInBhc3MiLDBd:1w2XyZ:" + "s" * 43
SHORT = "torn-ticket"


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_starts_existing_programs(unit):
    commands = units.read_commands(unit, "1")
    assert commands
    for program, *words in commands:
        assert Path(program).exists()
        assert all(
            (ROOT / word).exists() for word in words if word.startswith("beanpost/deploy/") or word == "manage.py"
        )
        assert "%" not in " ".join(words).replace("%h", "")


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_has_no_more_rights_than_it_needs(unit):
    web = (DEPLOY / "systemd/beanpost-web.service").read_text()
    _, _, denied = web.partition("# Hardening: deny what Beanpost does not need.\n")
    assert denied
    assert set(denied.splitlines()) <= set((DEPLOY / f"systemd/{unit}.service").read_text().splitlines())


@pytest.mark.parametrize("unit", ["beanpost-prepare", "beanpost-prune", "beanpost-serve"])
def test_a_unit_that_writes_files_may_write_to_the_folders_of_the_example(unit):
    example = units.build_environment()
    unit = (DEPLOY / f"systemd/{unit}.service").read_text()
    [folder] = re.findall(r"^ReadWritePaths=(.+)$", unit, re.MULTILINE)
    assert Path(example["STATIC_ROOT"]).is_relative_to(folder)
    assert Path(example["BEANPOST_VAR"]).is_relative_to(folder)


def test_the_target_wants_every_long_running_unit():
    target = (DEPLOY / "systemd/beanpost.target").read_text()
    assert [name for name in UNITS if name.rstrip("@") in target] == STAYING


@pytest.mark.parametrize("unit", [*STAYING, "beanpost-postbox", "beanpost-serve"])
def test_a_long_running_unit_is_restarted_however_often_it_fails(unit):
    text = (DEPLOY / f"systemd/{unit}.service").read_text()
    assert "\nRestart=always\n" in text
    assert "\nStartLimitIntervalSec=0\n" in text.partition("[Service]")[0]


@pytest.mark.parametrize("unit", ["beanpost-web", "beanpost-postbox", "beanpost-serve"])
def test_a_unit_that_listens_may_open_many_files(unit):
    assert "\nLimitNOFILE=8192\n" in (DEPLOY / f"systemd/{unit}.service").read_text()


def test_the_documented_backup_of_sqlite_is_whole_and_ends_while_others_write(tmp_path):
    """`.backup` starts again at each commit of another process."""
    [statement] = re.findall(r'sqlite3 var/beanpost.sqlite3 "(.+)"', HOSTING)
    with (
        closing(sqlite3.connect(tmp_path / "house", isolation_level=None, timeout=20)) as house,
        closing(sqlite3.connect(tmp_path / "house", isolation_level=None)) as keeper,
    ):
        house.executescript("PRAGMA journal_mode=WAL; CREATE TABLE bean (name text)")
        house.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 9999) "
                      "INSERT INTO bean SELECT hex(randomblob(500)) FROM n")  # fmt: skip
        written = 0

        def write():
            nonlocal written
            house.execute("INSERT INTO bean VALUES ('wax')")
            written += 1

        keeper.set_progress_handler(write, 10_000)
        keeper.execute(statement.replace("copy.sqlite3", str(tmp_path / "copy")))
    with closing(sqlite3.connect(tmp_path / "copy")) as copy:
        assert written > 1
        assert copy.execute("SELECT count(*) FROM bean").fetchone() == (9999,)
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("unit", ["beanpost-worker@", "beanpost-sweeper", "beanpost-slow"])
def test_a_further_worker_can_be_enabled(unit):
    assert (DEPLOY / f"systemd/{unit}.service").read_text().endswith("\n[Install]\nWantedBy=beanpost.target\n")


def queues_of(words):
    return set(words[words.index("--queues") + 1].split(","))


def test_every_queue_has_a_worker_and_letters_and_deadlines_share_none_with_long_work():
    workers = {unit: queues_of(units.read_commands(unit, "1")[0]) for unit in STAYING[1:4]}
    assert workers["beanpost-worker@"] == {"sweep", "mail-in", "letters"}
    assert workers["beanpost-slow"] == set(app.amqp.queues) - workers["beanpost-worker@"]
    assert workers["beanpost-sweeper"] < workers["beanpost-worker@"]
    parts = (DEPLOY / "container/beanpost-part").read_text()
    in_containers = [queues_of(line.split()) for line in parts.splitlines() if "celery" in line.partition(")")[2][:15]]
    assert in_containers == list(workers.values())


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed here")
def test_systemd_understands_every_unit(tmp_path):
    for file in (DEPLOY / "systemd").iterdir():
        text = file.read_text().replace("/srv/beanpost/.venv/bin/", "/bin/true ")  # a program that exists everywhere
        (tmp_path / file.name).write_text(text)
    words = ["systemd-analyze", "verify", *sorted(str(file) for file in tmp_path.iterdir())]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert [line for line in done.stderr.splitlines() if "beanpost" in line] == []


def test_every_unit_is_documented():
    units_there = {file.name for file in (DEPLOY / "systemd").iterdir()} - {"beanpost-prune.timer"}
    assert [name for name in sorted(units_there) if f"`beanpost/deploy/systemd/{name}`" not in HOSTING] == []


def test_every_setting_in_the_example_is_documented():
    names = re.findall(r"^([A-Z_]+)=", (DEPLOY / "beanpost.env.example").read_text(), re.MULTILINE)
    assert [name for name in names if f"`{name}`" not in HOSTING] == []


def test_the_example_settings_pass_every_deployment_check(tmp_path):
    env = units.build_environment(SECRET_KEY="k" * 20 + "".join(map(chr, range(65, 105))), BEANPOST_VAR=str(tmp_path))
    check = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(check, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


def recipes():
    """Yield the settings of each recipe for a mail provider, with its name."""
    page = (ROOT / "docs/hosting/mail.md").read_text().partition("## Recipes")[2].partition("\n## ")[0]
    shared, *parts = re.split(r"^### ", page, flags=re.MULTILINE)
    for part in parts:
        lines = dict(re.findall(r"^    ([A-Z_]+)=(.+)$", (shared + part).replace("…", "x"), re.MULTILINE))
        yield part.partition("\n")[0], lines | {"ANYMAIL_WEBHOOK_SECRET": "n" * 12 + ":" + "p" * 12}


@pytest.mark.parametrize(("provider", "lines"), list(recipes()))
def test_a_recipe_for_a_mail_provider_passes_every_deployment_check(provider, lines, tmp_path):
    key = "k" * 20 + "".join(map(chr, range(65, 105)))
    env = units.build_environment(SECRET_KEY=key, BEANPOST_VAR=str(tmp_path), **lines)
    check = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(check, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


def test_every_webhook_address_of_a_recipe_exists():
    paths = set(re.findall(r"https://name:password@beans\.example/anymail(/\S+/)`", HOSTING))
    assert len(paths) == 6  # bounces and replies of three providers
    for path in paths:
        provider, kind = path.strip("/").removesuffix("_mime").split("/")
        assert resolve(path, urlconf="anymail.urls").url_name == f"{provider}_{kind}_webhook"


def test_the_postbox_unit_requires_its_socket_at_the_documented_place():
    unit = (DEPLOY / "systemd/beanpost-postbox.service").read_text()
    assert "\nRequires=beanpost-postbox.socket\n" in unit
    assert "RuntimeDirectory" not in unit  # systemd would delete a socket in it whenever the postbox stops
    socket_unit = (DEPLOY / "systemd/beanpost-postbox.socket").read_text()
    [place] = re.findall(r"^ListenStream=(.+)$", socket_unit, re.MULTILINE)
    assert f"POSTBOX=lmtp://{place}\n" in HOSTING


def test_mail_that_comes_while_the_postbox_is_stopped_waits_at_its_socket(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        place = "{}:{}".format(*listening.getsockname())
        replies = {"POSTBOX": f"lmtp://{place}", "INBOUND_DOMAIN": "in.beans.example", "DATABASE_URL": ""}
        env = units.build_environment(SECRET_KEY="k" * 64, BEANPOST_VAR=str(tmp_path), **replies)
        command = units.pass_socket(units.read_commands("beanpost-postbox")[0], listening.fileno())
        postbox = Program("postbox", command, log=tmp_path / "log", env=env, cwd=ROOT, files=[listening.fileno()])
        with socket.create_connection(listening.getsockname(), timeout=60) as caller:
            postbox.start()
            assert caller.recv(100).startswith(b"220 ")
        postbox.stop()
        socket.create_connection(listening.getsockname(), timeout=60).close()  # not refused


def test_the_documented_pattern_takes_every_address_that_we_sign_and_no_other():
    [line] = mailstack.read_recipe()["/etc/postfix/beanpost"].splitlines()
    pattern = re.compile(line.removeprefix("/").removesuffix("/ OK"), re.IGNORECASE)
    with override_settings(INBOUND_DOMAIN="in.beans.example"):
        for purpose in (addresses.TURN, addresses.RETURN, addresses.UNSUBSCRIBE):
            for number in (1, 2**40):
                assert pattern.search(addresses.build_address(purpose, number))
    for other in ("post@in.beans.example", f"turn+{'a' * 38}@in.beans.example", f"turn+{'a' * 39}@beans.example"):
        assert not pattern.search(other)


def test_the_trial_of_the_mail_server_says_that_it_is_left_out_where_its_programs_are_missing(tmp_path):
    env = os.environ | {"PATH": str(tmp_path)}
    words = [sys.executable, "-m", "tools.proof.mailstack"]
    done = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("LEFT OUT: the mail server was not tried. It needs root and postfix, dovecot,")


def test_the_documented_certbot_command_reloads_nginx():
    [asked] = re.findall(r"^    certbot certonly .+$", HOSTING, re.MULTILINE)
    assert "--deploy-hook 'systemctl reload nginx'" in asked


@pytest.mark.django_db
def test_the_daily_timer_deletes_admin_sign_ins_after_a_month(client):
    get_user_model().objects.create_superuser("olga", password="beans")
    for days in (40, 20):
        client.post("/admin/login/", {"username": "olga", "password": "beans"})
        newest = AccessLog.objects.latest("pk")
        AccessLog.objects.filter(pk=newest.pk).update(attempt_time=clock.now() - timedelta(days=days))
    for _program, _manage, *words in units.read_commands("beanpost-prune"):
        call_command(*words)
    assert AccessLog.objects.count() == 1


def test_the_documentation_names_every_command_of_the_daily_timer():
    for _program, *words in units.read_commands("beanpost-prune"):
        assert f"    .venv/bin/python {' '.join(words)}\n" in HOSTING


@pytest.fixture
def door(tmp_path):
    """Start nginx as a host has it, without a server behind it; yield its address."""
    if not shutil.which("nginx"):
        pytest.skip("there is no nginx on this machine")
    port = free_port()
    conf = units.write_proxy_config(port, [f"unix:{tmp_path}/nobody.sock fail_timeout=0"], tmp_path)
    from_anywhere = "http { set_real_ip_from 127.0.0.1; real_ip_header X-Real-IP;"  # tests may choose an address
    conf.write_text(conf.read_text().replace("http {", from_anywhere))
    command = ["nginx", "-c", str(conf), "-p", str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=os.environ) as nginx:
        try:
            wait_for(lambda: listens(port))
            yield f"http://127.0.0.1:{port}"
        finally:
            nginx.terminate()


def test_the_proxy_logs_the_route_and_never_the_ticket(door, tmp_path):
    moves = (f"/move/{TICKET}/", f"/move/{SHORT}/?x=1")
    for path in (*moves, f"/renew-all/{SHORT}/", f"/{TICKET}", f"/match/{SHORT}/beanpost.json", f"/?t={SHORT}"):
        with pytest.raises(HTTPError, match="503"):  # no server is behind it
            urlopen(f"{door}{path}", timeout=10)
    log = tmp_path / "beanpost.log"
    wait_for(lambda: log.read_text().count("\n") == 6)
    logs = "".join(file.read_text() for file in tmp_path.glob("*.log"))
    assert re.findall(r'"GET (\S+)"', logs) == ["/move", "/move", "/renew-all", "/...", "/match", "/"]
    assert TICKET not in logs
    assert SHORT not in logs


@pytest.mark.parametrize("pressed", [None, b"line=pass"], ids=["looked at", "pressed"])
def test_the_proxy_shows_a_maintenance_page_while_the_server_is_down(door, pressed):
    with pytest.raises(HTTPError) as closed:
        urlopen(f"{door}/move/{TICKET}/", data=pressed, timeout=10)
    answer = closed.value
    assert (answer.code, answer.headers["Content-Type"]) == (503, "text/html")
    assert (answer.headers["Retry-After"], answer.headers["Cache-Control"]) == ("60", "no-store")
    page = answer.read().decode()
    assert "a move counts only once" in page
    assert "un coup ne compte qu’une fois" in page
    assert TICKET not in page


def test_the_proxy_passes_a_large_webhook_on(door):
    """Mail with photos comes in that way; a provider that is refused would retry for hours."""
    with pytest.raises(HTTPError, match="503"):
        urlopen(f"{door}/anymail/postmark/inbound/", data=b"x" * 3_000_000, timeout=10)
    with pytest.raises(HTTPError, match="413"):
        urlopen(f"{door}/move/{TICKET}/", data=b"x" * 3_000_000, timeout=10)


def test_the_proxy_limits_forms_that_exist():
    conf = (DEPLOY / "nginx/beanpost.conf").read_text()
    [doors] = re.findall(r'"~\^POST /\((.+)\)/"', conf)
    assert set(doors.split("|")) <= {route.split("/")[1] for route in ROUTES}
    assert "limit_req zone=beanpost_asking" in conf


def answered(address, body, **headers):
    try:
        return urlopen(Request(address, data=body, headers=headers), timeout=10).status
    except HTTPError as answer:
        return answer.code


def test_the_proxy_rate_limits_forms_that_send_letters(door):
    opened = [answered(f"{door}/open/", b"address=x") for _ in range(40)]
    assert set(opened[:20]) == {503}  # no server is behind it
    assert opened.count(429) >= 10
    assert answered(f"{door}/sign-in/", b"address=x") == 429


def test_the_proxy_counts_an_ipv6_household_as_one_visitor(door):
    def ask(address):
        return answered(f"{door}/try/", b"game=haricots", **{"X-Real-IP": address})

    assert [ask(f"2001:db8:0:a00:{n:x}::1") for n in range(40)].count(429) >= 10
    assert ask("2001:db8:0:b00::1") == 503  # no server is behind it
    assert {ask(f"192.0.2.{n}") for n in range(40)} == {503}


def test_the_proxy_limits_neither_moves_nor_webhooks(door):
    for path in (f"/move/{TICKET}/", "/anymail/postmark/tracking/"):
        assert {answered(f"{door}{path}", b"line=pass") for _ in range(60)} == {503}
    assert {answered(f"{door}/open/", None) for _ in range(60)} == {503}  # GET requests are not limited


@pytest.mark.parametrize("sent", [False, True], ids=["not listening", "hangs up"])
def test_the_proxy_asks_another_machine_but_never_passes_on_a_post_that_was_sent(tmp_path, sent):
    if not shutil.which("nginx"):
        pytest.skip("there is no nginx on this machine")
    with socket.create_server(("127.0.0.1", 0)) as dead, HTTPServer(("127.0.0.1", 0), AnyAnswer) as alive:
        Thread(target=alive.serve_forever, daemon=True).start()
        if sent:
            Thread(target=hang_up, args=(dead,), daemon=True).start()
            away = dead.getsockname()[1]
        else:
            away = free_port()
        port = free_port()
        conf = units.write_proxy_config(port, [f"unix:{tmp_path}/nobody.sock fail_timeout=0"], tmp_path)
        machines = f"server 127.0.0.1:{away} max_fails=0;\n server 127.0.0.1:{alive.server_port};"
        site = tmp_path / "site.conf"
        site.write_text(re.sub(r"server unix:\S+ fail_timeout=0;", machines, site.read_text()))
        with subprocess.Popen(["nginx", "-c", str(conf), "-p", str(tmp_path)], stderr=subprocess.DEVNULL) as nginx:
            try:
                wait_for(lambda: listens(port))
                page = f"http://127.0.0.1:{port}/move/{TICKET}/"
                assert {answered(page, None) for _ in range(6)} == {200}
                assert {answered(page, b"line=pass") for _ in range(6)} == ({200, 503} if sent else {200})
            finally:
                nginx.terminate()
                alive.shutdown()


class AnyAnswer(BaseHTTPRequestHandler):
    """A page for everybody."""

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_GET  # noqa: N815

    def log_message(self, *_words):
        """Say nothing."""


def hang_up(listening):
    """Take each request, and close the connection without an answer."""
    with suppress(OSError):
        while True:
            caller, _ = listening.accept()
            caller.recv(65_536)
            caller.close()


def wait_for(holds):
    for _ in range(100):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("It does not happen.")
