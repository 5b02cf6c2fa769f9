"""System checks for settings that must not be combined.

The demo shows every letter to every visitor, so it must not run on a public address.
"""

from collections.abc import Iterator
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Info, Tags, Warning, register
from django.utils.module_loading import import_string

from beanpost.pages.hosts import webhooks
from beanpost.site import identity

LOOPBACK = ("127.0.0.1", "localhost", "::1")
DELIVERS_TO_NOBODY = {
    f"django.core.mail.backends.{name}.EmailBackend" for name in ("dummy", "locmem", "console", "filebased")
} | {f"anymail.backends.{name}.EmailBackend" for name in ("test", "console")}
MIN_SECRET_LENGTH = 24


def is_public(host: str) -> bool:
    """Return whether the host name or address can be reached from outside.

    >>> [is_public(host) for host in ("127.0.0.1", "192.168.1.7", "localhost", "beans.example", "93.184.215.14")]
    [False, False, False, True, True]
    """
    try:
        return not ip_address(host).is_private
    except ValueError:
        return "." in host and not host.endswith((".localhost", ".local"))


@register(Tags.security)
def check_demo(**_: Any) -> list[CheckMessage]:
    return list(find_demo_faults(settings)) if settings.DEMO else []


def find_demo_faults(config: Any) -> Iterator[CheckMessage]:
    if is_public(config.SITE_HOST):
        yield Error(
            f"The demo shows every letter to everybody, and SITE_URL is public: {config.SITE_URL}.",
            hint="Unset BEANPOST_DEMO to serve the public, or unset SITE_URL to try the demo at home.",
            id="beanpost.E001",
        )
    if config.HOST not in LOOPBACK and not config.DEMO_OPEN:
        yield Error(
            f"Everybody who can reach {config.HOST} could read every letter of the demo, play for anyone and sign in.",
            hint="Unset HOST to try the demo on this machine alone, or set BEANPOST_DEMO_OPEN=1 to let them.",
            id="beanpost.E010",
        )
    if config.EMAIL_BACKEND not in DELIVERS_TO_NOBODY:
        yield Error(
            f"The demo writes to nobody, and a real mail backend is set: {config.EMAIL_BACKEND}.",
            hint="Unset EMAIL_URL and EMAIL_BACKEND: the demo's letters are read at /letters/.",
            id="beanpost.E002",
        )
    if config.DATABASES["default"]["ENGINE"] != "django.db.backends.sqlite3":
        yield Error(
            "The demo plants made-up players, and DATABASE_URL names a real database server.",
            hint="Unset DATABASE_URL: the demo keeps a SQLite file of its own.",
            id="beanpost.E003",
        )


@register(Tags.security, deploy=True)
def check_https_links(**_: Any) -> list[CheckMessage]:
    if settings.HTTPS:
        return []
    return [
        Warning(
            f"Every letter links to SITE_URL, which is not an https address: {settings.SITE_URL}.",
            hint="Set SITE_URL to the address players reach, such as https://beans.example.",
            id="beanpost.W001",
        )
    ]


@register(Tags.security, deploy=True)
def check_source_url(**_: Any) -> list[CheckMessage]:
    if settings.SOURCE_URL:
        return []
    return [
        Info(
            "Visitors can't find the source of this site, which the AGPL asks every host to offer.",
            hint="Set SOURCE_URL to the address of the source that runs here, your changes included.",
            id="beanpost.I001",
        )
    ]


@register(Tags.security)
def check_accent_colour(**_: Any) -> list[CheckMessage]:
    accent = settings.ACCENT_COLOUR
    if not accent or identity.is_readable(accent):
        return []
    hint = "Choose a darker ACCENT_COLOUR: white text on it needs a contrast of 4.5."
    return [Error(f"White text can't be read on ACCENT_COLOUR {accent}.", hint=hint, id="beanpost.E008")]


@register(Tags.database, deploy=True)
def check_prepared_statements(**_: Any) -> list[CheckMessage]:
    return list(find_pooling_faults(settings))


def find_pooling_faults(config: Any) -> Iterator[CheckMessage]:
    """Warn of settings that fail behind PgBouncer in transaction mode: each transaction may get another connection."""
    database = config.DATABASES["default"]
    if database.get("OPTIONS", {}).get("prepare_threshold") is not None:
        yield Warning(
            "DATABASE_URL asks for prepared statements, which fail behind PgBouncer in transaction mode.",
            hint="Remove prepare_threshold from DATABASE_URL, or connect to PostgreSQL without a pooler in between.",
            id="beanpost.W010",
        )
    if not database.get("DISABLE_SERVER_SIDE_CURSORS"):
        yield Warning(
            "Server-side cursors are on, which fail behind PgBouncer in transaction mode.",
            hint="Leave DISABLE_SERVER_SIDE_CURSORS on, as beanpost/settings.py has it.",
            id="beanpost.W011",
        )


@register()
def check_queue(**_: Any) -> list[CheckMessage]:
    return list(find_queue_faults(settings))


def find_queue_faults(config: Any) -> Iterator[CheckMessage]:
    """Check that a task is stopped before the broker hands it to another worker, which would get stuck in it too."""
    visible = config.CELERY_BROKER_TRANSPORT_OPTIONS.get("visibility_timeout")
    if visible is not None and visible <= config.CELERY_TASK_TIME_LIMIT:
        yield Error(
            f"Redis gives a task to a second worker after {visible} seconds; the first may take "
            f"{config.CELERY_TASK_TIME_LIMIT}.",
            hint=f"Set visibility_timeout to more than {config.CELERY_TASK_TIME_LIMIT}, or leave it out.",
            id="beanpost.E011",
        )


@register(Tags.security, deploy=True)
def check_inbound_mail(**_: Any) -> list[CheckMessage]:
    return list(find_inbound_faults(settings))


def find_inbound_faults(config: Any) -> Iterator[CheckMessage]:
    """Warn if letters invite replies although no mail can come in through these providers."""
    unread = sorted(webhooks.FETCHED.intersection(config.WEBHOOK_PROVIDERS))
    if config.INBOUND_DOMAIN and not config.POSTBOX and unread and len(unread) == len(set(config.WEBHOOK_PROVIDERS)):
        yield Warning(
            f"Replies cannot come in by {', '.join(unread)}: such mail would be parsed before it is cut to size.",
            hint="Set POSTBOX and have a mail server hand replies on, or name another provider in WEBHOOK_PROVIDERS.",
            id="beanpost.W012",
        )


@register()
def check_sending(**_: Any) -> list[CheckMessage]:
    return list(find_sending_faults(settings))


def find_sending_faults(config: Any) -> Iterator[CheckMessage]:
    """Check that the mail backend can be imported. Otherwise the error would show only when a letter is sent."""
    try:
        import_string(config.EMAIL_BACKEND)
    except ImportError:
        yield Error(
            f"No letter can be sent: there is nothing called {config.EMAIL_BACKEND}.",
            hint="Set EMAIL_BACKEND as in anymail.backends.postmark.EmailBackend, or unset it for plain SMTP.",
            id="beanpost.E006",
        )


@register(Tags.security, deploy=True)
def check_webhook_hosts(**_: Any) -> list[CheckMessage]:
    """Warn of an ending such as `.com`: organisers could have us call almost any server, in our own network too."""
    return [
        Warning(
            f"Webhooks may call any server whose name ends with {host}.",
            hint="Name the services themselves in OUTGOING_WEBHOOK_HOSTS.",
            id="beanpost.W013",
        )
        for host in settings.OUTGOING_WEBHOOK_HOSTS
        if host.count(".") == 1 and host.startswith(".")
    ]


@register(Tags.security)
def check_webhook_secret(**_: Any) -> list[CheckMessage]:
    return [*find_webhook_faults(settings), *find_key_faults(settings)]


def find_webhook_faults(config: Any) -> Iterator[CheckMessage]:
    """Check the webhooks' secret: a provider's report can stop clocks or seat a bot, so nobody may forge one."""
    secret = config.ANYMAIL.get("WEBHOOK_SECRET", "")
    hint = "Set ANYMAIL_WEBHOOK_SECRET to name:password, both random; the provider needs it too (docs/hosting/mail.md)."
    if not secret and config.WEBHOOK_PROVIDERS and config.EMAIL_BACKEND not in DELIVERS_TO_NOBODY:
        yield Error("A mail provider is set, but no secret for its webhooks.", hint=hint, id="beanpost.E004")
    if secret and (":" not in secret or len(secret) < MIN_SECRET_LENGTH):
        yield Error("The secret for what a provider tells us is too easy to guess.", hint=hint, id="beanpost.E005")
    for name in sorted({*config.WEBHOOK_PROVIDERS} - webhooks.PROVIDERS):
        if not config.EMAIL_BACKEND.startswith(f"anymail.backends.{name}."):  # it sends, but has no webhooks
            yield Error(
                f"WEBHOOK_PROVIDERS names a provider whose webhooks nobody knows: {name}.",
                hint=f"Known are {', '.join(sorted(webhooks.PROVIDERS))}.",
                id="beanpost.E007",
            )


def find_key_faults(config: Any) -> Iterator[CheckMessage]:
    """Check that anymail has the key that each provider signs with. Otherwise every report would be refused."""
    lacking = webhooks.find_unset_keys(config.WEBHOOK_PROVIDERS, with_mail=bool(config.INBOUND_DOMAIN))
    for name, sentence in dict(lacking if config.ANYMAIL.get("WEBHOOK_SECRET") else ()).items():
        yield Error(
            f"Nothing that {name} reports can be checked without its key: {sentence}.",
            hint="Set the key in the environment, as ANYMAIL_…, or leave this provider out of WEBHOOK_PROVIDERS.",
            id="beanpost.E009",
        )
