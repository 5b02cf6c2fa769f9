"""Entries of a season: list people, invite and remind them, let them enter or decline.

Each function runs in one transaction and refuses with a sentence (ValidationError). It locks the season (`locks.py`)
and reloads its row: another organiser may have pressed the same button a moment ago. None touches a running match: that
is done by lines of the house (`seasons/tables.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from beanpost.leagues.locks import check_not_over, check_phase, lock_row, lock_season
from beanpost.leagues.mail import invitations, letters
from beanpost.leagues.models import Entry, Season
from beanpost.leagues.people import introductions, placing
from beanpost.leagues.seasons import next_rounds
from beanpost.leagues.seasons.phases import Phase, is_open, sort_into_divisions
from beanpost.players import accounts, confirming

# ── entries ──


class NewPerson(NamedTuple):
    """A person to put on the list, as an organiser typed them. The division may be new."""

    address: str
    name: str = ""
    division: str = ""


@transaction.atomic
def add_people(season: Season, people: Sequence[NewPerson], *, now: datetime) -> list[Entry]:
    """Put people on the season's list, without a letter yet. Skip those in it already, perhaps by another address."""
    lock_season(season)
    check_not_over(season)
    homes = placing.find_or_create_divisions(season, [person.division for person in people])
    names = {accounts.tidy_address(person.address): person.name for person in people}
    players = accounts.get_or_create_players(names, language=season.league.language, now=now)
    here = set(season.entries.values_list("player_id", flat=True))
    introduced = introductions.find_introduced(season.league, players.values())
    fresh = []
    for person in people:
        address = accounts.tidy_address(person.address)
        player = players[address]
        if player.pk not in here:
            entry = Entry(season=season, player=player, rung=len(here), known=player.pk in introduced)
            entry.typed_name, entry.typed_address = person.name, address
            entry.division = homes.get(person.division.casefold())
            fresh.append(entry)
            here.add(player.pk)
    return Entry.objects.bulk_create(fresh)


def add_entry(season: Season, address: str, *, name: str = "", now: datetime) -> Entry:
    """Put one person on the season's list."""
    if added := add_people(season, [NewPerson(address, name)], now=now):
        return added[0]
    raise ValidationError(_("%(name)s is already in this season.") % {"name": name or address})


@transaction.atomic
def sign_up(season: Season, address: str, *, name: str, now: datetime) -> None:
    """Let a person sign up: they are in once they press the link sent to their address.

    Anybody may type an address, so "you are already in" or "you left" is said by letter, at most once an hour.
    """
    address = accounts.tidy_address(address)
    added = add_people(season, [NewPerson(address, name)], now=now)
    entry = added[0] if added else season.entries.select_related("player").get(player__address=address)
    hour = f"{now:%y%m%d%H}"
    if entry.state == Entry.State.INVITED:
        Entry.objects.filter(pk=entry.pk, invited_at=None).update(invited_at=now)
        invitations.queue_invitation(entry, now=now, nth=hour)
    elif entry.state == Entry.State.DECLINED:
        invitations.queue_invitation(entry, now=now, nth=f"declined/{hour}", after=Entry.State.DECLINED)
    else:
        page, key = {"season": season.pk}, f"entry/{entry.pk}/is-in"
        letters.announce(
            season.league,
            [entry.player],
            lambda: say_already_in(entry),
            "",
            page=page,
            key=key,
            now=now,
            about=entry,
            nth=hour,
        )


def say_already_in(entry: Entry) -> str:
    values = {
        Entry.State.ENTERED: _("You’re already playing in %(season)s."),
        Entry.State.WAITING: _("You’re already on the waiting list for %(season)s."),
        Entry.State.SUBSTITUTE: _("You’re a substitute in %(season)s: you step in when a player is missing."),
        Entry.State.LEFT: _("You’re no longer playing in %(season)s."),
    }
    return values[Entry.State(entry.state)] % {"season": entry.season.name}


def name_state(entry: Entry) -> str:
    """Return a state in words. This tells entries that are only on the list from invited ones."""
    if entry.state == Entry.State.INVITED and not entry.invited_at:
        return _("not invited yet")
    if entry.state == Entry.State.INVITED and entry.on_acceptance:
        return _("%(state)s once they accept") % {"state": entry.get_on_acceptance_display()}
    return entry.get_state_display()


def find_people_to_invite(season: Season) -> QuerySet[Entry]:
    return season.entries.filter(state=Entry.State.INVITED, invited_at=None)


def find_people_to_remind(season: Season) -> QuerySet[Entry]:
    return season.entries.filter(state=Entry.State.INVITED, invited_at__isnull=False, reminded_at=None)


def can_be_reminded(entry: Entry) -> bool:
    """Whether a person was invited and can still get their one reminder, as `find_people_to_remind` finds them."""
    return entry.state == Entry.State.INVITED and entry.invited_at is not None and entry.reminded_at is None


def can_become_player(entry: Entry) -> bool:
    """Whether a listed person neither plays nor has declined, and nobody has asked them by name to play."""
    listed = (Entry.State.INVITED, Entry.State.WAITING, Entry.State.SUBSTITUTE)
    return entry.state in listed and entry.on_acceptance != Entry.State.ENTERED


@transaction.atomic
def set_invitation_words(season: Season, words: str) -> None:
    """Keep the organiser's own words, which every invitation and reminder of the season shows."""
    lock_season(season)
    words = words.strip().replace("\r\n", "\n")
    if words != season.invitation_words:
        season.invitation_words = words
        season.save(update_fields=["invitation_words"])


@transaction.atomic
def invite_all(season: Season, *, now: datetime, among: Sequence[int] | None = None) -> int:
    """Invite everybody who has not been invited yet, or those of them with these numbers. Return how many."""
    lock_season(season)
    check_phase(season, Phase.PLANNED, Phase.ENTERING)
    waiting = find_people_to_invite(season) if among is None else find_people_to_invite(season).filter(pk__in=among)
    asked = list(waiting.select_related("player"))
    for entry in asked:
        entry.invited_at = now
        entry.save(update_fields=["invited_at"])
        invitations.queue_invitation(entry, now=now)
    return len(asked)


@transaction.atomic
def remind_all(season: Season, *, now: datetime) -> int:
    """Remind everybody who has not answered; each person is reminded once."""
    return sum(remind(entry, now=now) for entry in find_people_to_remind(season).select_related("player"))


@transaction.atomic
def remind(entry: Entry, *, now: datetime) -> bool:
    """Remind one person. Return False if they were never invited, were reminded, or have answered, or if nobody can
    enter any more.
    """
    lock_row(entry.season, entry)
    can_enter = is_open(entry.season) or (entry.on_acceptance and entry.season.phase != Phase.ENDED)
    is_silent = entry.state == Entry.State.INVITED and entry.invited_at is not None
    if entry.reminded_at or not is_silent or not can_enter:
        return False
    entry.reminded_at = now
    entry.save(update_fields=["reminded_at"])
    invitations.queue_invitation(entry, now=now, nth="again")
    return True


@transaction.atomic
def ask_person(entry: Entry, state: str, *, now: datetime) -> bool:
    """Ask a person who has not accepted to play or to be a substitute. Return False if they were asked twice before.

    Nobody plays without pressing a link themselves, so `on_acceptance` keeps the organiser's choice until then. The
    link in an earlier letter accepts it too.
    """
    lock_row(entry.season, entry)
    check_not_over(entry.season)
    entry.state, entry.on_acceptance = Entry.State.INVITED, state
    is_first, is_second = entry.invited_at is None, entry.invited_at is not None and entry.reminded_at is None
    entry.invited_at = entry.invited_at or now
    entry.reminded_at = now if is_second else entry.reminded_at
    entry.save(update_fields=["state", "on_acceptance", "invited_at", "reminded_at"])
    if is_first or is_second:
        invitations.queue_invitation(entry, now=now, nth="by-name" if is_first else "again")
    return is_first or is_second


@transaction.atomic
def accept(entry: Entry, *, now: datetime, as_substitute: bool = False) -> Entry:
    """Accept an invitation for a person who pressed the link.

    If the season is full or closed they go on the waiting list, unless they were asked by name. A substitute never
    takes a place. Once the season is over nothing changes.
    """
    lock_row(entry.season, entry)  # lock before counting places
    if entry.state not in {Entry.State.INVITED, Entry.State.DECLINED} or entry.season.phase == Phase.ENDED:
        return entry
    entry.state = Entry.State.SUBSTITUTE if as_substitute else choose_state(entry)
    entry.answered_at, entry.on_acceptance = now, ""
    entry.save(update_fields=["state", "answered_at", "on_acceptance"])
    introductions.introduce(entry)
    if entry.state == Entry.State.ENTERED and not is_open(entry.season):
        sort_into_divisions(entry.season)
    confirming.confirm(entry.player, now=now)
    return entry


def choose_state(entry: Entry) -> str:
    """Return the state a person gets by accepting."""
    if entry.on_acceptance == Entry.State.ENTERED and next_rounds.can_enter(entry):
        return Entry.State.ENTERED
    if entry.on_acceptance == Entry.State.SUBSTITUTE:
        return Entry.State.SUBSTITUTE
    return Entry.State.ENTERED if has_room(entry.season) else Entry.State.WAITING


def has_room(season: Season) -> bool:
    return is_open(season) and count_places_left(season) != 0


def count_places_left(season: Season) -> int | None:
    """Return how many more people can play. None: as many as want to."""
    if season.most_entries is None:
        return None
    return max(0, season.most_entries - season.entries.filter(state=Entry.State.ENTERED).count())


@transaction.atomic
def decline(entry: Entry, *, now: datetime) -> None:
    """Decline for a person; the first on the waiting list gets the place.

    Once entries are closed, people with a place can't decline: an organiser must withdraw them.
    """
    lock_row(entry.season, entry)
    if entry.state != Entry.State.INVITED and not may_decline(entry):
        return
    entry.state, entry.answered_at, entry.on_acceptance = Entry.State.DECLINED, now, ""
    entry.save(update_fields=["state", "answered_at", "on_acceptance"])
    fill_free_places(entry.season, now=now)


def may_decline(entry: Entry) -> bool:
    """Whether a person who has accepted can still decline on their own."""
    if entry.season.phase == Phase.ENDED:
        return False
    has_place = entry.state in {Entry.State.ENTERED, Entry.State.SUBSTITUTE}
    return entry.state == Entry.State.WAITING or (has_place and is_open(entry.season))


@transaction.atomic
def fill_free_places(season: Season, *, now: datetime) -> None:
    """Give free places to those who have waited longest, and tell them by letter."""
    lock_season(season)
    while has_room(season):
        first = season.entries.filter(state=Entry.State.WAITING).order_by("answered_at", "pk").first()
        if first is None:
            return
        first.state = Entry.State.ENTERED
        first.save(update_fields=["state"])
        page, key = {"season": season.pk}, f"entry/{first.pk}/place"
        letters.announce(
            season.league, [first.player], lambda: describe_place(season), "", page=page, key=key, now=now, about=first
        )


def describe_place(season: Season) -> str:
    return _("A place has come up in %(season)s: you’re in.") % {"season": season.name}
