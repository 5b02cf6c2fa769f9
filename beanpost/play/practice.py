"""Practice matches: a guest plays against bots, without an account. They are deleted after two weeks, log included."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

import games
from beanpost.database import batches
from beanpost.play import random_codes
from beanpost.play.models import Departure, Event, Match, Note, Order, Place, Proposal, Vault, Wait
from beanpost.play.seats import opening
from beanpost.play.tickets import make_fingerprint
from beanpost.play.timekeeping import timeouts
from beanpost.players import accounts
from beanpost.players.models import Player
from games.contract.game import Practice

KEPT = timedelta(days=14)
MAX_AN_HOUR = 20  # practice matches of one visitor
GUIDED_TURNS = 3
MAX_PAUSES = 20  # how often bots may pause and go on by themselves; then the guest has to ask them to


def find_offered_games() -> dict[str, Practice]:
    """Return the games that guests can try, each with its practice table."""
    return {slug: game.practice for slug, game in games.GAMES.items() if game.practice}


@transaction.atomic
def begin(game: str, *, visitor: str, language: str, now: datetime) -> Match:
    """Begin a practice match for a guest. `visitor` identifies where they come from; only its fingerprint is stored."""
    table = find_offered_games().get(game)
    if table is None:
        raise ValidationError(_("Choose one of the games."))
    seen = make_fingerprint("guest", visitor)[:16]
    if accounts.count_guests(seen, now - timedelta(hours=1)) >= MAX_AN_HOUR:
        raise ValidationError(_("You’ve tried a lot of rounds in the last hour. Please come back later."))
    number = random_codes.make_seed()[:16]
    guest = accounts.create_guest(_("Guest"), mark=seen, number=number, language=language, now=now)
    seats = max(table.seats, games.get(game).seats[0])
    planned = opening.plan(
        guest,
        game=game,
        variant=table.variant or games.get(game).variants[0],
        seats=seats,
        pace="weekly",
        open_to_all=False,
        bots=seats - 1,
        addresses=[],
    )
    match = opening.open_match(planned, guest, now=now)
    let_bots_play(match, now)
    return match


def let_bots_play(match: Match, now: datetime) -> None:
    """Let bots that paused after many lines go on at once: a guest should not wait for the next sweep."""
    for _pause in range(MAX_PAUSES):
        if not timeouts.time_out_match(match, now):
            return


def prune(now: datetime) -> int:
    """Delete practice matches that are old enough. Return how many."""
    old = Match.objects.filter(practice=True, opened_at__lt=now - KEPT).order_by("pk").values_list("pk", flat=True)
    return sum(batches.run_safely(f"The practice table {pk}", remove, pk) for pk in list(old))


@transaction.atomic
def remove(match_id: int) -> bool:
    match = Match.objects.select_for_update().filter(pk=match_id, practice=True).first()
    if match is None:  # another process has deleted it
        return False
    Match.objects.filter(follows=match).update(follows=None)
    # The base manager, since the log's own refuses deletion. The database's trigger lets only practice rows go.
    Event._base_manager.filter(match=match).delete()
    for kind in (Wait, Order, Note, Proposal, Departure, Vault, Place):
        kind._default_manager.filter(match=match).delete()
    match.delete()
    Player.objects.filter(pk=match.keeper_id, guest=True, kept=None, places=None).delete()
    return True
