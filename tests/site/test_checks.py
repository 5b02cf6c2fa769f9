"""System checks refuse settings that contradict each other before the server starts."""

from types import SimpleNamespace

import pytest
from django.conf import settings

from beanpost import checks


@pytest.fixture
def demo():
    """The demo's settings under `make run`."""
    return SimpleNamespace(
        SITE_URL="http://127.0.0.1:8000",
        SITE_HOST="127.0.0.1",
        HOST="127.0.0.1",
        DEMO_OPEN=False,
        EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend",
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3"}},
    )


def found(demo):
    return [fault.id for fault in checks.find_demo_faults(demo)]


def test_the_demo_passes_its_checks_on_a_local_machine(demo):
    assert found(demo) == []


def test_the_demo_refuses_a_public_address(demo):
    demo.SITE_HOST = "beans.example"
    assert found(demo) == ["beanpost.E001"]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "::1", "192.168.1.7", "beans.local", "my-laptop"])
def test_a_local_host_name_is_not_public(demo, host):
    demo.SITE_HOST = host
    assert found(demo) == []


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7"])
def test_the_demo_listens_beyond_loopback_only_with_a_second_setting(demo, host):
    demo.HOST = host
    assert found(demo) == ["beanpost.E010"]
    demo.DEMO_OPEN = True
    assert found(demo) == []


def test_the_demo_refuses_a_real_mail_backend(demo):
    demo.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    assert found(demo) == ["beanpost.E002"]


def test_the_demo_refuses_a_real_database(demo):
    demo.DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql"}}
    assert found(demo) == ["beanpost.E003"]


def test_every_check_message_is_a_sentence_with_a_hint(demo):
    demo.SITE_HOST, demo.EMAIL_BACKEND, demo.DATABASES = "beans.example", "", {"default": {"ENGINE": "other"}}
    faults = list(checks.find_demo_faults(demo))
    assert len(faults) == 3
    assert all(fault.msg.endswith(".") and fault.hint.endswith(".") for fault in faults)


def test_the_demo_checks_do_not_apply_outside_the_demo(settings):
    settings.DEMO = False
    settings.SITE_HOST = "beans.example"
    assert checks.check_demo() == []


def test_links_without_https_bring_a_warning(settings):
    settings.HTTPS = False
    assert [fault.id for fault in checks.check_https_links()] == ["beanpost.W001"]
    settings.HTTPS = True
    assert checks.check_https_links() == []


PROVIDER = "anymail.backends.postmark.EmailBackend"
SMTP = "django.core.mail.backends.smtp.EmailBackend"
GOOD = "post:a-password-nobody-guesses"


CONSOLE = "anymail.backends.console.EmailBackend"


@pytest.mark.parametrize(
    ("backend", "providers", "secret", "faults"),
    [
        (PROVIDER, ["postmark"], "", ["beanpost.E004"]),
        (PROVIDER, ["postmark"], "short:one", ["beanpost.E005"]),
        (PROVIDER, ["postmark"], "a-long-one-without-a-name-before-it", ["beanpost.E005"]),
        (PROVIDER, ["postmark"], GOOD, []),
        (SMTP, [], "", []),
        (SMTP, [], "x", ["beanpost.E005"]),
        (SMTP, ["mailgun"], "", ["beanpost.E004"]),
        (CONSOLE, ["console"], "", []),
    ],
)
def test_a_webhook_needs_a_secret(backend, providers, secret, faults):
    anymail = {"WEBHOOK_SECRET": secret} if secret else {}
    config = SimpleNamespace(EMAIL_BACKEND=backend, WEBHOOK_PROVIDERS=providers, ANYMAIL=anymail)
    assert [fault.id for fault in checks.find_webhook_faults(config)] == faults


def test_an_ending_that_lets_webhooks_go_almost_anywhere_brings_a_warning(settings):
    settings.OUTGOING_WEBHOOK_HOSTS = ["discord.com", ".club.example", ".com"]
    [fault] = checks.check_webhook_hosts()
    assert (fault.id, ".com" in fault.msg) == ("beanpost.W013", True)


@pytest.mark.parametrize(
    ("providers", "keys", "domain", "faults"),
    [
        (["mailgun"], {}, "", ["beanpost.E009"]),
        (["mailgun", "postmark"], {"MAILGUN_WEBHOOK_SIGNING_KEY": "beans"}, "in.beans.example", []),
        (["brevo"], {}, "in.beans.example", ["beanpost.E009"]),
        (["brevo"], {}, "", []),  # only its mail is fetched with a key
    ],
)
def test_a_provider_without_its_key_is_reported_at_the_start(settings, providers, keys, domain, faults):
    settings.ANYMAIL = {"WEBHOOK_SECRET": GOOD} | keys
    settings.WEBHOOK_PROVIDERS, settings.INBOUND_DOMAIN = providers, domain
    found = checks.check_webhook_secret()
    assert [fault.id for fault in found] == faults
    assert all(providers[0] in fault.msg and fault.msg.endswith(".") for fault in found)


@pytest.mark.parametrize(
    ("backend", "providers", "unknown"),
    [
        (SMTP, ["mailgun", "nope", "Postmark"], ["Postmark", "nope"]),
        (PROVIDER, ["postmark", "mailgun"], []),
        ("anymail.backends.scaleway.EmailBackend", ["scaleway"], []),
    ],
)
def test_an_unknown_provider_is_reported_with_the_known_ones(backend, providers, unknown):
    config = SimpleNamespace(EMAIL_BACKEND=backend, WEBHOOK_PROVIDERS=providers, ANYMAIL={"WEBHOOK_SECRET": GOOD})
    faults = list(checks.find_webhook_faults(config))
    assert [fault.id for fault in faults] == ["beanpost.E007"] * len(unknown)
    assert [fault.msg.rpartition(": ")[2].rstrip(".") for fault in faults] == unknown
    assert all("mailgun, mailjet" in fault.hint for fault in faults)


@pytest.mark.parametrize(
    ("backend", "faults"),
    [
        (SMTP, []),
        (PROVIDER, []),
        ("postmark", ["beanpost.E006"]),
        ("anymail.backends.beans.EmailBackend", ["beanpost.E006"]),
    ],
)
def test_an_email_backend_must_exist(backend, faults):
    assert [fault.id for fault in checks.find_sending_faults(SimpleNamespace(EMAIL_BACKEND=backend))] == faults


@pytest.mark.parametrize(
    ("providers", "domain", "postbox", "faults"),
    [
        (["resend"], "in.beans.example", [], ["beanpost.W012"]),
        (["amazon_ses", "mailtrap"], "in.beans.example", [], ["beanpost.W012"]),
        (["resend", "postmark"], "in.beans.example", [], []),
        (["resend"], "in.beans.example", ["lmtp://127.0.0.1:8024"], []),
        (["resend"], "", [], []),
        (["postmark"], "in.beans.example", [], []),
        ([], "in.beans.example", [], []),
    ],
)
def test_a_provider_by_which_no_reply_can_come_in_is_warned_of(providers, domain, postbox, faults):
    config = SimpleNamespace(WEBHOOK_PROVIDERS=providers, INBOUND_DOMAIN=domain, POSTBOX=postbox)
    assert [fault.id for fault in checks.find_inbound_faults(config)] == faults


# ── the queue ──


@pytest.mark.parametrize(("seconds", "found"), [(120, []), (110, ["beanpost.E011"]), (None, [])])
def test_a_task_is_stopped_before_redis_gives_it_to_a_second_worker(seconds, found):
    options = {} if seconds is None else {"visibility_timeout": seconds}
    config = SimpleNamespace(CELERY_BROKER_TRANSPORT_OPTIONS=options, CELERY_TASK_TIME_LIMIT=110)
    assert [fault.id for fault in checks.find_queue_faults(config)] == found


# ── behind PgBouncer ──


def pooled(**database):
    config = SimpleNamespace(DATABASES={"default": {"DISABLE_SERVER_SIDE_CURSORS": True} | database})
    return [fault.id for fault in checks.find_pooling_faults(config)]


def test_the_default_settings_are_safe_behind_a_pooler():
    assert list(checks.find_pooling_faults(settings)) == []
    assert pooled() == pooled(OPTIONS={"connect_timeout": 10}) == []


def test_prepared_statements_behind_a_pooler_bring_a_warning():
    assert pooled(OPTIONS={"prepare_threshold": 5}) == ["beanpost.W010"]


def test_server_side_cursors_behind_a_pooler_bring_a_warning():
    assert pooled(DISABLE_SERVER_SIDE_CURSORS=False) == ["beanpost.W011"]
