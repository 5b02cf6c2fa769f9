"""Letters that wait, failed or are to be sent."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from beanpost.leagues.admin.dashboard.items import (
    MAX_ITEMS,
    Item,
    action_url,
    find_undelivered_invitations,
    limit_to_own,
)
from beanpost.leagues.mail import announcements, invitations, letters
from beanpost.leagues.models import Entry, League, Season
from beanpost.play.display.wording import format_time
from beanpost.post.models import Letter
from beanpost.post.outbox import pause, unconfirmed


def paused_outbox(user: Any) -> Iterator[Item]:
    """Tell the host that no letter leaves, because the mail server refuses them all."""
    if user.is_superuser and (paused := pause.find_pause()):
        what = _("The mail server refuses all letters: %(error)s. All clocks are stopped until it accepts one.")
        yield Item(what % {"error": paused.error}, _("Site health"), reverse("watching"))


def many_new_addresses(user: Any, now: datetime) -> Iterator[Item]:
    """Tell the host that letters to unconfirmed addresses wait because a daily limit is reached."""
    if not user.is_superuser:
        return
    most = settings.UNCONFIRMED_LETTERS_A_DAY
    if until := unconfirmed.find_free_time(now, requested=True):
        what = ngettext(
            "A stranger has had us write to one new address in the last day, which is the limit here. Further requests "
            "are refused until %(until)s. Invitations go out as usual.",
            "Strangers have had us write to %(count)d new addresses in the last day, which is the limit here. Further "
            "requests are refused until %(until)s. Invitations go out as usual.",
            most,
        )
        yield Item(what % {"count": most, "until": format_time(until)}, _("Look at the letters"), queued_letters_url())
    if not (until := unconfirmed.find_free_time(now, requested=False)):
        return
    what = ngettext(
        "We’ve written to one new address in the last day, which is the limit here. Other letters to new addresses "
        "wait until %(until)s.",
        "We’ve written to %(count)d new addresses in the last day, which is the limit here. Other letters to new "
        "addresses wait until %(until)s.",
        most,
    )
    yield Item(what % {"count": most, "until": format_time(until)}, _("Look at the letters"), queued_letters_url())


def invitations_that_wait(user: Any, now: datetime) -> Iterator[Item]:
    """Tell organisers that invitations may wait because the daily limit of letters to new addresses is reached.

    This counts all invitations of the last day: the number that really waits would reveal which addresses we know.
    """
    if not (until := unconfirmed.find_free_time(now, requested=False)):
        return
    invited = Entry.objects.filter(state=Entry.State.INVITED, invited_at__gt=now - timedelta(days=1))
    if count := limit_to_own(invited, user).count():
        what = ngettext(
            "An invitation of the last day may wait until %(until)s: we have written to many new addresses.",
            "%(count)d invitations of the last day may wait until %(until)s: we have written to many new addresses.",
            count,
        )
        yield Item(what % {"count": count, "until": format_time(until)}, _("Look at the letters"), queued_letters_url())


def queued_letters_url() -> str:
    return reverse("admin:post_letter_changelist") + "?state__exact=queued"


def failed_letters(user: Any) -> Iterator[Item]:
    """Count failed letters about matches. Failed invitations and season news are listed one by one elsewhere."""
    listed_elsewhere = Q(kind=invitations.KIND) | Q(kind__in=announcements.KINDS, values__has_key="season")
    failed = limit_to_own(Letter.objects.filter(state=Letter.State.FAILED).exclude(listed_elsewhere), user)
    if count := failed.count():
        url = reverse("admin:post_letter_changelist") + "?state__exact=failed"
        what = ngettext("One letter couldn’t be delivered.", "%(count)d letters couldn’t be delivered.", count)
        yield Item(what % {"count": count}, _("Send again"), url)


def lost_invitations(user: Any) -> Iterator[Item]:
    for entry in find_undelivered_invitations(user).select_related("player", "season__league")[:MAX_ITEMS]:
        what = _("The invitation to %(name)s couldn’t be delivered.") % {"name": entry.called}
        yield Item(what, _("Send again"), action_url(entry, "invite"), entry.season)


def lost_news(user: Any, now: datetime) -> Iterator[Item]:
    for lost in announcements.list_lost(limit_to_own(Season.objects.all(), user), now)[:MAX_ITEMS]:
        yield Item(str(lost), _("Send again"), action_url(lost.season, "write-again"), lost.season)


def weekly_letters(user: Any, now: datetime) -> Iterator[Item]:
    """Yield seasons whose weekly letter an organiser sends and has not sent this week."""
    running = Season.objects.filter(phase=Season.Phase.RUNNING, league__weekly=League.Weekly.APPROVED)
    for season in limit_to_own(running, user).select_related("league")[:MAX_ITEMS]:
        if not letters.is_weekly_sent(season, now):
            what = _("This week’s letter is ready to send.")
            yield Item(what, _("Preview it"), action_url(season, "weekly"), season)
