"""A turn of a card game as any Django developer would write it in an afternoon: the baseline for ours."""

# mypy: ignore-errors
# This module has settings of its own, and mypy knows only Beanpost's.

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import django
import environ
from django.conf import settings
from django.core import signing
from django.core.mail import send_mail
from django.db import connection, models, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path

PAGE = """{% load i18n %}<!doctype html><html lang="en"><title>{% translate "Your turn" %}</title><body>
<h1>{{ match.name }}</h1><ol>{% for event in events %}<li>{{ event.seat }}: {{ event.line }}</li>{% endfor %}</ol>
<p>{% for card in hand %}<span class="card">{{ card }}</span> {% endfor %}</p>
{% for move, link in moves %}<form method="post" action="{{ link }}">{% csrf_token %}<button>{{ move }}</button></form>
{% endfor %}</body></html>"""
MAIL = """{% for card in hand %}{{ card }} {% endfor %}
{% for move, link in moves %}{{ forloop.counter }}. {{ move }}
   {{ link }}
{% endfor %}"""
TEMPLATES = {"page.html": PAGE, "mail.txt": MAIL, "mail.html": PAGE.replace("{% csrf_token %}", "")}
MIDDLEWARE = ("security.SecurityMiddleware", "common.CommonMiddleware", "csrf.CsrfViewMiddleware")
SEATS, HAND = 4, range(1, 11)

settings.configure(
    SECRET_KEY="bench", ALLOWED_HOSTS=["testserver"], ROOT_URLCONF=__name__, USE_TZ=True,
    DATABASES={"default": environ.Env().db("DATABASE_URL")},
    MIDDLEWARE=[f"django.middleware.{name}" for name in MIDDLEWARE],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "OPTIONS": {"loaders": [
        ("django.template.loaders.cached.Loader", [("django.template.loaders.locmem.Loader", TEMPLATES)])]}}],
    EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend", EMAIL_HOST="127.0.0.1",
)  # fmt: skip
django.setup()


class Match(models.Model):
    name = models.CharField(max_length=40)
    turn = models.IntegerField(default=0)

    class Meta:
        app_label = "plain"

    def __str__(self) -> str:
        return f"{self.pk}"


class Event(models.Model):
    match = models.ForeignKey(Match, models.CASCADE)
    seat = models.IntegerField()
    line = models.TextField()

    class Meta:
        app_label = "plain"

    def __str__(self) -> str:
        return f"{self.pk}"


def build_context(match: Match) -> dict[str, object]:
    links = [f"/move/{signing.dumps([match.pk, match.turn, f'play {card}'])}/" for card in HAND]
    moves = [(f"Play {card}", link) for card, link in zip(HAND, links, strict=True)]
    return {"match": match, "hand": HAND, "moves": moves, "events": match.event_set.order_by("-pk")[:6]}


def move(request: HttpRequest, token: str) -> HttpResponse:
    match_id, turn, line = signing.loads(token)
    if request.method != "POST":
        return render(request, "page.html", build_context(Match.objects.get(pk=match_id)))
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match_id)
        if match.turn == turn:
            Event.objects.create(match=match, seat=turn % SEATS, line=line)
            match.turn += 1
            match.save()
    return redirect(f"/move/{token}/")


urlpatterns = [path("move/<token>/", move)]


def write_to_the_next(match_id: int) -> str:
    """Send the next player's letter, and return the link they will press."""
    values = build_context(Match.objects.get(pk=match_id))
    text, html = render_to_string("mail.txt", values), render_to_string("mail.html", values)
    send_mail("Your turn", text, "post@beans.example", ["ann@example.org"], html_message=html)
    return str(values["moves"][0][1])  # type: ignore[index]


@contextmanager
def open_site(database: str, port: int) -> Iterator[None]:
    settings.EMAIL_PORT = port
    connection.settings_dict["TEST"]["NAME"] = database
    name = connection.creation.create_test_db(verbosity=0, serialize=False)
    with connection.schema_editor() as editor:
        for model in (Match, Event):
            editor.create_model(model)
    try:
        yield
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


def play_turns() -> Iterator[list[tuple[str, Callable[[], object]]]]:
    from django.test import Client  # noqa: PLC0415 (needs the settings)

    client, links = Client(), {}
    matches = [Match.objects.create(name=f"Table {n}") for n in range(40)]
    for match in matches:
        links[match.pk] = write_to_the_next(match.pk)
    while True:
        for match in matches:
            link = links[match.pk]  # a press leads back to the same page

            def deliver(pk: int = match.pk) -> None:
                links[pk] = write_to_the_next(pk)

            yield [
                ("pages", partial(client.get, link)),
                ("press", partial(client.post, link)),
                ("pages", partial(client.get, link)),
                ("worker", deliver),
            ]
