"""Read and check environment variables; refuse to start, with a sentence, if one is wrong."""

import json
import re
import sys
from contextlib import suppress
from ipaddress import ip_network
from typing import Any, NoReturn
from urllib.parse import urlsplit

import environ

env = environ.Env()
QUEUES = ("memory", "redis", "rediss", "redis+socket", "sentinel", "amqp", "amqps", "pyamqp")


def refuse(sentence: str) -> NoReturn:
    """Print why the service does not start, without a traceback, and exit."""
    print(sentence, file=sys.stderr)
    sys.exit(3)  # 3 tells gunicorn not to restart the worker


def read_text(name: str, default: str) -> str:
    """Return a variable's text. An empty variable counts as unset."""
    return env.str(name, "") or default


def read_number(name: str, default: int) -> int:
    text = read_text(name, str(default))
    return int(text) if text.isdecimal() else refuse(f"{name} must be a whole number.")


def read_switch(name: str, default: bool) -> bool:
    text = env.str(name, "").lower()
    if text in env.BOOLEAN_TRUE_STRINGS:
        return True
    if text in ("false", "off", "no", "n", "0"):
        return False
    return refuse(f"{name} must be yes or no.") if text else default


def read_list(name: str, default: list[str]) -> list[str]:
    """Return the values of a comma-separated variable."""
    return [one.strip() for one in env.str(name, "").split(",") if one.strip()] or default


def parse_json(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        refuse(f"{name} begins like JSON and cannot be read as JSON.")


def parse_networks(name: str) -> list[str]:
    """Return the values of a variable with addresses and networks, or `unix` for a socket file."""
    proxies = read_list(name, [])
    try:
        [ip_network(proxy) for proxy in proxies if proxy != "unix"]
    except ValueError:
        refuse(f"{name} must be like 10.0.0.1, 10.0.0.0/24 or unix, or several of them with commas.")
    return proxies


WRONG_SITE = "SITE_URL must be the address of the site, such as https://beans.example."


def parse_host(url: str, otherwise: str = WRONG_SITE) -> str:
    with suppress(ValueError):  # an invalid port or IPv6 address
        parts = urlsplit(url)
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            return parts.hostname
    refuse(otherwise)


def parse_database_url(url: str) -> dict[str, Any]:
    if re.match(r"sqlite://(/.|:memory:$)|(postgres|postgresql|psql|pgsql)://", url):
        with suppress(ValueError):  # an invalid port
            return {**env.db_url_config(url)}
    refuse(
        "DATABASE_URL must be like postgres://user:password@host/name or sqlite:////folder/file; "
        "without it, a SQLite file is used."
    )


def parse_queue_url(url: str) -> str:
    with suppress(ValueError):  # an invalid port
        first = urlsplit(url.partition(";")[0])  # the first of several brokers; the others are for failover
        if first.scheme in QUEUES and first.port != 0:
            return url
    refuse("CELERY_BROKER_URL must be like redis://host/0 or amqp://user:password@host//; without it all is in memory.")


def parse_header(words: list[str]) -> tuple[str, str] | None:
    match words:
        case []:
            return None
        case [name, value] if re.fullmatch(r"HTTP_[A-Z0-9_]+", name):
            return name, value
    refuse("SECURE_PROXY_SSL_HEADER must be like HTTP_X_FORWARDED_PROTO,https.")
