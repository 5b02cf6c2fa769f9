"""Export everything that is stored about a player, as plain values: for a file, and for a page to read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from axes.models import AccessAttempt, AccessLog
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import StrIndex

from beanpost.admin import labels
from beanpost.leagues import organiser_accounts
from beanpost.leagues.models import Bye, Entry, League, LeagueEvent, News
from beanpost.play import models as play
from beanpost.play.display.lists import my_games
from beanpost.players.models import Player
from beanpost.post import kinds
from beanpost.post.models import Letter, Reply, Report
from beanpost.privacy import match_data

# Kinds of letters whose links prove that the reader controls the mailbox.
PLAYER = (
    "address name name_shown nickname language zone joined_at unwanted_at unreached_at confirmed_at how_often "
    "digest_hour text_only without_pictures calendar alarm_hours hears_notes reply_receipts weekly "
    "league_news follows_rounds"
)
SEAT = (
    "match__code match__game seat name word invited_at confirmed_at resigned_at may_be_watched here_at hears_notes "
    "wants_reminders excuses misses stand_in"
)


def find_linked_accounts(player: Player) -> QuerySet[Any]:
    """Return the accounts that are proven to be the player's: another person may have a former address by now."""
    return get_user_model().objects.filter(organiser_account__player=player)


def find_sign_ins(kind: Any, player: Player) -> QuerySet[Any]:
    rows: QuerySet[Any] = kind.objects.filter(username__in=find_linked_accounts(player).values("username"))
    return rows


def find_leagues(player: Player) -> QuerySet[League]:
    """Return the leagues that a player runs, or whose replies go to them."""
    runs = Q(keeper=player) | Q(organisers__in=find_linked_accounts(player))
    return League.objects.filter(runs | Q(contact=player.address)).distinct()


def find_votes(player: Player) -> QuerySet[play.Voice]:
    return match_data.find_own(play.Voice, player, match="proposal__match", line="proposal__length")


def find_remarks(player: Player) -> QuerySet[LeagueEvent]:
    """Return what organisers did about a player, without sentences that hold another address on the season's list."""
    others = Entry.objects.filter(season=OuterRef("season")).exclude(player=player).exclude(typed_address="")
    named = others.alias(found=StrIndex(OuterRef("told"), "typed_address")).filter(found__gt=0)
    return LeagueEvent.objects.filter(~Exists(named), entry__player=player)


SECTIONS: dict[str, tuple[Callable[[Player], QuerySet[Any]], str]] = {
    "address_changes": (lambda one: one.address_changes.all(), "old new asked_at effective_at stopped_at done_at"),
    "former_addresses": (lambda one: one.former_addresses.all(), "address until"),
    "former_names": (lambda one: one.former_names.all(), "name until"),
    "organiser_accounts": (
        lambda one: organiser_accounts.find_accounts_of(one, one.address),
        "username first_name last_name email date_joined last_login",
    ),
    "sign_ins": (lambda one: find_sign_ins(AccessLog, one), "username attempt_time ip_address user_agent"),
    "sign_in_attempts": (
        lambda one: find_sign_ins(AccessAttempt, one),
        "username attempt_time ip_address user_agent failures_since_start",
    ),
    "office_acts": (
        lambda one: LogEntry.objects.filter(user__in=find_linked_accounts(one)),
        "action_time object_repr change_message",
    ),
    "office_events": (
        lambda one: LeagueEvent.objects.filter(done_by__in=find_linked_accounts(one)),
        "season__name about told changes reason done_at",
    ),
    "news": (
        lambda one: News.objects.filter(written_by__in=find_linked_accounts(one)),
        "season__name headline words written_at",
    ),
    "leagues": (find_leagues, "name"),
    "absences": (lambda one: one.absences.all(), "first last used_from used_until announced_at"),
    "matches_opened": (lambda one: one.kept.all(), "code game opened_at"),
    "seats_offered": (
        lambda one: play.Proposal.objects.filter(player=one),
        "match__code seat opened_at passed_at accepted_at closed_at",
    ),
    "seats_kept": (
        lambda one: match_data.find_own(play.Proposal, one, line="length").exclude(vetoed_at=None),
        "match__code seat opened_at vetoed_at",
    ),
    "seats_left": (lambda one: one.departures.all(), "match__code match__game seat name left_at"),
    "moves": (lambda one: match_data.find_own(play.Event, one), "match__code seq line origin said_at"),
    "votes": (find_votes, "proposal__match__code proposal__about proposal__opened_at"),
    "notes": (lambda one: match_data.find_own(play.Note, one), "match__code seq text said_at"),
    "orders": (match_data.find_orders, "match__code line given_at answered lapsed_at reason values"),
    "bounces": (lambda one: Report.objects.filter(letter__recipient=one), "letter__subject kind soft told_at"),
    "seasons": (
        lambda one: one.entries.all(),
        "season__league__name season__name division__name state rung on_acceptance known typed_name typed_address "
        "invited_at reminded_at answered_at",
    ),
    "byes": (lambda one: Bye.objects.filter(entry__player=one), "round__division__season__name round__number"),
    "league_results": (
        lambda one: one.chairs.all(),
        "fixture__round__division__season__name fixture__match__code rank score forfeited by_bot",
    ),
    "remarks": (
        find_remarks,
        "season__name about told changes reason done_at",
    ),
    "leagues_offered": (lambda one: one.leagues_offered.all(), "name"),
    "ratings": (lambda one: one.ratings.all(), "game mu sigma matches"),
}


def export_data(player: Player) -> dict[str, Any]:
    """Return the player's data as plain values. Of other people it holds only what the player saw."""
    rows = ((name, find(player).order_by("pk"), columns) for name, (find, columns) in SECTIONS.items())
    return {
        "format": "beanpost-player/2",
        "player": {name: getattr(player, name) for name in PLAYER.split()},
        **{name: list(found.values(*columns.split())) for name, found, columns in rows},
        "seats": export_seats(player),
        "letters": export_letters(player),
        "replies": export_replies(player),
    }


def export_seats(player: Player) -> list[dict[str, Any]]:
    """Return the player's seats and results. If they took a seat over, its word for the shuffle is someone else's."""
    places = player.places.select_related("match").order_by("pk")
    ranks = my_games.rank_matches(place.match for place in places if place.match.phase == play.Match.Phase.ENDED)
    seats = zip(places, places.values(*SEAT.split()), strict=True)
    return [
        seat | ({"word": ""} if place.seated else {}) | {"rank": ranks.get(place.match_id, {}).get(place.seat)}
        for place, seat in seats
    ]


def export_letters(player: Player) -> list[dict[str, Any]]:
    """Return all letters to the player.

    The text of letters that prove control of a mailbox is left out, since a session does not prove it.
    """
    letters = Letter.objects.filter(recipient=player).select_related("body").order_by("pk")
    return [
        {name: getattr(letter, name) for name in ("kind", "address", "created_at", "sent_at", "fate", "subject")}
        | {"text": "" if kinds.load()[letter.kind].proves_mailbox else letter.text}
        for letter in letters.iterator()
    ]


def export_replies(player: Player) -> list[dict[str, Any]]:
    """Return the player's emails as they came in, but those that may quote a letter whose text is left out."""
    proofs = [kind.name for kind in kinds.load().values() if kind.proves_mailbox]
    replies = Reply.objects.filter(letter__recipient=player).exclude(letter__kind__in=proofs).order_by("pk")
    return [
        {"sender": reply.sender, "received_at": reply.received_at, "state": reply.state, "finding": reply.finding}
        | {"source": bytes(reply.source).decode("utf-8", "replace")}
        for reply in replies
    ]


def name_column(name: str) -> str:
    """Return a column's name for the page, in the reader's language."""
    last = name.rpartition("__")[2].replace("_", " ")
    return str(labels.COLUMNS.get(last, last))
