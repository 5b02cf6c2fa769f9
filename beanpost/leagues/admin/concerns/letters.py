"""Letters of seasons that failed, or are to be sent. Seasons come with their rows, read by `facts`."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from beanpost.leagues.admin.concerns.concern import Concern, Way, lead_to
from beanpost.leagues.mail import announcements, invitations, letters
from beanpost.leagues.mail.announcements import LostLetters
from beanpost.leagues.models import Entry, League, Season
from beanpost.leagues.seasons.conflicts import Interests
from beanpost.post import kinds
from beanpost.post.models import Letter

Seasons = Collection[Season]


def find_lost_invitations(seasons: Seasons) -> list[Entry]:
    """Return the entries whose invitation did not arrive; without a query if nobody has yet to answer."""
    asked = [entry.pk for season in seasons for entry in season.entries.all() if entry.state == Entry.State.INVITED]
    if not asked:
        return []
    invited = Entry.objects.filter(season__in=[season.pk for season in seasons])
    return list(invitations.find_undelivered(invited).select_related("player", "season__league"))


def lost_invitations(entries: list[Entry]) -> Iterator[Concern]:
    for entry in entries:
        what = _("The invitation to %(name)s couldn’t be delivered.") % {"name": entry.called}
        again = lead_to(entry, "invite", _("Send again"))
        is_unwanted = entry.player.unwanted_at and not entry.is_hidden  # then nothing is sent to them
        ways = (*(() if is_unwanted else (again,)), lead_to(entry, "withdraw", _("Withdraw")))
        yield Concern(what, ways, entry.invited_at, entry.season)


def lost_news(found: list[LostLetters]) -> Iterator[Concern]:
    for lost in found:
        again = lead_to(lost.season, "write-again", _("Send again"))
        yield Concern(str(lost), (again,), lost.letters[0].created_at, lost.season)


def failed_match_letters(seasons: Seasons, own: Interests) -> Iterator[Concern]:
    """Yield failed letters of matches, without those in which the organiser plays."""
    shown = {season.pk: season for season in seasons}
    failed = Letter.objects.filter(state=Letter.State.FAILED, match__fixture__round__division__season__in=list(shown))
    failed = failed.exclude(kind__in=announcements.KINDS)
    for letter in failed.select_related("recipient", "match__fixture__round__division").order_by("pk"):
        assert letter.match is not None
        if letter.match_id in own.matches:  # a dropped letter can reveal a standing order
            continue
        table = letter.match.fixture
        values = {"letter": kinds.name_kind(letter.kind), "table": table, "name": letter.recipient.name}
        what = _("A letter to %(name)s couldn’t be delivered: %(letter)s (%(table)s).") % values
        ways = (Way(_("Send again"), list_url("failed")),)
        yield Concern(what, ways, letter.created_at, shown[table.round.division.season_id])


def weekly_letters(seasons: Seasons, now: datetime) -> Iterator[Concern]:
    """Yield seasons whose weekly letter an organiser sends and has not sent this week."""
    running = [season for season in seasons if season.phase == Season.Phase.RUNNING]
    approved = [season for season in running if season.league.weekly == League.Weekly.APPROVED]
    sent = letters.find_weekly_sent(approved, now) if approved else set()
    for season in approved:
        if season.pk not in sent:
            ways = (lead_to(season, "weekly", _("Preview it")),)
            yield Concern(_("This week’s letter is ready to send."), ways, about=season)


def list_url(state: str) -> str:
    return reverse("admin:post_letter_changelist") + f"?state__exact={state}"
