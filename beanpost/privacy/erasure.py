"""Erase a player's data, and that of people who were invited and never came."""

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

BATCH = 200  # people forgotten in one run


def why_not_erasable(player: Player) -> str:
    """Return what the player must do before their data can be erased, or ""."""
    if match_data.sits(player):
        return _(
            "You still have a seat in a match that isn’t over. Please resign first: you’ll find your seats under "
            "“My games”."
        )
    if player.leagues_kept.exists():
        return _("You organise a league. Please ask another organiser to take over first.")
    return ""


def check_can_be_erased(player: Player) -> None:
    if first := why_not_erasable(player):
        raise ValidationError(first)


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
    remarks.forget(player, match_data.pseudonym(player))
    forget(player, now)


def forget(player: Player, now: datetime) -> None:
    """Erase everything but organisers' remarks. The caller holds the player's lock."""
    retention.forget_letters(player)
    match_data.forget(player)
    past: Any = Entry.history
    for entries in (player.entries.all(), past.filter(player=player.pk)):
        entries.update(typed_name="", typed_address="")
    League.objects.filter(contact=player.address).update(contact="")
    League.objects.filter(asked_contact=player.address).update(asked_contact="")
    player.leagues_offered.update(asked_keeper=None, typed_keeper="")
    accounts.erase_player(player, match_data.pseudonym(player), now=now)


def leave_seasons(player: Player, *, now: datetime) -> None:
    """Decline open invitations and leave running seasons. Results of ended seasons stay."""
    going_on = player.entries.exclude(season__phase=Season.Phase.ENDED)
    for entry in going_on.select_related("season__league").order_by("season"):
        season_entries.decline(entry, now=now)
        if entry.state in {Entry.State.ENTERED, Entry.State.SUBSTITUTE}:
            substitutes.withdraw(entry)


# ── people who never came ──


def strangers(now: datetime) -> QuerySet[Player]:
    """Return players who never came in: others gave us their address, or somebody mistyped it.

    They are listed some time after their last letter. Players who want no more letters are kept, otherwise we could
    write to them again.
    """
    old = now - retention.KEPT
    who = OuterRef("pk")
    asked_or_more = Q(confirmed_at__isnull=False) | Q(match__phase__in=match_data.NOT_OVER)
    silent = Q(state__in=(Entry.State.INVITED, Entry.State.DECLINED)) | Q(state=Entry.State.LEFT, answered_at=None)
    ties: tuple[QuerySet[Any], ...] = (
        Place.objects.filter(asked_or_more, player=who),
        Departure.objects.filter(player=who),
        Proposal.objects.filter(player=who, closed_at=None, match__phase=Match.Phase.RUNNING),
        Match.objects.filter(keeper=who),
        League.objects.filter(keeper=who),
        Entry.objects.filter(player=who).exclude(silent, season__phase=Season.Phase.ENDED),
        Letter.objects.filter(Q(created_at__gt=old) | Q(state__in=Letter.ON_THE_WAY), recipient=who),
    )
    never_in = Player.objects.filter(guest=False, unwanted_at=None, visits=0, sessions=0, joined_at__lt=old)
    return never_in.filter(*(~Exists(tie) for tie in ties))


@transaction.atomic
def forget_stranger(player_id: int, *, now: datetime) -> bool:
    """Erase a stranger. Return False if they have come in meanwhile, or were asked again."""
    retention.lock_letters(player_id)
    player = Player.objects.select_for_update().get(pk=player_id)  # from here on nobody can invite them
    if not strangers(now).filter(pk=player_id).exists():
        return False
    remarks.forget_stranger(player, match_data.pseudonym(player))
    forget(player, now)
    return True


def forget_strangers(now: datetime) -> int:
    """Erase the data of people who were invited long ago and never came."""
    found = list(strangers(now).order_by("pk").values_list("pk", flat=True)[:BATCH])
    return sum(batches.run_safely(f"Forgetting player {pk}", forget_stranger, pk, now=now) for pk in found)
