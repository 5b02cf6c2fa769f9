"""Lists of tables for everybody: those with a free seat, and those that may be watched."""

from __future__ import annotations

from django.db.models import Count, Exists, F, OuterRef, QuerySet

from beanpost.play.models import Match, Place

OWN_PACE = "own"  # a pace that has no name


def find_open_tables(
    *, game: str = "", pace: str = "", language: str = "", named_paces: tuple[str, ...] = ()
) -> QuerySet[Match]:
    """Return the listed tables with free seats, the newest first. `named_paces` are the paces that have a name."""
    gathering = Match.objects.filter(phase=Match.Phase.GATHERING, open_to_all=True, listed=True)
    if game:
        gathering = gathering.filter(game=game)
    if pace == OWN_PACE:
        gathering = gathering.exclude(pace__in=named_paces)
    elif pace:
        gathering = gathering.filter(pace=pace)
    if language:
        gathering = gathering.filter(keeper__language=language)
    waiting = gathering.annotate(free=F("seats") - Count("places")).filter(free__gt=0)
    return waiting.select_related("keeper").order_by("-opened_at", "-pk")


def find_watchable_matches() -> QuerySet[Match]:
    """Return the running matches whose every player lets others watch, the newest first.

    Matches that began before players were asked are never among them. Bots are not asked.
    """
    unwilling = Place.objects.filter(match=OuterRef("pk"), player__isnull=False, may_be_watched=False)
    asked = Match.objects.filter(watchable=True, phase=Match.Phase.RUNNING)
    return asked.filter(~Exists(unwilling)).prefetch_related("places").order_by("-started_at", "-pk")
