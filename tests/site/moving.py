"""A site with a row of every model, and everything it shows: python -m tests.site.moving fill|show."""

from __future__ import annotations

import json
import re
import sys
from datetime import timedelta
from typing import Any
from unittest import mock

import django
import time_machine

django.setup()

from django.apps import apps  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.models import Field, Model  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import override_settings, setup_test_environment  # noqa: E402

from beanpost.database import copying  # noqa: E402
from beanpost.leagues import demo as league  # noqa: E402
from beanpost.leagues.models import Season  # noqa: E402
from beanpost.leagues.records import exports  # noqa: E402
from beanpost.play import clock, demo, practice  # noqa: E402
from beanpost.play.deadlines import outages  # noqa: E402
from beanpost.play.log.audit import find_differences  # noqa: E402
from beanpost.play.log.export import export_match  # noqa: E402
from beanpost.play.models import Match, Order  # noqa: E402
from beanpost.players.models import Player  # noqa: E402
from beanpost.post.deliver import sending  # noqa: E402
from beanpost.post.models import Letter  # noqa: E402
from beanpost.privacy import data_export  # noqa: E402
from tests.friends import NOON  # noqa: E402
from tests.opaque import masked  # noqa: E402
from tests.site import doors  # noqa: E402

MODELS = [model for model in apps.get_models(include_auto_created=True) if not model._meta.proxy]
TEXT = "Zoë’s 豆 \\ \t“beans”\n\\N %s"  # characters that have a meaning in COPY, JSON and SQL
ORDER = "pass until someone plays below 9"  # pages read it
LATER = NOON + timedelta(hours=1)


def fill() -> None:
    call_command("migrate", verbosity=0)
    demo.plant(NOON)
    league.create_demo_league(NOON)
    sending.deliver(clock.now)
    removed = practice.begin("haricots", visitor="1", language="en", now=NOON)
    practice.remove(removed.pk)  # nobody may get its number again
    for model in copying.list_models():
        if not model._base_manager.exists():
            model._base_manager.bulk_create([build_row(model)])


def build_row(model: type[Model]) -> Model:
    fields = [field for field in model._meta.local_concrete_fields if field is not model._meta.auto_field]
    return model(**{field.attname: choose_value(field) for field in fields})


def choose_value(field: Field[Any, Any]) -> Any:
    """Return a value for a column: the first row for a relation, and else something of the longest kind."""
    if field.related_model:
        return field.related_model._base_manager.order_by("pk").values_list("pk", flat=True)[0]
    if field.choices:
        return field.choices[0][0]
    if field.has_default():
        return field.get_default()
    kinds = {
        "DateTimeField": NOON + timedelta(microseconds=123456),
        "DateField": NOON.date(),
        "DurationField": timedelta(days=-3, microseconds=1),
        "BooleanField": True,
        "FloatField": 1 / 3,
        "JSONField": {"text": TEXT, "numbers": [1, 2.5, None, True]},
        "BinaryField": bytes(range(256)),
        "GenericIPAddressField": "2001:db8::1",
        "EmailField": "zoë@example.org",
        "SlugField": "beans",
        "URLField": "https://beans.example/",
    }
    kind = field.get_internal_type()
    if (field.model, field.name) == (Order, "line"):
        return ORDER
    if kind in ("CharField", "TextField"):
        return TEXT[: field.max_length]
    return kinds.get(kind, 1)


def show() -> dict[str, Any]:
    """Return all rows, exports and seals, and the pages of some readers, old letters' links included."""
    shown: dict[str, Any] = {f"rows of {model._meta.label}": list_rows(model) for model in MODELS}
    for match in Match.objects.exclude(started_at=None).order_by("pk"):
        assert not list(find_differences(match))
        shown[f"export of {match}"] = [export_match(match, seat) for seat in (None, *range(match.seats))]
    for player in Player.objects.order_by("pk"):
        shown[f"data of {player.pk}"] = data_export.export_data(player)
    for season in Season.objects.order_by("pk"):
        shown |= {f"{name} of {season.pk}": function(season) for name, function in exports.KINDS.items()}
    for letter in Letter.objects.filter(body__isnull=False).order_by("pk")[:5]:
        for link in sorted(set(re.findall(r'href="http://127.0.0.1:8000(/[^"]+)"', letter.html))):
            answer = Client().get(link)
            assert answer.status_code < 400, (link, answer.status_code)
            shown[f"link in letter {letter.pk}: {link}"] = [answer.status_code, masked(answer.content.decode())]
    for match in Match.objects.filter(phase="running").order_by("pk")[:2]:
        shown[f"pages of {match.pk}"] = doors.public(Client(), match) | doors.office(match) | {"metrics": "times"}
        place = match.places.select_related("player").exclude(player=None)[0]
        shown[f"pages of seat {place.seat} in {match.pk}"] = doors.own_pages(match, place)
    return shown


def list_rows(model: type[Model]) -> list[Any]:
    return list(model._base_manager.order_by("pk").values_list(*(f.attname for f in model._meta.local_concrete_fields)))


if __name__ == "__main__":
    setup_test_environment()
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        if sys.argv[1] == "fill":
            with time_machine.travel(NOON, tick=False):
                fill()
        else:
            # The database's clock is not moved along, and the health page compares the two.
            with time_machine.travel(LATER, tick=False), mock.patch.object(outages, "read_database_time", clock.now):
                json.dump(show(), sys.stdout, sort_keys=True, default=repr, indent=1)
    connection.close()
