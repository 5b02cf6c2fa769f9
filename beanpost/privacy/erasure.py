"""Erase the data of players, and of people who were invited and never came."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from beanpost.database import batches
from beanpost.leagues import organiser_accounts
from beanpost.leagues.models import Entry, League, LeagueEvent, Season, SecondFactor
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.seasons import substitutes
from beanpost.play.models import Departure, Match, Place, Proposal
from beanpost.play.seats import joining
from beanpost.play.timekeeping import absence
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.models import Letter, LetterRequest
from beanpost.post.outbox import claims, retention
from beanpost.privacy import match_data, texts

BATCH = 200  # people whose data is erased in one run
LISTED = Q(state=Entry.State.INVITED, invited_at=None, season__phase=Season.Phase.PLANNED)  # nobody has asked them yet


def explain_not_erasable(player: Player) -> str:
    """Return what the player must do before their data can be erased, or ""."""
    if match_data.has_open_seat(player):
        return _(
            "You still have a seat in a match that isn’t over. Please resign first: you’ll find your seats under "
            "“My games”."
        )
    if find_duties(player):
        return _("You organise a league or run this site. Please ask somebody else to take over first.")
    return ""


def find_duties(player: Player) -> list[str]:
    """Return the leagues, or the whole site, that would be left alone: only another person can accept them."""
    users = organiser_accounts.find_accounts(player)
    kept = League.objects.filter(Q(keeper=player) | Q(organisers__in=users)).distinct().values_list("name", flat=True)
    return [*kept, *(str(user) for user in users if user.is_superuser)]


def check_can_be_erased(player: Player) -> None:
    """Raise ValidationError if the player's data cannot be erased yet."""
    if reason := explain_not_erasable(player):
        raise ValidationError(reason)


def describe_steps(player: Player) -> list[str]:
    """Say what will happen when the host erases a player, before anything does."""
    seats = player.places.filter(resigned_at=None, match__phase__in=match_data.NOT_OVER)
    running = seats.filter(match__phase=Match.Phase.RUNNING).count()
    waiting, seasons = seats.count() - running, find_current_entries(player).count()
    steps = [_("Nothing is left of their name, address, letters, notes and settings. This can’t be undone.")]
    if running:
        steps += [_("They resign from matches that are being played: %(count)d.") % {"count": running}]
    if waiting:
        steps += [
            _("They leave tables that haven’t started; tables of their own are called off: %(count)d.")
            % {"count": waiting}
        ]
    if seasons:
        steps += [_("They leave seasons: %(count)d.") % {"count": seasons}]
    return [*steps, _("Their moves stay under a made-up name, so that the others can check their matches.")]


def erase_for_host(player: Player, *, now: datetime) -> None:
    """Erase a person who asked the host: give up their seats first, table by table, each with its own lock."""
    if duties := find_duties(player):
        raise ValidationError(_("Somebody else must take this over first: %(names)s.") % {"names": ", ".join(duties)})
    seats = player.places.filter(resigned_at=None, match__phase__in=match_data.NOT_OVER).order_by("match_id")
    for place in seats.select_related("match"):
        if place.match.phase == Match.Phase.RUNNING:
            absence.resign(place, now=now)
        else:
            joining.decline(place, now=now)
    erase(player, now=now)


@transaction.atomic
def erase(player: Player, *, now: datetime) -> None:
    """Erase a player's data for good. Their seats stay in the logs under a pseudonym; no more letters go to them.

    Locks are taken in the usual order: seasons, replies, letters by primary key, players, matches.
    """
    leave_seasons(player, now=now)  # lock seasons before players, as fill_up() does
    retention.lock_letters(player.pk)  # lock letters before their recipients, as bounce handling does
    claims.release_unwritten(now)
    player = Player.objects.select_for_update().get(pk=player.pk)
    check_can_be_erased(player)
    forget(player, texts.forget_names, now=now)


def forget(player: Player, forget_texts: Callable[..., None], *, now: datetime) -> None:
    """Erase everything about a person, whom others' texts name too. The caller holds the player's lock."""
    pseudonym = match_data.make_pseudonym(player)
    users = list(organiser_accounts.find_accounts(player))
    names, addresses = collect_names(player, users)
    forget_texts(player, names, addresses, pseudonym)
    for rows in (AccessAttempt, AccessFailureLog, AccessLog):
        rows.objects.filter(username__in={*addresses, *names, *(user.get_username() for user in users)}).delete()
    for user in users:
        erase_office_account(user, f"{pseudonym} {user.pk}")
    retention.forget_letters(player)
    match_data.erase_player(player)
    Proposal.objects.filter(player=player, closed_at=None).update(closed_at=now)  # seats offered to them
    player.entries.update(typed_name="", typed_address="")
    LetterRequest.objects.filter(address__in=addresses).delete()
    League.objects.filter(contact__in=addresses).update(contact="")
    League.objects.filter(asked_contact__in=addresses).update(asked_contact="")
    player.leagues_offered.update(asked_keeper=None, typed_keeper="")
    accounts.erase_player(player, pseudonym, now=now)


def collect_names(player: Player, users: Iterable[Any]) -> tuple[set[str], set[str]]:
    """Return every name and every address of a person that we have stored: hidden, former and mistyped ones too."""
    typed = list(player.entries.values_list("typed_name", "typed_address"))
    for changes in LeagueEvent.objects.filter(entry__player=player).values_list("changes", flat=True):
        typed += [changes.get(column, ()) for column in ("typed_name", "typed_address")]  # before it was corrected
    changes = player.address_changes.values_list("old", "new")
    office = [(user.get_full_name(), user.get_username(), user.email) for user in users]
    # Django's log has the names of an office account at each change.
    logged = texts.find_log_entries(organiser_accounts.find_accounts(player)).values_list("object_repr", flat=True)
    former = player.former_addresses.values_list("address", flat=True)
    words = {player.address, *match_data.find_names(player), *former, *logged}.union(*typed, *changes, *office)
    addresses = {word.lower() for word in words if "@" in word}
    return {word for word in words if word and "@" not in word}, addresses


def erase_office_account(user: Any, pseudonym: str) -> None:
    """Close an account of the office. Its row stays, because the history names who did what."""
    SecondFactor.objects.filter(user=user).delete()
    user.username, user.email, user.first_name, user.last_name, user.is_active = pseudonym, "", "", "", False
    user.set_unusable_password()
    user.save()


def leave_seasons(player: Player, *, now: datetime) -> None:
    """Decline open invitations and leave running seasons. Results of ended seasons stay."""
    for entry in find_current_entries(player).select_related("season__league").order_by("season"):
        season_entries.decline(entry, now=now)
        if entry.state in {Entry.State.ENTERED, Entry.State.SUBSTITUTE}:
            substitutes.withdraw(entry)


def find_current_entries(player: Player) -> QuerySet[Entry]:
    return player.entries.exclude(season__phase=Season.Phase.ENDED)


# ── people who never came ──


def find_strangers(now: datetime) -> QuerySet[Player]:
    """Return players who never came: others gave us their address, or somebody mistyped it.

    They are listed some time after their last letter, even if a season still asks them; on an organiser's list, before
    any letter, after three times as long. Players who want no more letters are not listed: their rows keep us from
    writing to them again.
    """
    old = now - retention.KEPT
    player = OuterRef("pk")
    asked_or_more = Q(confirmed_at__isnull=False) | Q(match__phase__in=match_data.NOT_OVER)
    silent = Q(state__in=(Entry.State.INVITED, Entry.State.DECLINED)) | Q(state=Entry.State.LEFT, answered_at=None)
    ties: tuple[QuerySet[Any], ...] = (
        Place.objects.filter(asked_or_more, player=player),
        Departure.objects.filter(player=player),
        Proposal.objects.filter(player=player, closed_at=None, match__phase=Match.Phase.RUNNING),
        Match.objects.filter(keeper=player),
        League.objects.filter(Q(keeper=player) | Q(contact=OuterRef("address"))),
        organiser_accounts.find_accounts_of(player, OuterRef("address")),
        Entry.objects.filter(player=player).exclude(silent),
        Entry.objects.filter(LISTED, player=player, player__joined_at__gt=now - 3 * retention.KEPT),
        Letter.objects.filter(Q(created_at__gt=old) | Q(state__in=Letter.ON_THE_WAY), recipient=player),
    )
    never_in = Player.objects.filter(guest=False, unwanted_at=None, visits=0, sessions=0, joined_at__lt=old)
    return never_in.filter(*(~Exists(tie) for tie in ties))


@transaction.atomic
def forget_stranger(player_id: int, *, now: datetime) -> bool:
    """Erase a stranger. Return False if they have come meanwhile, or were invited again."""
    leave_seasons(Player.objects.get(pk=player_id), now=now)  # rolled back if they have come
    retention.lock_letters(player_id)
    player = Player.objects.select_for_update().get(pk=player_id)  # from here on nobody can invite them
    if not find_strangers(now).filter(pk=player_id).exists():
        return False
    forget(player, texts.forget_stranger, now=now)
    return True


def forget_strangers(now: datetime) -> int:
    """Erase the data of people who were invited long ago and never came, until the time is up. Return how many."""
    done, end = 0, time.monotonic() + retention.SECONDS_PER_RUN
    found = list(find_strangers(now).order_by("pk").values_list("pk", flat=True)[:BATCH])
    for pk in found:
        done += batches.run_safely(f"Forgetting player {pk}", forget_stranger, pk, now=now)
        if time.monotonic() > end:
            break
    return done
