"""People of a season whom letters don't reach or who don't answer, on one list, with what can be done about each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Paginator
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from beanpost.leagues import scope
from beanpost.leagues.admin.dashboard.items import SeasonScope, action_url, find_undelivered_invitations
from beanpost.leagues.admin.dashboard.people import find_unsubscribed_players
from beanpost.leagues.mail import announcements, invitations
from beanpost.leagues.models import Chair, Entry, Fixture, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.play.models import Match, Place, Wait
from beanpost.players.models import Player
from beanpost.post import kinds
from beanpost.post.models import Letter

PER_PAGE = 100
Way = tuple[str, str]  # a label and an address


@dataclass(frozen=True)
class Trouble:
    """A person, what is wrong, since when, and what can be done."""

    name: str
    what: str
    since: datetime | None
    ways: list[Way]


def build_context(season: Season, user: Any, asked: QueryDict, now: datetime) -> dict[str, Any]:
    found = list(find_troubles(season, user, now))
    return {"page": Paginator(found, PER_PAGE).get_page(asked.get("page")), "count": len(found)}


def find_troubles(season: Season, user: Any, now: datetime) -> Iterator[Trouble]:
    """Yield failed letters first, then people who can't be reached, then silent ones."""
    yield from failed_invitations(season, user)
    yield from failed_news(season, now)
    yield from failed_match_letters(season, user)
    yield from bouncing_people(season, user)
    yield from unsubscribed_people(season, user)
    yield from late_at_tables(season, user)
    yield from not_at_table_yet(season, user)
    yield from silent_invitees(season)


# ── letters that did not arrive ──


def failed_invitations(season: Season, user: Any) -> Iterator[Trouble]:
    for entry in find_undelivered_invitations(SeasonScope(user, season)).select_related("player", "season"):
        ways = [(_("Send again"), action_url(entry, "invite")), (_("Withdraw"), action_url(entry, "withdraw"))]
        yield Trouble(entry.called, _("The invitation couldn’t be delivered."), entry.invited_at, ways)


def failed_news(season: Season, now: datetime) -> Iterator[Trouble]:
    again = [(_("Send again"), action_url(season, "write-again"))]
    for letter in announcements.find_lost_letters(Season.objects.filter(pk=season.pk), now):
        what = _("A letter couldn’t be delivered: %(letter)s.") % {"letter": kinds.name_kind(letter.kind)}
        yield Trouble(letter.recipient.name, what, letter.created_at, again)


def failed_match_letters(season: Season, user: Any) -> Iterator[Trouble]:
    """Yield failed letters of matches, without those in which the organiser plays."""
    failed = scope.limit_to_own(Letter.objects.filter(state=Letter.State.FAILED, match__isnull=False), user)
    failed = failed.filter(match__fixture__round__division__season=season).exclude(
        match__in=scope.find_own_matches(user)
    )
    for letter in failed.select_related("recipient", "match__fixture__round__division").order_by("pk"):
        assert letter.match is not None
        values = {"letter": kinds.name_kind(letter.kind), "table": letter.match.fixture}
        what = _("A letter couldn’t be delivered: %(letter)s (%(table)s).") % values
        url = reverse("admin:post_letter_changelist") + "?state__exact=failed"
        yield Trouble(letter.recipient.name, what, letter.created_at, [(_("Send again"), url)])


# ── people who can't be reached ──


def find_entries(season: Season) -> QuerySet[Entry]:
    there = (Entry.State.ENTERED, Entry.State.WAITING, Entry.State.SUBSTITUTE)
    return season.entries.filter(~Entry.hidden(), state__in=there).select_related("player", "season")


def bouncing_people(season: Season, user: Any) -> Iterator[Trouble]:
    for entry in find_entries(season).filter(player__unreached_at__isnull=False):
        what = _("Letters are bouncing. Ask them for another address; they enter it themselves.")
        yield Trouble(entry.called, what, entry.player.unreached_at, list_ways_out(entry, user))


def unsubscribed_people(season: Season, user: Any) -> Iterator[Trouble]:
    refusing: QuerySet[Player] = find_unsubscribed_players(SeasonScope(user, season))
    for entry in find_entries(season).filter(player__in=refusing.order_by().values("pk")):
        what = _("They have unsubscribed, so a bot is playing for them.")
        yield Trouble(entry.called, what, entry.player.unwanted_at, list_ways_out(entry, user))


def list_ways_out(entry: Entry, user: Any) -> list[Way]:
    """Return links to put a substitute into the person's seat, or to withdraw them."""
    chairs = Chair.objects.filter(entry=entry, fixture__ending=Fixture.Ending.OPEN, fixture__match__isnull=False)
    chairs = chairs.exclude(fixture__match__in=scope.find_own_matches(user).values("pk"))
    seats = [(_("Substitute"), action_url(chair.fixture, "substitute")) for chair in chairs.select_related("fixture")]
    return [*seats, (_("Withdraw"), action_url(entry, "withdraw"))]


# ── silent people ──


def find_places(season: Season) -> QuerySet[Place]:
    places = Place.objects.filter(match__fixture__round__division__season=season, player__isnull=False)
    return places.select_related("player", "match__fixture__round__division")


def name_in_full(place: Place) -> str:
    """Return the whole name: the seat's own is the one that other players see."""
    return place.player.name if place.player else place.name


def find_own_matches(season: Season, user: Any) -> set[int]:
    """Return the matches of a season at which the organiser plays: somebody else must decide there."""
    own = scope.find_own_matches(user).filter(fixture__round__division__season=season)
    return set(own.values_list("pk", flat=True))


def late_at_tables(season: Season, user: Any) -> Iterator[Trouble]:
    """Yield players who keep a running table waiting after their reminder."""
    wait = Wait.objects.filter(match=OuterRef("match"), seat=OuterRef("seat"), due_at__isnull=False, remind_at=None)
    late = find_places(season).annotate(asked=Subquery(wait.values("asked_at")[:1])).filter(asked__isnull=False)
    own = find_own_matches(season, user)
    for place in late.filter(match__phase=Match.Phase.RUNNING, stand_in=False).order_by("asked"):
        fixture = place.match.fixture
        ways = (
            []
            if place.match_id in own
            else [
                (_("Remind"), action_url(fixture, "remind")),
                (_("Give more time"), action_url(fixture, "extend")),
                (_("Let a bot play"), action_url(fixture, "bot")),
                (_("Substitute"), action_url(fixture, "substitute")),
            ]
        )
        yield Trouble(name_in_full(place), _("%(table)s is waiting for them.") % {"table": fixture}, place.asked, ways)


def not_at_table_yet(season: Season, user: Any) -> Iterator[Trouble]:
    gathering = find_places(season).filter(match__phase=Match.Phase.GATHERING, confirmed_at=None)
    own = find_own_matches(season, user)
    for place in gathering.order_by("invited_at"):
        fixture = place.match.fixture
        ways = [(_("Start without waiting"), action_url(fixture.round, "begin"))]
        ways += [] if place.match_id in own else [(_("Substitute"), action_url(fixture, "substitute"))]
        what = _("They haven’t answered the invitation to %(table)s yet.") % {"table": fixture}
        yield Trouble(name_in_full(place), what, place.invited_at, ways)


def silent_invitees(season: Season) -> Iterator[Trouble]:
    """Yield people who were invited and have not answered, unless their letter is known to be lost."""
    if season.phase not in (Season.Phase.PLANNED, Season.Phase.ENTERING):
        return
    silent = season.entries.filter(state=Entry.State.INVITED, invited_at__isnull=False)
    lost = invitations.find_undelivered(season.entries.all()).values("pk")
    can_remind = set(season_entries.find_people_to_remind(season).values_list("pk", flat=True))
    for entry in silent.exclude(pk__in=lost).select_related("player", "season").order_by("invited_at", "pk"):
        withdraw = (_("Withdraw"), action_url(entry, "withdraw"))
        if entry.pk in can_remind:
            what, ways = (
                _("No answer to the invitation yet."),
                [(_("Remind them"), action_url(season, "remind")), withdraw],
            )
        else:
            what, ways = _("No answer to the invitation and its reminder. We won’t write again."), [withdraw]
        yield Trouble(entry.called, what, entry.reminded_at or entry.invited_at, ways)
