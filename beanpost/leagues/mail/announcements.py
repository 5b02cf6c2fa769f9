"""Find a season's announcements and weekly letters that did not arrive, and send them again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

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
    letters: list[Letter]

    def __str__(self) -> str:
        first, names = self.letters[0], [letter.recipient.name for letter in self.letters]
        values = {"day": date(localtime(first.created_at), _("j F")), "names": join_names(names)}
        if first.kind == "weekly":
            return _("The weekly letter of %(day)s couldn’t be delivered to %(names)s.") % values
        values["what"] = str(find_row(first, self.season) or self.season)
        return _("The announcement of %(day)s about %(what)s couldn’t be delivered to %(names)s.") % values


def find_row(letter: Letter, season: Season) -> Model | None:
    """Return the row that an announcement is about, among those of its season."""
    rounds = [round_ for division in season.divisions.all() for round_ in division.rounds.all()]
    tables = [table for round_ in rounds for table in round_.fixtures.all()]
    rows: list[Model] = [season.league, *season.divisions.all(), *season.entries.all(), *rounds, *tables]
    return next((row for row in rows if (row._meta.model_name, row.pk) == (letter.about_model, letter.about_id)), None)


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


def list_lost(seasons: Collection[Season], now: datetime) -> list[LostLetters]:
    """Return the news that did not arrive in these seasons, the oldest first."""
    found: dict[tuple[object, ...], list[Any]] = defaultdict(list)
    by_key = {season.pk: season for season in seasons}
    for letter in find_lost_letters(list(by_key), now):  # all letters with the same news were queued in one moment
        found[letter.season, letter.kind, letter.about_model, letter.about_id, letter.created_at].append(letter)
    return [LostLetters(by_key[letters[0].season], letters) for letters in found.values()]


def find_lost_letters(seasons: Collection[int], now: datetime) -> QuerySet[Any]:
    return find_undelivered(now).filter(season__in=seasons).select_related("recipient").order_by("pk")


@transaction.atomic
def resend_lost_letters(season: Season, *, now: datetime) -> int:
    """Resend all news that did not arrive, to people's current addresses. Return how many letters are queued."""
    again = list(find_lost_letters([season.pk], now))
    if not again:
        raise ValidationError(_("As far as we know, every letter from the last two weeks has arrived."))
    for letter in again:
        queue.queue(letter.recipient, letter.kind, f"again/{letter.pk}", letter.values, now=now, replaces=letter)
    return len(again)
