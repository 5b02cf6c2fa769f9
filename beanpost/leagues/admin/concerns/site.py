"""Concerns of the whole site or of a league without a season."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from beanpost.leagues.admin.concerns.concern import Concern, Way
from beanpost.leagues.admin.concerns.letters import list_url
from beanpost.leagues.mail import announcements, invitations
from beanpost.leagues.models import Entry, League, Season
from beanpost.play.display.wording import format_time
from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.post.outbox import pause, unconfirmed


def paused_outbox() -> Iterator[Concern]:
    """Tell the host that no letter leaves, because the mail server refuses them all."""
    if paused := pause.find_pause():
        what = _("The mail server refuses all letters: %(error)s. All clocks are stopped until it accepts one.")
        yield Concern(what % {"error": paused.error}, (Way(_("Site health"), reverse("watching")),), paused.began_at)


def account_without_player() -> Concern:
    what = _("Do you play here yourself? Until you answer, you can’t make decisions about tables.")
    return Concern(what, (Way(_("Answer"), reverse("plays-here")),))


def many_new_addresses(free_at: datetime | None, now: datetime) -> Iterator[Concern]:
    """Tell the host that letters to unconfirmed addresses wait, until `free_at`, because a daily limit is reached."""
    most, ways = settings.UNCONFIRMED_LETTERS_A_DAY, (Way(_("Look at the letters"), list_url("queued")),)
    if until := unconfirmed.find_free_time(now, requested=True):
        what = ngettext(
            "A stranger has had us write to one new address in the last day, which is the limit here. Further requests "
            "are refused until %(until)s. Invitations go out as usual.",
            "Strangers have had us write to %(count)d new addresses in the last day, which is the limit here. Further "
            "requests are refused until %(until)s. Invitations go out as usual.",
            most,
        )
        yield Concern(what % {"count": most, "until": format_time(until)}, ways)
    if free_at:
        what = ngettext(
            "We’ve written to one new address in the last day, which is the limit here. Other letters to new addresses "
            "wait until %(until)s.",
            "We’ve written to %(count)d new addresses in the last day, which is the limit here. Other letters to new "
            "addresses wait until %(until)s.",
            most,
        )
        yield Concern(what % {"count": most, "until": format_time(free_at)}, ways)


def invitations_that_wait(seasons: Collection[Season], free_at: datetime | None, now: datetime) -> Iterator[Concern]:
    """Tell organisers that invitations may wait because the daily limit of letters to new addresses is reached.

    This counts all invitations of the last day: the number that really waits would reveal which addresses we know.
    """
    entries = [entry for season in seasons for entry in season.entries.all() if entry.state == Entry.State.INVITED]
    count = len([entry for entry in entries if entry.invited_at and entry.invited_at > now - timedelta(days=1)])
    if count and free_at:
        what = ngettext(
            "An invitation of the last day may wait until %(until)s: we have written to many new addresses.",
            "%(count)d invitations of the last day may wait until %(until)s: we have written to many new addresses.",
            count,
        )
        ways = (Way(_("Look at the letters"), list_url("queued")),)
        yield Concern(what % {"count": count, "until": format_time(free_at)}, ways)


def other_failed_letters(seasons: Collection[Season]) -> Iterator[Concern]:
    """Tell the host of failed letters that are not listed one by one with these seasons."""
    listed = Q(kind=invitations.KIND) | Q(kind__in=announcements.KINDS, values__has_key="season")
    listed |= Q(match__fixture__round__division__season__in=[season.pk for season in seasons])
    if count := Letter.objects.filter(state=Letter.State.FAILED).exclude(listed).count():
        what = ngettext("One letter couldn’t be delivered.", "%(count)d letters couldn’t be delivered.", count)
        yield Concern(what % {"count": count}, (Way(_("Send again"), list_url("failed")),))


def other_unreachable_players(seasons: Collection[Season]) -> Iterator[Concern]:
    """Tell the host of players whose letters bounce, and who are not listed one by one with these seasons."""
    listed = Entry.objects.filter(season__in=[season.pk for season in seasons]).values("player")
    if count := Player.objects.filter(unreached_at__isnull=False).exclude(pk__in=listed).count():
        what = ngettext("Letters to one player are bouncing.", "Letters to %(count)d players are bouncing.", count)
        url = reverse("admin:players_player_changelist") + "?unreached_at__isnull=False"
        yield Concern(what % {"count": count}, (Way(_("View"), url),))


def league_without_season(league: League) -> Concern:
    url = reverse("admin:leagues_season_add") + f"?league={league.pk}"
    what = _("%(league)s has no season yet.") % {"league": league}
    return Concern(what, (Way(_("Plan a season"), url),), about=league)
