"""Settings, read from the environment. Production is the default; only `make run` turns on the demo."""

import logging
import os
import re
import ssl
from email.utils import parseaddr
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

from beanpost.admin.theme import UNFOLD_SETTINGS
from beanpost.environment import (
    env,
    parse_database_url,
    parse_header,
    parse_host,
    parse_json,
    parse_networks,
    parse_queue_url,
    read_list,
    read_number,
    read_switch,
    read_text,
    refuse,
)
from beanpost.i18n.languages import find_languages
from games.engine.catalogue import PACKAGES

BASE_DIR = Path(__file__).resolve().parent.parent
PACKED = BASE_DIR / "beanpost/packed"  # in a wheel, the templates lie inside the package
IS_INSTALLED = PACKED.is_dir()
PARTS = PACKED if IS_INSTALLED else BASE_DIR
own_files = Path.home() / ".local/share/beanpost" if IS_INSTALLED else BASE_DIR / "var"
VAR = Path(read_text("BEANPOST_VAR", str(own_files)))  # the service's own files
DEBUG = False  # in the demo too: Django's debug pages show secrets


def create_data_folder() -> Path:
    """Return the service's data folder, created if missing. Only its owner may read it: it holds players' hands."""
    try:
        VAR.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as fault:
        refuse(f"BEANPOST_VAR must be a folder that can be written to, not {VAR}: {fault.strerror}.")
    return VAR


def load_or_create_key() -> str:
    """Return the demo's secret key, stored in a file so that links survive a restart."""
    file = create_data_folder() / "secret_key"
    file.touch(mode=0o600)
    if not file.read_text():
        file.write_text(get_random_secret_key())
    return file.read_text()


# Addresses

DEMO = read_switch("BEANPOST_DEMO", False)
DEMO_OPEN = read_switch("BEANPOST_DEMO_OPEN", False)
HOST = read_text("HOST", "127.0.0.1")
port = read_text("PORT", "8000")
if not (port.isdecimal() and 0 < int(port) < 65536):
    refuse("PORT must be a number between 1 and 65535.")
PORT = int(port)
TRUSTED_PROXY = parse_networks("TRUSTED_PROXY")  # the only proxies whose X-Forwarded-… headers are believed
near = "127.0.0.1" if HOST == "0.0.0.0" else "localhost" if ":" in HOST else HOST
SITE_URL = read_text("SITE_URL", f"http://{near}:{PORT}").rstrip("/")
SITE_HOST = parse_host(SITE_URL)
ALLOWED_HOSTS = read_list("ALLOWED_HOSTS", [SITE_HOST, "localhost", "127.0.0.1"] if DEMO else [SITE_HOST])
CSRF_TRUSTED_ORIGINS = read_list("CSRF_TRUSTED_ORIGINS", [SITE_URL])

# Not through env, which reads a value that begins with $ as the name of another variable: one key in fifty does.
SECRET_KEY = os.environ.get("SECRET_KEY") or (load_or_create_key() if DEMO else "")
SECRET_KEY_FALLBACKS = [key for key in os.environ.get("SECRET_KEY_FALLBACKS", "").split(",") if key]
if not SECRET_KEY:
    refuse("Beanpost needs SECRET_KEY in its environment: a long random text, with which it signs every link.")

# The host's own site

SITE_NAME = read_text("SITE_NAME", "Beanpost")
SITE_FOOTER = read_text("SITE_FOOTER", "")
SITE_CONTACT = read_text("SITE_CONTACT", "")  # a mail address or a page
if SITE_CONTACT and not re.fullmatch(r"https?://\S+|[^@\s]+@[^@\s]+", SITE_CONTACT):
    refuse("SITE_CONTACT must be a mail address or the address of a page, such as https://beans.example/contact.")
SOURCE_URL = read_text("SOURCE_URL", "")  # the AGPL asks a host to offer the source of what runs here
if SOURCE_URL:
    parse_host(SOURCE_URL, "SOURCE_URL must be the address of the source, such as https://code.example/beanpost.")
ACCENT_COLOUR = read_text("ACCENT_COLOUR", "").lower()
if ACCENT_COLOUR and not re.fullmatch(r"#[0-9a-f]{6}", ACCENT_COLOUR):
    refuse("ACCENT_COLOUR must be like #2f6b3a.")
site_folder = read_text("SITE_FOLDER", "")  # texts/, templates/, static/ and locale/ of the host's own
SITE_FOLDER = Path(site_folder) if site_folder else None
if SITE_FOLDER and not SITE_FOLDER.is_dir():
    refuse(f"SITE_FOLDER must be a folder, and there is none at {SITE_FOLDER}.")

# Apps, the upper layers first

INSTALLED_APPS = [
    "beanpost",
    "beanpost.pages",
    "beanpost.privacy",
    "beanpost.leagues",
    "beanpost.post",
    "beanpost.play",
    "beanpost.players",
    *PACKAGES,  # each game's jinja2/, static/ and locale/
    "unfold.apps.BasicAppConfig",  # before the admin, whose templates it replaces
    "beanpost.admin.apps.OfficeConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "anymail",
    "axes",
    "csp",
]

# The modules with the kinds of letters (post/kinds.py).
LETTER_FAMILIES = [
    "beanpost.post.compose.contents",
    "beanpost.post.compose.absence_contents",
    "beanpost.post.compose.digests",
    "beanpost.post.compose.acknowledgements",
    "beanpost.post.compose.reply_answers",
    "beanpost.post.compose.account_contents",
    "beanpost.leagues.mail.letters",
    "beanpost.leagues.mail.organiser_letters",
    "beanpost.leagues.mail.contacts",
]

MIDDLEWARE = [
    "beanpost.middleware.leave_out_body_of_head",
    "django.middleware.security.SecurityMiddleware",
    "beanpost.site.static_files.StaticFilesMiddleware",
    "csp.middleware.CSPMiddleware",
    "beanpost.middleware.Scope",  # no middleware may read a form before the view: this one checks it right before
    "beanpost.middleware.Sessions",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",  # last: it replaces the response to a locked-out sign-in
]

ROOT_URLCONF = "beanpost.urls"
WSGI_APPLICATION = "beanpost.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# The two engines share no folder: Jinja2 would fail on a template of the admin instead of leaving it to Django's.
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",  # every letter and every page, errors included
        "DIRS": [*([SITE_FOLDER / "templates"] if SITE_FOLDER else []), PARTS / "templates"],
        "APP_DIRS": True,  # jinja2/ of each app: those of the games
        "OPTIONS": {"environment": "beanpost.template_engine.build_environment"},
    },
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",  # the admin; ours are in beanpost/templates/
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# The database

DATABASES = {
    "default": parse_database_url(env.str("DATABASE_URL", "") or f"sqlite:///{create_data_folder()}/beanpost.sqlite3")
}
database = DATABASES["default"]
in_a_file = database["ENGINE"] == "django.db.backends.sqlite3"
if in_a_file:
    database["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",  # a deferred transaction that writes after reading fails instead of waiting
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; "
        # One long reader may blow the journal up, and it would stay so until the last process stops.
        "PRAGMA journal_size_limit=67108864; "
        # Overwrite what is deleted with zeros: a promise of the privacy page, and not the default of every build.
        "PRAGMA secure_delete=ON;",
    }
else:  # a machine that loses its power or its cable says nothing: give up after seconds
    silence = {"connect_timeout": 3, "tcp_user_timeout": 5_000}  # seconds, milliseconds
    silence |= {"keepalives": 1, "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3}
    database["OPTIONS"] = silence | database.get("OPTIONS", {})
if read_switch("DATABASE_POOL", False) and not in_a_file:
    database["OPTIONS"]["pool"] = {"min_size": 1, "max_size": 4}  # the default always has four open
else:
    # A new connection for every request would cost four fifths of the throughput; on SQLite 3 ms, to read the schema.
    database["CONN_MAX_AGE"] = read_number("CONN_MAX_AGE", 600)
database["CONN_HEALTH_CHECKS"] = True
# No state stays at the server between transactions, so that PgBouncer may give each transaction another connection.
# Django prepares no statements unless OPTIONS ask for it (checks.py warns of that).
database["DISABLE_SERVER_SIDE_CURSORS"] = True
DATABASE_BEHIND_POOLER = read_switch("DATABASE_BEHIND_POOLER", False)
# Only beanpost.wsgi sets BEANPOST_WEB: nobody waits longer for a page than this. Workers and commands have more time.
# PgBouncer refuses these startup parameters; docs/hosting/grow.md says what to do behind it.
statement_timeout = read_number("WEB_STATEMENT_TIMEOUT", 30) if read_switch("BEANPOST_WEB", False) else 0
if not (in_a_file or DATABASE_BEHIND_POOLER):
    limits = {
        "lock_timeout": "8s" if statement_timeout else "30s",
        # The server, too, must notice that we are gone: until then it keeps our row locks.
        "idle_in_transaction_session_timeout": "60s",
        "tcp_keepalives_idle": "5",
        "tcp_keepalives_interval": "2",
        "tcp_keepalives_count": "3",
        "tcp_user_timeout": "10000",
    }
    if statement_timeout:
        limits["statement_timeout"] = f"{statement_timeout}s"
    ours = " ".join(f"-c {name}={value}" for name, value in limits.items())
    database["OPTIONS"]["options"] = f"{ours} {database['OPTIONS'].get('options', '')}".strip()

# Cache of verifications of ended matches, in each process's own memory: up to 70 bytes per line of the log

CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 1000}},
}

# The queue. A worker takes a task only when it is free for it, from its queues in turn. Tasks hand over after a minute;
# one that does not is stopped before Redis gives it to another worker, which would get stuck in it too.

CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_SOFT_TIME_LIMIT, CELERY_TASK_TIME_LIMIT = 90, 110  # seconds; the threads of `serve` cannot be stopped
CELERY_BROKER_URL = parse_queue_url(read_text("CELERY_BROKER_URL", "memory://localhost"))
if CELERY_BROKER_URL.startswith("memory:"):
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {"polling_interval": 0.1}  # the default is a second
else:
    # Give up quickly, so that no player waits for a broker that is down: the scheduled run sends the letters.
    CELERY_BROKER_TRANSPORT_OPTIONS = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1}
    if CELERY_BROKER_URL.startswith(("redis", "sentinel")):
        # Without timeouts every process, beat included, would wait for ever for a Redis that vanished silently.
        CELERY_BROKER_TRANSPORT_OPTIONS |= {"visibility_timeout": 120, "socket_connect_timeout": 2, "socket_timeout": 5}
CELERY_BROKER_TRANSPORT_OPTIONS |= parse_json("CELERY_BROKER_OPTIONS", read_text("CELERY_BROKER_OPTIONS", "{}"))
if CELERY_BROKER_URL.startswith("rediss:"):  # ?ssl_cert_reqs=none in the URL wins
    CELERY_BROKER_USE_SSL = {"ssl_cert_reqs": ssl.CERT_REQUIRED}
queue_type = read_text("CELERY_QUEUE_TYPE", "classic")  # celery.py declares the queues
if queue_type not in ("classic", "quorum"):
    refuse("CELERY_QUEUE_TYPE must be classic or quorum.")
if queue_type == "quorum" and "amqp" not in CELERY_BROKER_URL.partition(":")[0]:
    refuse("CELERY_QUEUE_TYPE=quorum is for RabbitMQ: CELERY_BROKER_URL must begin with amqp.")

# Mail. The demo sends nothing: its letters are read from the outbox.

try:
    vars().update(env.email_url_config(read_text("EMAIL_URL", "dummymail://" if DEMO else "smtp://localhost:25")))
except (ImproperlyConfigured, ValueError):
    refuse("EMAIL_URL must name a mail server, such as smtp+tls://user:password@host:587.")
EMAIL_BACKEND = read_text(
    "EMAIL_BACKEND", vars()["EMAIL_BACKEND"]
)  # for example anymail.backends.postmark.EmailBackend
EMAIL_TIMEOUT = 60  # a server may scan the whole letter first; giving up before it answers would send it twice
ANYMAIL = {
    name.removeprefix("ANYMAIL_"): parse_json(name, value) if value.startswith("{") else value  # as …_SEND_DEFAULTS
    for name, value in os.environ.items()
    if name.startswith("ANYMAIL_")
}
# Providers whose webhooks are served: the one that sends, unless set otherwise, for example to add one for replies.
WEBHOOK_PROVIDERS = read_list("WEBHOOK_PROVIDERS", re.findall(r"^anymail\.backends\.(\w+)", EMAIL_BACKEND))
DATA_UPLOAD_MAX_MEMORY_SIZE = 50 * 1024 * 1024  # for their mails with pictures; the middleware limits all forms
ENVELOPES_KEPT_DAYS = read_number("ENVELOPES_KEPT_DAYS", 365)  # after the end of the match; contents go after 30 days
OUTGOING_WEBHOOKS = read_switch("OUTGOING_WEBHOOKS", True)  # organisers may have their league's news sent to a chat
# The services that take it: a host, perhaps with a port, or a dot and the end of one. They may be in a private network.
OUTGOING_WEBHOOK_HOSTS = read_list("OUTGOING_WEBHOOK_HOSTS", ["discord.com", "hooks.slack.com"])
if not all(re.fullmatch(r"\.?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?", host) for host in OUTGOING_WEBHOOK_HOSTS):
    refuse("OUTGOING_WEBHOOK_HOSTS must be like discord.com,hooks.slack.com,chat.club.example:8443,.bridge.example.")
LETTERS_PER_MINUTE = read_number("LETTERS_PER_MINUTE", 0)  # rate limit of the provider; 0: no limit
UNCONFIRMED_LETTERS_A_DAY = read_number("UNCONFIRMED_LETTERS_A_DAY", 500)  # to addresses that nobody has confirmed yet
DEFAULT_FROM_EMAIL = SERVER_EMAIL = read_text("DEFAULT_FROM_EMAIL", f"{SITE_NAME} <post@{SITE_HOST}>")
if not re.fullmatch(r"[^@\s]+@[^@\s]+", parseaddr(DEFAULT_FROM_EMAIL)[1]):
    refuse("DEFAULT_FROM_EMAIL must hold a mail address, as in Beanpost <post@beans.example>.")
INBOUND_DOMAIN = env.str("INBOUND_DOMAIN", "").lower()  # for reply addresses, turn+…@…; "": no replies
if not re.fullmatch(r"[a-z0-9.-]*", INBOUND_DOMAIN):
    refuse("INBOUND_DOMAIN must be a domain alone, as in in.beans.example.")
POSTBOX = read_list("POSTBOX", [])  # where `manage.py postbox` listens: lmtp://127.0.0.1:8024, lmtp:///run/x.sock

# Language and time

LANGUAGE_CODE = "en"
LOCALE_PATHS = [*([SITE_FOLDER / "locale"] if SITE_FOLDER else []), BASE_DIR / "beanpost/locale"]
LANGUAGES = find_languages(LOCALE_PATHS)
FORMAT_MODULE_PATH = "beanpost.formats"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True

# Static files

STATIC_URL = "/static/"
STATIC_ROOT = Path(read_text("STATIC_ROOT", str(VAR / "static" if IS_INSTALLED else BASE_DIR / "static-collected")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "beanpost.site.static_files.HashedStorage"},
}
STATICFILES_DIRS = [SITE_FOLDER / "static"] if SITE_FOLDER and (SITE_FOLDER / "static").is_dir() else []
WHITENOISE_USE_FINDERS = not (STATIC_ROOT / "staticfiles.json").exists()

# Signing in to the admin

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",  # first: it refuses sign-ins after too many failures
    "beanpost.leagues.permissions.OrganiserBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_REDIRECT_URL = "admin:index"  # also if `next` names another host
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 1  # hour
AXES_LOCKOUT_TEMPLATE = "429.html"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]  # the pair: an attacker must not lock out the organiser
UNFOLD = UNFOLD_SETTINGS

# Security headers: consequences of an https SITE_URL, and what a browser may load

HTTPS = SITE_URL.startswith("https://")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = read_switch("SECURE_SSL_REDIRECT", HTTPS)
SECURE_HSTS_SECONDS = read_number("SECURE_HSTS_SECONDS", 365 * 24 * 3600 if HTTPS else 0)
# A proxy's word that a request came by TLS is believed only if its header is set, as in HTTP_X_FORWARDED_PROTO,https.
SECURE_PROXY_SSL_HEADER = parse_header(read_list("SECURE_PROXY_SSL_HEADER", []))
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)/?$"]  # requested from inside, without TLS
METRICS_TOKEN = read_text("METRICS_TOKEN", "")  # for programs on another machine; without it, loopback alone
SECURE_REFERRER_POLICY = "same-origin"  # with no-referrer browsers send "Origin: null", which the CSRF check refuses
X_FRAME_OPTIONS = "DENY"
# HSTS for subdomains and the browsers' preload list are for the host to decide.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "manifest-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    },
}

# The log

LEVELS = logging.getLevelNamesMapping()
LOG_LEVEL = read_text("LOG_LEVEL", "INFO").upper()
if LOG_LEVEL not in LEVELS:
    refuse(f"LOG_LEVEL must be one of {', '.join(LEVELS)}.")
LOG_FORMAT = read_text("LOG_FORMAT", "line")
if LOG_FORMAT not in ("line", "json"):
    refuse("LOG_FORMAT must be line or json.")
LOGGING_CONFIG = "beanpost.monitoring.logs.configure"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "beanpost.monitoring.logs.LineFormatter",
            "format": "{asctime} {levelname} {name}{request_mark}: {message}",
            "style": "{",
        },
        "json": {"()": "beanpost.monitoring.logs.JsonFormatter"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "django": {"handlers": [], "level": "INFO"},  # Django's own handler would mail error reports
        "django.security.DisallowedHost": {"level": "CRITICAL"},  # scanners try every host name
        "axes": {"level": "WARNING"},
        "celery": {"level": "WARNING"},  # below that it logs every task
        "mail.log": {"level": "WARNING"},  # the LMTP server of `manage.py postbox`: below that it logs every address
    },
}
SENTRY_DSN = read_text(
    "SENTRY_DSN", ""
)  # report errors to this Sentry server, without messages, variables or addresses
if SENTRY_DSN and not re.fullmatch(r"https?://[^@/\s]+@[^@/\s]+(/[^/\s]+)*/\d+", SENTRY_DSN):
    refuse("SENTRY_DSN must be like https://key@sentry.example/7.")
DEFAULT_EXCEPTION_REPORTER_FILTER = "beanpost.monitoring.logs.ReporterFilter"
