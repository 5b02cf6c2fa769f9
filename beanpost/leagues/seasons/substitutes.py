"""People leave a season, and substitutes take their seats."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from beanpost.leagues import organiser_accounts
from beanpost.leagues.locks import lock_row
from beanpost.leagues.models import Chair, Entry, Fixture, Round, Season
from beanpost.leagues.seasons import tables
from beanpost.play.models import Match, Place
from beanpost.play.seats import league_tables
from beanpost.players import accounts as player_accounts
from beanpost.players.models import Player


@transaction.atomic
def withdraw(entry: Entry) -> list[Chair]:
    """Withdraw a person from the season. Return their chairs that are being played and need somebody else."""
    lock_row(entry.season, entry)
    if entry.state == Entry.State.LEFT:
        raise ValidationError(_("%(name)s has already left.") % {"name": entry.called})
    if not entry.has_accepted:
        entry.answered_at = None
    entry.state, entry.on_acceptance = Entry.State.LEFT, ""
    entry.save(update_fields=["state", "answered_at", "on_acceptance"])
    return list(list_open_chairs(entry))


def has_left() -> Q:
    """Match chairs whose person has left the season and has no substitute."""
    return Q(entry__state=Entry.State.LEFT, sitter=F("entry__player"))


def has_not_accepted() -> Q:
    """Match chairs drawn for a person who has accepted neither the season nor this table."""
    came = Place.objects.filter(match=OuterRef("fixture__match"), seat=OuterRef("seat"), confirmed_at__isnull=False)
    unanswered = (Entry.State.INVITED, Entry.State.DECLINED)
    return Q(~Exists(came), entry__state__in=unanswered, sitter=F("entry__player"))


def list_open_chairs(entry: Entry) -> list[Chair]:
    chairs = entry.chairs.filter(fixture__round__phase=Round.Phase.PUBLISHED, fixture__ending=Fixture.Ending.OPEN)
    return list(chairs.select_related("fixture__match", "fixture__round"))


def has_open_tables(entry: Entry) -> bool:
    """Whether a person has a seat at a table that is still to be played."""
    undecided = entry.chairs.filter(fixture__ending=Fixture.Ending.OPEN, sitter=entry.player_id)
    match, seat = OuterRef("fixture__match"), OuterRef("seat")
    kept = Place.objects.filter(match=match, seat=seat, player=entry.player_id, resigned_at=None)
    theirs = undecided.filter(Q(fixture__match=None) | Exists(kept))
    return theirs.exclude(fixture__round__phase=Round.Phase.CLOSED).exists()


def find_substitutes(season: Season) -> QuerySet[Entry]:
    """Return people on the waiting list and substitutes, without those whose data was erased."""
    waiting = season.entries.filter(state__in=(Entry.State.WAITING, Entry.State.SUBSTITUTE))
    return (
        waiting.exclude(player__address__endswith=player_accounts.ERASED)
        .select_related("player")
        .order_by("answered_at", "pk")
    )


@transaction.atomic
def substitute(chair: Chair, incoming: Entry, *, now: datetime) -> bool:
    """Let a substitute play a chair from here on. The season decides for whom the points count.

    Return False if the match has begun: then they sit down when they press the link in their letter.
    """
    lock_row(incoming.season, incoming)
    check_may_sit_in(chair, incoming)
    match = chair.fixture.match
    if match is not None and match.phase != Match.Phase.GATHERING:
        tables.offer_seat(chair, incoming.player.address, now=now)
        return False
    if match is not None:
        league_tables.seat_instead(match.pk, chair.seat, incoming.player, now=now)
    if chair.forfeited:  # before the match began: the substitute plays it after all
        chair.forfeited = False
        chair.save(update_fields=["forfeited"])
    set_sitter(chair, incoming.player)
    return True


def set_sitter(chair: Chair, player: Player) -> None:
    chair.sitter = player
    chair.save(update_fields=["sitter"])


def check_may_sit_in(chair: Chair, incoming: Entry) -> None:
    """Refuse people who already sit at the table, and organisers of the league."""
    season = chair.fixture.round.division.season
    if incoming.season_id != season.pk or incoming.state not in {Entry.State.SUBSTITUTE, Entry.State.WAITING}:
        raise ValidationError(_("%(name)s isn’t a substitute in this season.") % {"name": incoming.called})
    if chair.fixture.chairs.filter(sitter=incoming.player).exists():
        raise ValidationError(_("%(name)s already has a seat at this table.") % {"name": incoming.called})
    check_no_organiser(chair, incoming.player)


def check_no_organiser(chair: Chair, player: Player) -> None:
    if organiser_accounts.is_organiser(player, chair.fixture.round.division.season.league.organisers.all()):
        raise ValidationError(_("An organiser of this league can’t be a substitute."))
