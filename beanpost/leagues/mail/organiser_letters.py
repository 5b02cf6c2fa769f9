"""Letters in an organiser's own words, to people who have accepted a season."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from beanpost.leagues import locks
from beanpost.leagues.mail import contacts, letters
from beanpost.leagues.models import Division, Entry, Fixture, League, News, Season
from beanpost.play.models import Match, Place, Wait
from beanpost.play.tickets import FewerTicket, sign
from beanpost.players.models import Player
from beanpost.post.compose import contents
from beanpost.post.kinds import Kind
from beanpost.post.models import Letter
from beanpost.post.outbox import queue

KIND = "league_news"
ACCEPTED = (Entry.State.ENTERED, Entry.State.SUBSTITUTE, Entry.State.WAITING)
MAX_A_DAY = 10  # letters to one season
DUPLICATE_WITHIN = timedelta(hours=1)  # the same words within this time are a second press of the button
SILENT_AFTER = timedelta(days=2)  # without an answer to the invitation to a table


@dataclass(frozen=True)
class Audience:
    """The people of a season whom a letter is for: everybody, a division, a table, or players whom tables wait for."""

    season: Season
    division: Division | None = None
    fixture: Fixture | None = None
    silent: bool = False

    @property
    def sent_to(self) -> str:
        if self.fixture:
            return News.To.TABLE
        if self.silent:
            return News.To.SILENT
        return News.To.DIVISION if self.division else News.To.EVERYONE

    @property
    def may_be_public(self) -> bool:
        return self.fixture is None and not self.silent

    def players(self, now: datetime) -> QuerySet[Player]:
        """Return the people to write to. All have accepted the season, and want letters from organisers."""
        entries = Entry.objects.filter(season=self.season, state__in=ACCEPTED)
        if self.division:
            entries = entries.filter(division=self.division)
        found = Player.objects.filter(pk__in=entries.values("player"), league_news=True, unwanted_at=None)
        if self.fixture:
            found = found.filter(pk__in=self.fixture.chairs.values("sitter"))
        if self.silent:
            found = found.filter(pk__in=find_silent_places(self.season, now).values("player"))
        return found.order_by("name", "pk")


def find_silent_places(season: Season, now: datetime) -> QuerySet[Place]:
    """Return seats whose table waits: a reminder has gone out, or an invitation was not answered for two days."""
    tables = Place.objects.filter(match__fixture__round__division__season=season, stand_in=False)
    asked = Q(match__phase=Match.Phase.GATHERING, confirmed_at=None, invited_at__lt=now - SILENT_AFTER)
    return tables.filter(asked | Q(pk__in=[place.pk for place in find_places(tables, letters.find_late_waits(season))]))


def find_places(places: QuerySet[Place], waits: QuerySet[Wait]) -> list[Place]:
    """Return those of the places that these questions are put to."""
    seats = set(waits.values_list("match", "seat"))
    there = places.filter(match__in={match for match, _seat in seats})
    return [place for place in there if (place.match_id, place.seat) in seats]


@transaction.atomic
def queue_letter(to: Audience, *, headline: str, words: str, is_public: bool, by: Any, now: datetime) -> int:
    """Queue an organiser's letter, and keep it as news of the season. Return how many people it goes to."""
    season = to.season
    locks.lock_season(season)  # a second press in the same moment finds the first one's row
    contacts.check_has_contact(season.league)
    sent = News.objects.filter(season=season)
    text = {"headline": headline.strip(), "words": words.strip().replace("\r\n", "\n")}
    where = {"division": to.division, "fixture": to.fixture, "sent_to": to.sent_to}
    if sent.filter(**text, **where, written_at__gt=now - DUPLICATE_WITHIN).exists():
        raise ValidationError(_("You’ve already sent this letter."))
    if sent.filter(written_at__gt=now - timedelta(days=1)).count() >= MAX_A_DAY:
        raise ValidationError(_("You can write to a season up to %(most)d times a day.") % {"most": MAX_A_DAY})
    people = list(to.players(now))
    if not people:
        raise ValidationError(_("There’s no one to write to."))
    is_public = is_public and to.may_be_public
    news = News.objects.create(season=season, **where, **text, is_public=is_public, written_by=by, written_at=now)
    for player in people:
        values = {"news": news.pk, "season": season.pk}
        queue.queue(player, KIND, f"league/{season.league_id}/news/{news.pk}", values, now=now, about=news)
    return len(people)


def annotate_public_news(seasons: QuerySet[Season]) -> QuerySet[Season]:
    """Annotate seasons with whether the league's page shows any of their news."""
    return seasons.annotate(shows_news=Exists(News.objects.filter(season=OuterRef("pk"), is_public=True)))


def find_public_news(league: League) -> QuerySet[News]:
    """Return the news that the league's page shows, the latest first."""
    return News.objects.filter(season__league=league, is_public=True).select_related("season", "division")


@transaction.atomic
def take_down(season: Season, news: News) -> None:
    """Take news off the league's page. The letters have gone out; the row stays in the history."""
    locks.lock_row(season, news)
    news.is_public = False
    news.save(update_fields=["is_public"])


def build_organiser_letter(letter: Letter) -> contents.Contents | None:
    news = News.objects.filter(pk=letter.values["news"]).select_related("season__league__keeper").first()
    if news is None or not letter.recipient.league_news or not is_in_season(letter, news.season):
        return None
    return {
        "season": news.season,
        "league": news.season.league,
        "headline": news.headline,
        "words": news.words,
        "fewer_ticket": sign(FewerTicket(letter.recipient_id, letter.recipient.sessions, KIND)),
        **letters.find_reply_address(news.season.league),
    }


def is_in_season(letter: Letter, season: Season) -> bool:
    """Whether the reader is still in the season: they may have left while the letter was queued."""
    return season.entries.filter(player=letter.recipient_id, state__in=ACCEPTED).exists()


KINDS = (
    Kind(KIND, _l("A letter from the organiser"), build_organiser_letter, stops_with=lambda _: {"league_news": False}),
)
