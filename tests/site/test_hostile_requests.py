"""Random requests to every page in four roles: a stranger, a player with a seat, an organiser and the host.

A request may have an odd method, odd headers, queries, cookies, and a body of any kind with the fields of our forms.
Whatever it is, it gets a page, and takes little time. A little here, much with `make fuzz`.
"""

import os
import random
import re
import time
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db import transaction
from django.test import Client
from django.urls import reverse

from beanpost.leagues.models import League
from beanpost.middleware import check_content_type
from beanpost.pages.hosts.webhooks import PROVIDERS, list_webhooks
from beanpost.play import clock
from beanpost.play.models import Match
from beanpost.urls import handler400, handler403, handler404, handler500  # noqa: F401 (Django reads them here)
from beanpost.urls import urlpatterns as site_urls
from tests.friends import NOON
from tests.leagues.office import found_league, season_after_one_round
from tests.pages.gallery import every_page
from tests.site.test_every_address import ROUTES, SIGNING_OUT, SLOT, host, player  # noqa: F401 (fixtures)

urlpatterns = [*site_urls, *list_webhooks(PROVIDERS)]
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.urls(__name__),
    pytest.mark.filterwarnings("ignore::anymail.exceptions.AnymailInsecureWebhookWarning"),  # with a secret all get 400
]

REQUESTS = int(os.environ.get("FUZZ", "20")) * 5  # per role
MAX_SECONDS = 0.3  # of processor time; what takes longer must take half of that for half of its input
METHODS = ["POST"] * 6 + ["GET"] * 3 + ["HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "BEANS"]
LONG = [
    b"(", b"[", b"\"'", b" ", b",", b"a@b,", b"\xcc\x81", b"\xef\xb7\xba", b"\xf0\x9f\x98\x80", b"1", b"x\n", b"<a ",
]  # fmt: skip
SHORT = [
    b"", b"x", b"0", b"-1", b"9" * 25, b"\0", b"a\0b", b"\xff\xfe", b"\xed\xa0\x80", b"1e999", b"NaN", b"None", b"on",
    b"2026-02-30", b"0000-00-00", b"24:61", b"x" * 2_000, b"%s%n", b"../../etc/passwd", b"{}", b"[1", b"\r\nA: b",
    b"ann@example.org", b"haricots/sprint", b"\xe2\x80\xae", b"\xd9\xa3", b"\xc2\xb2", b"=cmd()", b"daily", b"1000",
]  # fmt: skip
HEADERS = (
    "Accept", "Accept-Language", "Accept-Encoding", "Authorization", "Cookie", "Host", "If-Match", "If-Modified-Since",
    "If-None-Match", "If-Range", "Origin", "Range", "Referer", "X-Forwarded-For", "X-Forwarded-Proto", "X-Request-ID",
    "X-Requested-With", "User-Agent", "Content-Encoding", "X-Beans",
)  # fmt: skip
ODD_HEADERS = [
    "", "x", "\xff", "bytes=0-,5-1", 'W/"', "*", "fr;q=9,en;q=x", "Basic !!!", "Basic Og==", "Wed, 99 Foo 2026",
    "://", "http://[", "'" * 500, ";" * 4_000, "a=b;" * 900, "csrftoken=" + "x" * 3_000, 'sessionid="', "zone=../..",
    "-" * 900, ",".join(["fr"] * 900), "unix", "127.0.0.1, ::1%x",
]  # fmt: skip
TYPES = (
    "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "multipart/form-data", "application/json",
    "text/plain; charset=punycode", "multipart/mixed; boundary=x", "x" * 250, "",
)  # fmt: skip

Request = tuple[str, str, bytes, str, dict[str, str]]  # method, path, body, type, headers


@pytest.fixture
def stranger():
    return Client(raise_request_exception=False)


@pytest.fixture
def organiser(addresses):
    """An organiser of one of two leagues: in the office every query is narrowed to that league."""
    found_league("Pea League")
    client = Client(raise_request_exception=False)
    user = get_user_model().objects.create_user("olga", email="olga@example.org", is_staff=True)
    League.objects.get(slug="bean-league").organisers.add(user)
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def addresses(monkeypatch):
    """Paths that lead somewhere, and each route with odd values."""
    monkeypatch.setattr(clock, "now", lambda: NOON)
    season_after_one_round()
    known = [*every_page().values(), *office_pages()]
    return [*known, *(route for route in ROUTES if route not in SIGNING_OUT), "/anymail/postmark/tracking/"]


def office_pages() -> Iterator[str]:
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{name}_changelist")
        for row in model._default_manager.all()[:1]:
            yield reverse(f"{name}_change", args=[row.pk])


class Requests:
    """Random requests. Forms are filled with the names of fields that pages have shown so far."""

    def __init__(self, seed: int, paths: list[str]) -> None:
        self.chance, self.paths = random.Random(seed), paths
        self.names = {"action", "_selected_action", "select_across", "file", "people", "do", "form-TOTAL_FORMS", "next"}
        slug = League.objects.values_list("slug", flat=True).first() or "x"
        code = Match.objects.values_list("code", flat=True).first() or "x"
        self.values = [b"1", b"2", slug.encode(), code.encode()]

    def value(self) -> bytes:
        if self.chance.random() < 0.05:
            return self.chance.choice(LONG) * self.chance.choice([1_000, 30_000])
        return self.chance.choice(SHORT + self.values * 4)

    def path(self) -> str:
        path = SLOT.sub(lambda _: quote(self.value()[:2_000]), self.chance.choice(self.paths))
        if self.chance.random() < 0.4:
            path += f"?{self.fields()[:8_000].decode()}"
        return path

    def fields(self) -> bytes:
        names = self.chance.choices(sorted(self.names), k=self.chance.randint(1, 12))
        return "&".join(f"{quote(name)}={quote(self.value())}" for name in names).encode()

    def parts(self) -> bytes:
        parts = []
        for name in self.chance.choices(sorted(self.names), k=self.chance.randint(1, 12)):
            file = self.chance.choice([b"", b'; filename="a.csv"', b"; filename*=punycode''x", b'; filename="'])
            end = self.chance.choice([b"\r\n\r\n", b"\r\nContent-Transfer-Encoding: base64\r\n\r\n", b"\n"])
            head = b'--x\r\nContent-Disposition: form-data; name="' + name.encode() + b'"'
            parts.append(head + file + end + self.value())
        return b"\r\n".join([*parts, self.chance.choice([b"--x--\r\n", b"--x", b""])])

    def draw(self) -> Request:
        kind = self.chance.choice((*TYPES[:2] * 4, *TYPES))
        body = self.parts() if kind.startswith("multipart") else self.fields()
        if "json" in kind:
            body = self.chance.choice([b"{", b"[]", b"null", b'{"RecordType": "x"}', b"[" * 50_000])
        names = self.chance.sample(HEADERS, k=self.chance.choice([0, 0, 1, 3]))
        headers = {name: self.chance.choice(ODD_HEADERS) for name in names}
        return self.chance.choice(METHODS), self.path(), body[: 250 * 1024], kind, headers


def learn(client: Client, drawn: Requests, path: str) -> None:
    """Add the fields and the links of a page to what requests are made of."""
    page = client.get(path).content
    drawn.names.update(
        name.decode() for name in re.findall(rb'<(?:input|select|textarea|button)[^>]* name="([^"]+)"', page)
    )
    links = {link.decode() for link in re.findall(rb'(?:href|action)="(/[^"#?]+)', page)}
    drawn.paths += sorted(links.difference(drawn.paths, SIGNING_OUT))


def send(client: Client, request: Request) -> tuple[float, int]:
    """Send the request, and undo whatever it has done. Return the processor time and the status."""
    method, path, body, kind, headers = request
    cookies, began = client.cookies.copy(), time.thread_time()
    with transaction.atomic():
        answer = client.generic(method, path, body, kind, headers=headers)
        took = time.thread_time() - began
        if answer.streaming:
            list(answer)  # closes its file
        transaction.set_rollback(True)
    client.cookies = cookies
    return took, answer.status_code


def is_slow(client: Client, request: Request) -> bool:
    """Whether a request takes long again, and more than its share of the time for half of its body."""
    method, path, body, kind, headers = request
    half, _ = send(client, (method, path, body[: len(body) // 2], kind, headers))
    return send(client, request)[0] > max(MAX_SECONDS, 2.5 * half)


@pytest.mark.parametrize("role", ["stranger", "player", "organiser", "host"])
def test_no_request_fails_or_takes_long(role, request, addresses):
    client = request.getfixturevalue(role)
    handler = client.handler  # behind what wraps every application of ours
    client.handler = lambda environ: check_content_type(lambda environ, _: handler(environ))(environ, None)
    drawn, failed = Requests(1, addresses), []
    known = [path for path in addresses if "<" not in path]
    for path in drawn.chance.sample(known, min(len(known), REQUESTS // 4)):
        learn(client, drawn, path)
    for number in range(REQUESTS):
        asked = drawn.draw()
        took, status = send(client, asked)
        if status == 500 or (took > MAX_SECONDS and is_slow(client, asked)):
            failed.append((number, status, round(took, 2), asked[0], asked[1][:300], asked[2][:300], *asked[3:]))
    assert failed == []
