"""Find a season's announcements and weekly letters that did not arrive, and send them again."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, IntegerField, Model, OuterRef, Q, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.template.defaultfilters import date
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from beanpost.leagues.mail.invitations import RETURNED_FATES
from beanpost.leagues.models import Entry, Season
from beanpost.play.display.wording import join_names
from beanpost.post.models import Letter
from beanpost.post.outbox import queue

KINDS = ("announcement", "weekly", "league_news")
WORTH_RESENDING = timedelta(days=14)  # after that, it is no longer news


@dataclass(frozen=True)
class LostLetters:
    """A piece of news, and the recipients who did not get it."""

    season: Season
    letter: Letter  # to the first of them
    names: list[str]

    def __str__(self) -> str:
        values = {"day": date(localtime(self.letter.created_at), _("j F")), "names": join_names(self.names)}
        if self.letter.kind == "weekly":
            return _("The weekly letter of %(day)s couldn’t be delivered to %(names)s.") % values
        values["what"] = str(find_row(self.letter) or self.season)
        return _("The announcement of %(day)s about %(what)s couldn’t be delivered to %(names)s.") % values


def find_row(letter: Letter) -> Model | None:
    """Return the row that an announcement is about."""
    model = apps.get_model("leagues", letter.about_model) if letter.about_model else None
    return model._default_manager.filter(pk=letter.about_id).first() if model else None


def find_undelivered(now: datetime) -> QuerySet[Any]:
    """Return recent letters with a season's news that did not reach their readers and were not sent again."""
    news = Letter.objects.filter(kind__in=KINDS, created_at__gt=now - WORTH_RESENDING, recipient__unwanted_at=None)
    wanted = news.exclude(kind="weekly", recipient__weekly=False)
    wanted = wanted.exclude(kind="league_news", recipient__league_news=False)
    lost = wanted.filter(Q(state=Letter.State.FAILED) | Q(fate__in=RETURNED_FATES), replacements=None)
    there = Entry.objects.filter(~Entry.hidden(), player=OuterRef("recipient"), season=OuterRef("season"))
    return lost.annotate(season=Cast(KT("values__season"), IntegerField())).filter(Exists(there))


def annotate_lost_letters(seasons: QuerySet[Season], now: datetime) -> QuerySet[Season]:
    """Annotate seasons with whether some of their news did not arrive."""
    return seasons.annotate(lost_news=Exists(find_undelivered(now).filter(season=OuterRef("pk"))))


def has_lost_letters(season: Any) -> bool:
    """Whether there is anything to resend. False for seasons that `annotate_lost_letters` has not annotated."""
    return getattr(season, "lost_news", False)


def list_lost(seasons: QuerySet[Season], now: datetime) -> list[LostLetters]:
    """Return the news that did not arrive in these seasons, the oldest first."""
    found: dict[tuple[object, ...], list[Any]] = defaultdict(list)
    for letter in find_lost_letters(seasons, now):  # all letters with the same news were queued in one moment
        found[letter.season, letter.kind, letter.about_model, letter.about_id, letter.created_at].append(letter)
    seasons_by_id = seasons.select_related("league").in_bulk({letters[0].season for letters in found.values()})
    return [
        LostLetters(seasons_by_id[letters[0].season], letters[0], [letter.recipient.name for letter in letters])
        for letters in found.values()
    ]


def find_lost_letters(seasons: QuerySet[Season], now: datetime) -> QuerySet[Any]:
    return find_undelivered(now).filter(season__in=seasons.values("pk")).select_related("recipient").order_by("pk")


@transaction.atomic
def resend_lost_letters(season: Season, *, now: datetime) -> int:
    """Resend all news that did not arrive, to people's current addresses. Return how many letters are queued."""
    again = list(find_lost_letters(Season.objects.filter(pk=season.pk), now))
    if not again:
        raise ValidationError(_("As far as we know, every letter from the last two weeks has arrived."))
    for letter in again:
        queue.queue(letter.recipient, letter.kind, f"again/{letter.pk}", letter.values, now=now, replaces=letter)
    return len(again)
