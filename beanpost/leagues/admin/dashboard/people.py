"""People who don't answer, or whom letters don't reach."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from beanpost.leagues import organiser_accounts
from beanpost.leagues.actions.next_step import OVERDUE_AFTER
from beanpost.leagues.admin.dashboard.items import (
    MAX_ITEMS,
    Item,
    action_url,
    find_undelivered_invitations,
    limit_to_own,
)
from beanpost.leagues.mail import announcements
from beanpost.leagues.models import Entry, League, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.play.models import Match, Place
from beanpost.players.models import Player


def account_without_player(user: Any) -> Iterator[Item]:
    if not organiser_accounts.is_known(user) and limit_to_own(League.objects.all(), user).exists():
        what = _("Do you play here yourself? Until you answer, you can’t make decisions about tables.")
        yield Item(what, _("Answer"), reverse("plays-here"))


def unreachable_players(user: Any, now: datetime) -> Iterator[Item]:
    """Yield players whose letters bounce. Their clock stops for a while, then they count as absent.

    Players listed for another reason, such as a lost letter that can be resent, are left out. But a lost invitation
    says nothing about seasons that the player is already in.
    """
    unreached = limit_to_own(Player.objects.filter(unreached_at__isnull=False), user).order_by("-unreached_at")
    if not unreached.exists():
        return  # nearly always: the long query below takes a tenth of the cockpit's time
    lost = announcements.find_lost_letters(limit_to_own(Season.objects.all(), user), now)
    unreached = unreached.exclude(
        pk__in=find_undelivered_invitations(user).filter(~Exists(other_entries(user))).values("player")
    )
    unreached = unreached.exclude(pk__in=lost.order_by().values("recipient"))
    unreached = unreached.exclude(pk__in=find_unsubscribed_players(user).order_by().values("pk"))
    for player in annotate_entries(unreached):
        what = _("Letters to %(name)s are bouncing.") % {"name": player.name}
        yield Item(what, _("View"), entries_url(player) if player.plays else player_url(player))


def other_entries(user: Any) -> QuerySet[Entry]:
    """For an outer entry, return the same player's entries in seasons that are not over."""
    there = (Entry.State.ENTERED, Entry.State.WAITING, Entry.State.SUBSTITUTE)
    theirs = Entry.objects.filter(player=OuterRef("player"), state__in=there)
    return limit_to_own(theirs.exclude(season__phase=Season.Phase.ENDED), user)


def unsubscribed_players(user: Any) -> Iterator[Item]:
    if not limit_to_own(Player.objects.filter(unwanted_at__isnull=False), user).exists():
        return  # nearly always, as above
    for player in annotate_entries(find_unsubscribed_players(user).order_by("-unwanted_at")):
        what = _("%(name)s has unsubscribed, so a bot is playing for them.") % {"name": player.name}
        yield Item(what, _("View"), entries_url(player) if player.plays else player_url(player))


def find_unsubscribed_players(user: Any) -> QuerySet[Player]:
    """Return players who want no more letters and whose seat a bot plays: another player may want that seat."""
    matches = limit_to_own(Match.objects.filter(phase=Match.Phase.RUNNING), user).values("pk")
    left_to_bots = Place.objects.filter(player=OuterRef("pk"), match__in=matches, stand_in=True)
    return limit_to_own(Player.objects.filter(Exists(left_to_bots), unwanted_at__isnull=False), user)


def annotate_entries(players: QuerySet[Player]) -> QuerySet[Player, Any]:
    """Return the first players, each with whether they are in any season (`plays`)."""
    return players.annotate(plays=Exists(Entry.objects.filter(player=OuterRef("pk"))))[:MAX_ITEMS]


def entries_url(player: Player) -> str:
    """Return the URL of a player's entries, where they can be replaced or removed."""
    return reverse("admin:leagues_entry_changelist") + "?" + urlencode({"q": player.address})


def player_url(player: Player) -> str:
    return reverse("admin:players_player_change", args=[player.pk])


def people_to_invite(user: Any) -> Iterator[Item]:
    for season in limit_to_own(Season.objects.filter(phase__in=(Season.Phase.PLANNED, Season.Phase.ENTERING)), user)[
        :MAX_ITEMS
    ]:
        if count := season_entries.find_people_to_invite(season).count():
            what = ngettext("One person hasn’t been invited yet.", "%(count)d people haven’t been invited yet.", count)
            yield Item(what % {"count": count}, _("Invite everyone"), action_url(season, "invite"), season)


def silent_entries(user: Any, now: datetime) -> Iterator[Item]:
    """Yield seasons with people who were invited some time ago and can still get their one reminder."""
    for season in limit_to_own(Season.objects.filter(phase=Season.Phase.ENTERING), user).select_related("league")[
        :MAX_ITEMS
    ]:
        if count := season_entries.find_people_to_remind(season).filter(invited_at__lt=now - OVERDUE_AFTER).count():
            what = ngettext("One person hasn’t answered.", "%(count)d people haven’t answered.", count)
            yield Item(what % {"count": count}, _("Remind them"), action_url(season, "remind"), season)
