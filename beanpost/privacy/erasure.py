"""Erase the data of players, and of people who were invited and never came."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from beanpost.database import batches
from beanpost.leagues.models import Entry, League, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.seasons import substitutes
from beanpost.play.models import Departure, Match, Place, Proposal
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.post.outbox import claims, retention
from beanpost.privacy import match_data, remarks

BATCH = 200  # people whose data is erased in one run


def explain_not_erasable(player: Player) -> str:
    """Return what the player must do before their data can be erased, or ""."""
    if match_data.has_open_seat(player):
        return _(
            "You still have a seat in a match that isn’t over. Please resign first: you’ll find your seats under "
            "“My games”."
        )
    if player.leagues_kept.exists():
        return _("You organise a league. Please ask another organiser to take over first.")
    return ""


def check_can_be_erased(player: Player) -> None:
    """Raise ValidationError if the player's data cannot be erased yet."""
    if reason := explain_not_erasable(player):
        raise ValidationError(reason)


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
    remarks.replace_player(player, match_data.make_pseudonym(player))
    erase_all_but_remarks(player, now)


def erase_all_but_remarks(player: Player, now: datetime) -> None:
    """Erase everything but organisers' remarks. The caller holds the player's lock."""
    retention.forget_letters(player)
    match_data.erase_player(player)
    history: Any = Entry.history
    for entries in (player.entries.all(), history.filter(player=player.pk)):
        entries.update(typed_name="", typed_address="")
    League.objects.filter(contact=player.address).update(contact="")
    League.objects.filter(asked_contact=player.address).update(asked_contact="")
    player.leagues_offered.update(asked_keeper=None, typed_keeper="")
    accounts.erase_player(player, match_data.make_pseudonym(player), now=now)


def leave_seasons(player: Player, *, now: datetime) -> None:
    """Decline open invitations and leave running seasons. Results of ended seasons stay."""
    going_on = player.entries.exclude(season__phase=Season.Phase.ENDED)
    for entry in going_on.select_related("season__league").order_by("season"):
        season_entries.decline(entry, now=now)
        if entry.state in {Entry.State.ENTERED, Entry.State.SUBSTITUTE}:
            substitutes.withdraw(entry)


# ── people who never came ──


def find_strangers(now: datetime) -> QuerySet[Player]:
    """Return players who never came: others gave us their address, or somebody mistyped it.

    They are listed some time after their last letter. Players who want no more letters are not listed: their rows keep
    us from writing to them again.
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
        League.objects.filter(keeper=player),
        Entry.objects.filter(player=player).exclude(silent, season__phase=Season.Phase.ENDED),
        Letter.objects.filter(Q(created_at__gt=old) | Q(state__in=Letter.ON_THE_WAY), recipient=player),
    )
    never_in = Player.objects.filter(guest=False, unwanted_at=None, visits=0, sessions=0, joined_at__lt=old)
    return never_in.filter(*(~Exists(tie) for tie in ties))


@transaction.atomic
def forget_stranger(player_id: int, *, now: datetime) -> bool:
    """Erase a stranger. Return False if they have come meanwhile, or were invited again."""
    retention.lock_letters(player_id)
    player = Player.objects.select_for_update().get(pk=player_id)  # from here on nobody can invite them
    if not find_strangers(now).filter(pk=player_id).exists():
        return False
    remarks.replace_stranger(player, match_data.make_pseudonym(player))
    erase_all_but_remarks(player, now)
    return True


def forget_strangers(now: datetime) -> int:
    """Erase the data of people who were invited long ago and never came."""
    found = list(find_strangers(now).order_by("pk").values_list("pk", flat=True)[:BATCH])
    return sum(batches.run_safely(f"Forgetting player {pk}", forget_stranger, pk, now=now) for pk in found)
