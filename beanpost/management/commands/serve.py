"""Run the whole service in one process: pages, worker and beat."""

import fcntl
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psycopg
from celery import beat
from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.core.wsgi import get_wsgi_application
from django.db import connection, connections
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer, MultiSocketServer, TcpWSGIServer, create_server

from beanpost.celery import QUICK, app
from beanpost.checks import LOOPBACK
from beanpost.leagues.webhooks import threads
from beanpost.middleware import check_content_type
from beanpost.monitoring import uptime
from beanpost.play import clock
from beanpost.post.outbox import claims, wake_up
from beanpost.post.receive import mail_server, postbox_process

SHORTEST_KEY = 32  # characters of a SECRET_KEY that nobody guesses
MEGABYTE = 1024 * 1024
LOCK = 0x6265616E  # "bean": the number of our lock in PostgreSQL, which each database has of its own

# waitress keeps the connection of a half-sent request open until nothing has come for `channel_timeout`. With these
# limits it still serves other visitors. Only a proxy can stop visitors who send a byte now and then.
LIMITS: dict[str, Any] = {
    "threads": 8,
    "connection_limit": 400,  # each takes up to two files: itself, and a temporary one for a large body
    "asyncore_use_poll": True,  # select() fails once a process has more than 1,024 files open
    "backlog": 1024,
    "channel_timeout": 20,  # seconds without a byte in either direction
    "cleanup_interval": 5,  # seconds between two looks for such connections
    "max_request_header_size": 32 * 1024,  # as much as nginx takes
    "inbuf_overflow": MEGABYTE // 2,  # a larger body waits in a temporary file
}
MAX_FORM = 3 * MEGABYTE  # the middleware refuses forms of more than 2.5 MB with a page of ours
MAX_WEBHOOK = 64 * MEGABYTE  # as in beanpost/deploy/nginx/beanpost.conf; from 50 MB on, webhooks.py tells the writer


class OneRequestChannel(HTTPChannel):
    """A connection that closes after the first answer if more requests wait on it. Browsers don't send them so.

    A visitor who sends a hundred requests at once and reads no answer would keep a thread waiting for ever: waitress
    has no time limit for a connection with requests.
    """

    def service(self) -> None:
        with self.requests_lock:  # type: ignore[attr-defined]
            first, *others = self.requests
            for request in others:
                request.close()
                first.headers["CONNECTION"] = "close"  # type: ignore[index]
            self.requests = [first]
        super().service()


class Command(BaseCommand):
    help = "Serve everything from one process: pages, letters and clock."

    def handle(self, *args: Any, **options: Any) -> None:
        if len(settings.SECRET_KEY) < SHORTEST_KEY:
            raise CommandError(f"SECRET_KEY must have at least {SHORTEST_KEY} characters: it signs every link.")
        for stop in (signal.SIGINT, signal.SIGTERM):
            signal.signal(stop, signal.default_int_handler)
        with suppress(KeyboardInterrupt), lock_folder(), lock_database():
            self.serve()
        self.stdout.write("Beanpost is closed.")

    def serve(self) -> None:
        server = create_web_server()  # first: if the port is taken, nothing else starts
        self.stdout.write("Preparing the database.")
        call_command("migrate", verbosity=0)
        if settings.DEMO:
            call_command("plant")
        if is_alone():
            claims.reclaim_all(clock.now())  # the queue dies with its process: nobody else can still be sending
        connections.close_all()
        with run_worker(), run_webhooks(), run_beat(), run_postbox():
            self.stdout.write("\n".join(greeting()))
            self.stdout.flush()
            uptime.note_start()
            server.run()  # until Ctrl-C


def is_alone() -> bool:
    """Return whether the queue is in this process. With a broker, several processes may share one database."""
    return bool(settings.CELERY_BROKER_URL.startswith("memory:"))


@contextmanager
def lock_folder() -> Iterator[None]:
    """Keep a second `serve` out of the data folder: it would take the letters that the first is sending."""
    settings.VAR.mkdir(mode=0o700, parents=True, exist_ok=True)
    with lock_file(settings.VAR / "serve.lock", f"the folder {settings.VAR}. Stop it first, or set BEANPOST_VAR."):
        yield


@contextmanager
def lock_database() -> Iterator[None]:
    """Keep a `serve` with another data folder, or on another machine, out of the same database."""
    name = connection.settings_dict["NAME"]
    why = f"the database {name}. Stop it first, or change DATABASE_URL."
    if connection.vendor == "sqlite":
        file = Path(name).resolve()  # whatever link or relative path leads to it
        with lock_file(file.with_name(f"{file.name}.lock"), why):
            yield
    elif is_alone() and not settings.DATABASE_BEHIND_POOLER:  # a pooler shares sessions, and their locks
        # A connection of its own: Django closes idle ones, and the lock ends with its connection.
        with connection.wrap_database_errors:  # command_line.py reports Django's errors in a sentence
            own = psycopg.connect(**connection.get_connection_params(), autocommit=True)
        with own:
            if own.execute("SELECT pg_try_advisory_lock(%s)", [LOCK]).fetchone() != (True,):
                raise CommandError(f"Beanpost is already using {why}")
            yield
    else:
        yield


@contextmanager
def lock_file(file: Path, why: str) -> Iterator[None]:
    with file.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CommandError(f"Beanpost is already using {why}") from None
        yield


def create_web_server() -> BaseWSGIServer | MultiSocketServer:
    TcpWSGIServer.channel_class = OneRequestChannel
    proxy = settings.TRUSTED_PROXY[0] if len(settings.TRUSTED_PROXY) == 1 else None  # waitress knows a single address
    try:
        return create_server(
            check_content_type(get_wsgi_application()),
            host=settings.HOST,
            port=settings.PORT,
            ident=None,
            max_request_body_size=MAX_WEBHOOK if takes_webhooks() else MAX_FORM,
            **LIMITS,
            trusted_proxy=proxy,
            trusted_proxy_headers={"x-forwarded-for", "x-forwarded-proto"} if proxy else set(),
            # Keep X-Forwarded-For from any other proxy: without it, strangers who come through a second proxy on this
            # machine would look like the machine itself (health.py). Nothing else believes it.
            clear_untrusted_proxy_headers=False,
        )
    except (OSError, ValueError) as fault:  # the port is taken or forbidden, or the address is not this machine's
        where = f"{settings.HOST}, port {settings.PORT}"
        why = getattr(fault, "strerror", None) or "There is no such address here"
        raise CommandError(f"Beanpost cannot listen on {where}: {why}. Try another, as in PORT=8001.") from None


def takes_webhooks() -> bool:
    return bool(settings.WEBHOOK_PROVIDERS and settings.ANYMAIL.get("WEBHOOK_SECRET"))


@contextmanager
def run_worker() -> Iterator[None]:
    ready = Event()
    # Not celery.apps.worker.Worker, which takes over signals and stdout.
    worker = app.WorkController(pool="threads", concurrency=4, queues=QUICK, ready_callback=lambda _: ready.set())
    Thread(target=worker.start, name="worker", daemon=True).start()
    ready.wait(timeout=10)
    for wake in (wake_up.SENDERS, wake_up.READERS):
        wake.request()  # for rows that a previous process left; beat would wait twenty seconds
    try:
        yield
    finally:
        worker.stop()  # returns when running tasks are done


@contextmanager
def run_webhooks() -> Iterator[None]:
    """Call webhooks in a thread of their own, instead of in the queue for slow work. Nothing waits for it."""
    app.conf.beat_schedule.pop("webhooks")
    stopped = Event()
    Thread(target=threads.call_until, args=(stopped,), name="webhooks", daemon=True).start()
    try:
        yield
    finally:
        stopped.set()


@contextmanager
def run_beat() -> Iterator[None]:
    service = beat.Service(app, scheduler_cls=beat.Scheduler)  # in memory: it has nothing to keep
    Thread(target=service.start, name="beat", daemon=True).start()
    try:
        yield
    finally:
        service.stop()


@contextmanager
def run_postbox() -> Iterator[None]:
    """Receive replies over LMTP or SMTP, if the host has configured it."""
    sockets = settings.POSTBOX if settings.INBOUND_DOMAIN else ()
    is_open = any(mail_server.is_open_to_others(address) for address in sockets)
    try:
        with postbox_process.run() if is_open else mail_server.open_listeners(sockets, clock.now):
            yield
    except mail_server.BadSocket as fault:
        raise CommandError(str(fault)) from None
    except postbox_process.DidNotOpen:
        raise CommandError("The postbox did not open, so Beanpost does not start.") from None


def greeting() -> Iterator[str]:
    yield f"Beanpost is open: {settings.SITE_URL}/"
    if settings.DEMO:
        yield from demo_greeting()
    else:
        queue = app.connection().transport_cls
        yield f"Pages, post and clock share this one process; the database is {connection.vendor}, the queue {queue}."
        if settings.POSTBOX and settings.INBOUND_DOMAIN:
            yield f"The postbox for {settings.INBOUND_DOMAIN} is open: {', '.join(settings.POSTBOX)}"
    if settings.HOST not in LOOPBACK and not settings.TRUSTED_PROXY:
        most = LIMITS["connection_limit"]
        yield f"Warning: without a proxy, {most} half-sent requests stop this site. See TRUSTED_PROXY."
    yield "Press Ctrl-C to stop."


def demo_greeting() -> Iterator[str]:
    from beanpost.play.demo import ORGANISER  # noqa: PLC0415 (only the demo has one)

    name, password = ORGANISER
    yield f"Sign in as the organiser: {settings.SITE_URL}/admin/ (name {name}, password {password})"
    yield f"Open Ann's letters: {settings.SITE_URL}/letters/ann/"
    if settings.HOST not in LOOPBACK:
        yield f"Warning: anybody who can reach {settings.HOST} can read every letter of this demo and sign in."
