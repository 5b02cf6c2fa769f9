"""The environment alone configures the site, so each test loads the settings with an environment of its own."""

import os
import re
import runpy
import socket
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.site.test_serve import free_port

pytestmark = pytest.mark.own_process
ROOT = Path(__file__).parents[2]
KEY = "a-key-of-more-than-fifty-characters-that-opens-no-door-anywhere"
BASE_ENV = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}


@pytest.fixture
def manage(tmp_path):
    """Run manage.py with these environment variables and no others."""

    def run(*words, **environment):
        variables = BASE_ENV | {"BEANPOST_VAR": str(tmp_path)} | environment
        command = [sys.executable, ROOT / "manage.py", *words]
        return subprocess.run(command, env=variables, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)

    return run


@pytest.fixture
def settings_of(tmp_path):
    """Load the settings with this environment, without starting a process."""

    def read(**environment):
        variables = BASE_ENV | {"BEANPOST_VAR": str(tmp_path), "SECRET_KEY": KEY} | environment
        with patch.dict(os.environ, variables, clear=True):
            return runpy.run_path(str(ROOT / "beanpost" / "settings.py"))

    return read


@pytest.mark.parametrize("words", [["check"], ["serve"]])
def test_a_missing_secret_key_is_refused_with_one_sentence(manage, words):
    refused = manage(*words)
    assert refused.returncode != 0
    assert refused.stderr.startswith("Beanpost needs SECRET_KEY")
    assert refused.stderr.count("\n") == 1


@pytest.mark.parametrize("program", [["celery", "-A", "beanpost", "report"], ["gunicorn", "beanpost.wsgi", "-b", ":0"]])
def test_celery_and_gunicorn_refuse_a_missing_key_without_a_traceback(program, tmp_path):
    command = [Path(sys.executable).with_name(program[0]), *program[1:]]
    refused = subprocess.run(command, env=BASE_ENV, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert refused.returncode != 0
    assert "Beanpost needs SECRET_KEY" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_sqlite_syncs_every_transaction_to_disk(manage):
    """Level 2 (FULL): each transaction waits for the disk (docs/decisions/0013)."""
    asked = "from django.db import connection as c; print(c.cursor().execute('PRAGMA synchronous').fetchone())"
    assert manage("shell", "--no-imports", "-c", asked, SECRET_KEY=KEY).stdout == "(2,)\n"


def test_a_port_that_is_not_a_number_is_refused(manage):
    refused = manage("check", SECRET_KEY=KEY, PORT="eight")
    assert refused.stderr == "PORT must be a number between 1 and 65535.\n"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SITE_URL", "beans.example"),
        ("SITE_URL", "https://"),
        ("SITE_URL", "http://[x"),
        ("SITE_URL", "https://beans.example:beans"),
        ("DATABASE_URL", "beans"),
        ("DATABASE_URL", "mysql://ann:beans@db.example/beanpost"),
        ("DATABASE_URL", "postgres://ann:beans@db.example:beans/beanpost"),
        ("DATABASE_URL", "sqlite://beans.sqlite3"),
        ("CONN_MAX_AGE", "long"),
        ("EMAIL_URL", "mail.example"),
        ("EMAIL_URL", "smtp://mail.example:beans"),
        ("ANYMAIL_POSTMARK_SEND_DEFAULTS", "{beans"),
        ("LETTERS_PER_MINUTE", "many"),
        ("SECURE_HSTS_SECONDS", "-1"),
        ("LOG_LEVEL", "loud"),
        ("SENTRY_DSN", "sentry.example"),
        ("SENTRY_DSN", "https://sentry.example/7"),
        ("BEANPOST_VAR", "/dev/null/beans"),
        ("CELERY_BROKER_URL", "beans"),
        ("CELERY_BROKER_URL", "redis://queue.example:beans/0"),
        ("DEFAULT_FROM_EMAIL", "Beanpost"),
        ("INBOUND_DOMAIN", "post@in.beans.example"),
        ("OUTGOING_WEBHOOK_HOSTS", "discord.com,https://chat.example/"),
        ("OUTGOING_WEBHOOK_HOSTS", "Ann@chat.example"),
        ("TRUSTED_PROXY", "proxy.example"),
        ("TRUSTED_PROXY", "10.0.0.1,10.0.0.1/24"),
        ("SECURE_PROXY_SSL_HEADER", "https"),
        ("SECURE_PROXY_SSL_HEADER", "X-Forwarded-Proto,https"),
        ("SECURE_SSL_REDIRECT", "ture"),
        ("BEANPOST_DEMO", "beans"),
    ],
)
def test_an_invalid_setting_is_refused_by_name_in_one_sentence(settings_of, capsys, name, value):
    server = {"DATABASE_URL": "postgres://ann:beans@db.example/beanpost"} if name == "CONN_MAX_AGE" else {}
    with pytest.raises(SystemExit):
        settings_of(**server | {name: value})
    sentence = capsys.readouterr().err
    assert sentence.startswith(name)
    assert sentence.endswith(".\n")
    assert sentence.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "database", "why"),
    [
        (["migrate"], "postgres://ann:beans@127.0.0.1:1/beanpost", "refused"),
        (["serve"], "postgres://ann:beans@127.0.0.1:1/beanpost", "refused"),
        (["audit"], "", "no such table"),
    ],
)
def test_an_unusable_database_is_named_without_a_traceback(manage, words, database, why):
    refused = manage(*words, SECRET_KEY=KEY, DATABASE_URL=database, PORT=str(free_port()))
    assert refused.returncode == 1
    assert refused.stderr.startswith("The database cannot be used: ")
    assert why in refused.stderr
    assert "DATABASE_URL" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.usefixtures("migrated")
def test_a_database_of_an_unreleased_version_is_refused_and_stays_as_it_is(manage, tmp_path):
    with closing(sqlite3.connect(tmp_path / "beanpost.sqlite3")) as database:
        database.execute("UPDATE django_migrations SET name = '0001_initial' WHERE app = 'play'")
        database.commit()
        before = list(database.iterdump())
        refused = manage("serve", SECRET_KEY=KEY, PORT=str(free_port()))
        assert refused.returncode == 1
        assert refused.stderr == (
            "CommandError: This database was made by an unreleased version of Beanpost: "
            f"{tmp_path}/beanpost.sqlite3. Start with a new one.\n"
        )
        assert list(database.iterdump()) == before


@pytest.mark.parametrize("queue", ["redis://127.0.0.1:{}/0", "amqp://ann:beans@127.0.0.1:{}//"])
def test_a_silent_queue_times_out(manage, queue):
    """As one does whose machine was lost or whose disk hangs: the clock would stand still for as long."""
    asked = "from beanpost.post import metrics; print(metrics.check_broker().is_well)"
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = queue.format(silent.getsockname()[1])
        result = manage("shell", "--no-imports", "-c", asked, SECRET_KEY=KEY, CELERY_BROKER_URL=url)
    assert result.stdout == "False\n"


def test_a_key_an_https_address_and_the_source_are_enough_for_a_public_site(manage):
    variables = {"SECRET_KEY": KEY, "SITE_URL": "https://beans.example", "SOURCE_URL": "https://code.example/beanpost"}
    checked = manage("check", "--deploy", "--fail-level", "WARNING", **variables)
    assert checked.returncode == 0, checked.stderr
    assert "no issues" in checked.stdout


def test_the_demo_stores_its_key_readable_by_its_owner_only(settings_of, tmp_path):
    first, again = (settings_of(BEANPOST_DEMO="1", SECRET_KEY="")["SECRET_KEY"] for _ in range(2))
    assert first == again
    assert len(first) >= 50
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600


def test_a_key_may_begin_with_any_character(settings_of):
    assert settings_of(SECRET_KEY=f"${KEY}", SECRET_KEY_FALLBACKS="$older")["SECRET_KEY"] == f"${KEY}"


def test_hosts_sender_and_cookies_follow_from_the_site_url(settings_of):
    read = settings_of(SITE_URL="https://beans.example/")
    assert read["SITE_URL"] == "https://beans.example"
    assert read["ALLOWED_HOSTS"] == ["beans.example"]
    assert read["DEFAULT_FROM_EMAIL"] == "Beanpost <post@beans.example>"
    assert read["SESSION_COOKIE_SECURE"]
    assert read["SECURE_SSL_REDIRECT"]


def test_an_empty_variable_counts_as_unset(settings_of):
    names = ("ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "CELERY_BROKER_URL", "DEFAULT_FROM_EMAIL", "SECURE_SSL_REDIRECT")
    more = ("HOST", "PORT", "EMAIL_BACKEND", "STATIC_ROOT", "LETTERS_PER_MINUTE", "SECURE_HSTS_SECONDS", "LOG_LEVEL")
    at_home = {"SITE_URL": "https://beans.example"}
    unset, empty = (settings_of(**at_home, **variables) for variables in ({}, dict.fromkeys((*names, *more), "")))
    assert [name for name in (*names, *more) if empty[name] != unset[name]] == []


def test_empty_variables_give_the_default_address_and_paths(settings_of):
    names = ("SITE_URL", "EMAIL_URL", "BEANPOST_VAR", "CONN_MAX_AGE", "LOG_FORMAT")
    empty = settings_of(DATABASE_URL="postgres://ann:beans@db.example/beanpost", **dict.fromkeys(names, ""))
    assert (empty["SITE_URL"], empty["EMAIL_HOST"]) == ("http://127.0.0.1:8000", "localhost")
    assert (empty["VAR"], empty["LOG_FORMAT"]) == (ROOT / "var", "line")
    assert empty["DATABASES"]["default"]["CONN_MAX_AGE"] == 600


def test_a_list_of_hosts_may_contain_spaces(settings_of):
    assert settings_of(ALLOWED_HOSTS="a.example, b.example")["ALLOWED_HOSTS"] == ["a.example", "b.example"]


@pytest.mark.parametrize(
    ("host", "near"), [("0.0.0.0", "127.0.0.1"), ("::1", "localhost"), ("beans.local", "beans.local")]
)
def test_the_default_site_url_is_the_address_the_server_listens_on(settings_of, host, near):
    assert settings_of(HOST=host)["SITE_URL"] == f"http://{near}:8000"


def test_a_host_may_override_the_defaults(settings_of):
    read = settings_of(
        ALLOWED_HOSTS="a.example,b.example",
        SECURE_PROXY_SSL_HEADER="HTTP_X_FORWARDED_PROTO,https",
        SECRET_KEY_FALLBACKS="older,oldest",
    )
    assert read["ALLOWED_HOSTS"] == ["a.example", "b.example"]
    assert read["SECURE_PROXY_SSL_HEADER"] == ("HTTP_X_FORWARDED_PROTO", "https")
    assert read["SECRET_KEY_FALLBACKS"] == ["older", "oldest"]


def test_the_default_is_a_sqlite_file_and_an_in_memory_broker(settings_of, tmp_path):
    read = settings_of()
    assert read["DATABASES"]["default"]["NAME"] == f"{tmp_path}/beanpost.sqlite3"
    assert read["DATABASES"]["default"]["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert read["CELERY_BROKER_URL"].startswith("memory://")


@pytest.mark.parametrize(
    ("url", "where"),
    [
        ("postgresql://ann:beans@db.example/beanpost", ("db.example", "beanpost")),
        ("psql://ann:beans@db.example/beanpost", ("db.example", "beanpost")),
        ("postgres:////var/run/postgresql/beanpost", ("/var/run/postgresql", "beanpost")),
        ("sqlite:///beans.sqlite3", ("", "beans.sqlite3")),
        ("sqlite:////srv/beans.sqlite3", ("", "/srv/beans.sqlite3")),
    ],
)
def test_a_database_url_may_have_every_usual_form(settings_of, url, where):
    database = settings_of(DATABASE_URL=url)["DATABASES"]["default"]
    assert (database["HOST"], database["NAME"]) == where


@pytest.mark.parametrize(("pool", "age"), [("0", 600), ("1", None)])
def test_a_database_connection_is_kept_open_and_checked(settings_of, pool, age):
    read = settings_of(DATABASE_URL="postgres://ann:beans@db.example/beanpost", DATABASE_POOL=pool)
    database = read["DATABASES"]["default"]
    assert database.get("CONN_MAX_AGE") == age
    assert database["OPTIONS"].get("pool") == ({"min_size": 1, "max_size": 4} if pool == "1" else None)
    assert database["CONN_HEALTH_CHECKS"]


@pytest.mark.parametrize(("wish", "seconds"), [("", 3), ("?connect_timeout=7", 7)])
def test_a_silent_database_server_is_given_up_within_seconds(settings_of, wish, seconds):
    options = settings_of(DATABASE_URL=f"{SERVER}{wish}")["DATABASES"]["default"]["OPTIONS"]
    assert int(options["connect_timeout"]) == seconds
    assert options["tcp_user_timeout"] == 5_000
    assert options["keepalives_idle"] + options["keepalives_interval"] * options["keepalives_count"] == 11


SERVER = "postgres://ann:beans@db.example/beanpost"


@pytest.mark.parametrize(
    ("environment", "statements", "locks"),
    [
        ({"BEANPOST_WEB": "yes"}, ["30s"], "8s"),
        ({"BEANPOST_WEB": "yes", "WEB_STATEMENT_TIMEOUT": "5"}, ["5s"], "8s"),
        ({"BEANPOST_WEB": "yes", "WEB_STATEMENT_TIMEOUT": "0"}, [], "30s"),
        ({"WEB_STATEMENT_TIMEOUT": "5"}, [], "30s"),
    ],
)
def test_only_web_processes_have_a_statement_timeout(settings_of, environment, statements, locks):
    options = settings_of(DATABASE_URL=SERVER, **environment)["DATABASES"]["default"]["OPTIONS"]["options"]
    assert re.findall(r"-c statement_timeout=(\w+)", options) == statements
    assert re.findall(r"-c lock_timeout=(\w+)", options) == [locks]
    assert "idle_in_transaction_session_timeout=60s" in options


def test_a_pooler_gets_no_startup_parameters(settings_of):
    read = settings_of(DATABASE_URL=SERVER, BEANPOST_WEB="yes", DATABASE_BEHIND_POOLER="yes")
    assert "options" not in read["DATABASES"]["default"]["OPTIONS"]


def test_database_options_of_the_hosts_own_win(settings_of):
    read = settings_of(DATABASE_URL=f"{SERVER}?options=-c%20lock_timeout%3D1s", BEANPOST_WEB="yes")
    assert read["DATABASES"]["default"]["OPTIONS"]["options"].endswith(
        " -c lock_timeout=1s"
    )  # PostgreSQL takes the last


def test_sqlites_journal_shrinks_again(settings_of):
    options = settings_of()["DATABASES"]["default"]["OPTIONS"]
    database = sqlite3.connect(":memory:")
    database.executescript(options["init_command"])
    assert database.execute("PRAGMA journal_size_limit").fetchone() == (64 * 1024 * 1024,)


def test_sqlite_overwrites_what_is_deleted(settings_of, tmp_path):
    file = tmp_path / "beans.sqlite3"
    database = sqlite3.connect(file)
    database.execute("PRAGMA secure_delete=OFF")
    database.executescript(settings_of()["DATABASES"]["default"]["OPTIONS"]["init_command"])
    database.executescript("CREATE TABLE texts (words); INSERT INTO texts VALUES ('nickmarker'); DELETE FROM texts;")
    database.executescript("PRAGMA wal_checkpoint(TRUNCATE);")
    assert b"nickmarker" not in file.read_bytes()


def test_sqlite_has_no_statement_timeout(settings_of):
    assert "options" not in settings_of(BEANPOST_WEB="yes")["DATABASES"]["default"]["OPTIONS"]


def test_gunicorn_is_a_web_process_and_a_command_is_not(manage, tmp_path):
    ask = "from django.conf import settings; print(settings.DATABASES['default']['OPTIONS'].get('options'))"
    environment = BASE_ENV | {"BEANPOST_VAR": str(tmp_path), "SECRET_KEY": KEY, "DATABASE_URL": SERVER}
    web = [sys.executable, "-c", f"import beanpost.wsgi; {ask}"]
    shown = subprocess.run(
        web, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    ).stdout
    assert "-c statement_timeout=30s" in shown
    told = manage("shell", "--no-imports", "-c", ask, SECRET_KEY=KEY, DATABASE_URL=SERVER).stdout
    assert "-c lock_timeout=30s" in told
    assert "statement_timeout" not in told


def test_a_pooler_needs_no_setting(settings_of):
    database = settings_of(DATABASE_URL="postgres://ann:beans@db.example/beanpost")["DATABASES"]["default"]
    assert database["DISABLE_SERVER_SIDE_CURSORS"]
    assert "prepare_threshold" not in database["OPTIONS"]


def test_sqlite_ignores_the_pool_setting(settings_of):
    database = settings_of(DATABASE_POOL="1")["DATABASES"]["default"]
    assert database["CONN_MAX_AGE"] == 600
    assert "pool" not in database["OPTIONS"]


def test_a_broker_hands_out_one_task_at_a_time_and_redelivers_it_soon(settings_of):
    read = settings_of(CELERY_BROKER_URL="redis://queue.example/0")
    assert read["CELERY_WORKER_PREFETCH_MULTIPLIER"] == 1
    assert read["CELERY_BROKER_TRANSPORT_OPTIONS"]["visibility_timeout"] <= 300


def test_mail_may_be_sent_through_a_server(settings_of):
    assert settings_of(EMAIL_URL="smtp+tls://ann:beans@mail.example:587")["EMAIL_HOST"] == "mail.example"


def test_mail_may_be_sent_through_a_provider(settings_of):
    provider = "anymail.backends.postmark.EmailBackend"
    read = settings_of(EMAIL_BACKEND=provider, ANYMAIL_POSTMARK_SERVER_TOKEN="beans")
    assert read["EMAIL_BACKEND"] == provider
    assert read["ANYMAIL"] == {"POSTMARK_SERVER_TOKEN": "beans"}
    assert read["WEBHOOK_PROVIDERS"] == ["postmark"]


def test_a_provider_setting_may_be_json(settings_of):
    read = settings_of(
        ANYMAIL_POSTMARK_SEND_DEFAULTS='{"esp_extra": {"MessageStream": "turns"}}', LETTERS_PER_MINUTE="9"
    )
    assert read["ANYMAIL"]["POSTMARK_SEND_DEFAULTS"] == {"esp_extra": {"MessageStream": "turns"}}
    assert (read["LETTERS_PER_MINUTE"], read["WEBHOOK_PROVIDERS"]) == (9, [])


def test_the_demo_sends_no_mail(settings_of):
    assert settings_of(BEANPOST_DEMO="1")["EMAIL_BACKEND"] == "django.core.mail.backends.dummy.EmailBackend"


def test_the_brokers_options_are_added_to_ours(settings_of):
    read = settings_of(CELERY_BROKER_URL="sentinel://a:26379;sentinel://b:26379", CELERY_BROKER_OPTIONS=SENTINEL)
    options = read["CELERY_BROKER_TRANSPORT_OPTIONS"]
    assert (options["master_name"], options["visibility_timeout"], options["socket_timeout"]) == ("beans", 120, 5)


SENTINEL = '{"master_name": "beans"}'


@pytest.mark.parametrize(("kind", "arguments"), [("", "None"), ("quorum", "{'x-queue-type': 'quorum'}")])
def test_the_queues_of_rabbitmq_may_be_quorum_queues(manage, kind, arguments):
    shown = "from beanpost.celery import app; print({str(q.queue_arguments) for q in app.amqp.queues.values()})"
    rabbit = {"CELERY_BROKER_URL": "amqp://guest:guest@127.0.0.1//", "CELERY_QUEUE_TYPE": kind}
    told = manage("shell", "--no-imports", "-c", shown, SECRET_KEY=KEY, **rabbit).stdout
    assert told == f"{ {arguments} }\n"


@pytest.mark.parametrize(("kind", "url"), [("quorum", "redis://127.0.0.1/0"), ("fast", "amqp://127.0.0.1//")])
def test_a_queue_type_that_the_broker_does_not_have_is_refused(manage, kind, url):
    refused = manage("check", SECRET_KEY=KEY, CELERY_QUEUE_TYPE=kind, CELERY_BROKER_URL=url)
    assert refused.stderr.startswith("CELERY_QUEUE_TYPE")
    assert refused.stderr.count("\n") == 1
