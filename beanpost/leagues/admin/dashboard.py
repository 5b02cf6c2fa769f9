"""An organiser's agenda: things that need attention, each with the action or page that helps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import Count, Exists, F, Model, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from beanpost.leagues import accounts, scope
from beanpost.leagues.actions.next_step import OVERDUE_AFTER
from beanpost.leagues.actions.whole_season_actions import close_label, start_label
from beanpost.leagues.admin import navigation
from beanpost.leagues.mail import announcements, invitations, letters
from beanpost.leagues.models import Chair, Division, Entry, Fixture, League, Round, Season
from beanpost.leagues.seasons import entries as season_entries
from beanpost.leagues.seasons import next_rounds, rounds, substitutes, whole_season
from beanpost.play import clock
from beanpost.play.display.wording import listed, moment
from beanpost.play.models import Match, Place, Proposal, Wait
from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.post.outbox import unconfirmed

M = TypeVar("M", bound=Model)
SHOWN = 20


@dataclass(frozen=True)
class Item:
    """Something that needs attention, and the verb or page that helps."""

    what: str
    act: str
    url: str
    where: object = ""  # the season, unless `what` names it


@dataclass(frozen=True)
class Within:
    """An organiser who looks at one season."""

    user: Any
    season: Season

    @property
    def is_superuser(self) -> bool:
        return bool(self.user.is_superuser)


def own(rows: QuerySet[M], user: Any) -> QuerySet[M]:
    """Return the rows that an organiser may see, of all their leagues or within one season."""
    if isinstance(user, Within):
        return scope.in_season(scope.own(rows, user.user), user.season)
    return scope.own(rows, user)


def dashboard(request: Any, context: dict[str, Any]) -> dict[str, Any]:
    """Add the agenda to the admin's first page. Unfold calls this."""
    rooms_shown = navigation.in_order(context["app_list"])
    return {**context, "app_list": rooms_shown, "agenda": list(attention(request.user, clock.now()))}


def attention(user: Any, now: datetime) -> Iterator[Item]:
    yield from account_without_player(user)
    yield from late_seats(user, now)
    yield from many_new_addresses(user, now)
    yield from invitations_that_wait(user, now)
    yield from failed_letters(user)
    yield from people_and_seats(user, now)
    yield from tables_not_filled(user, now)
    yield from rounds_to_start(user)
    yield from rounds_to_close(user)
    yield from divisions_to_draw(user)
    yield from seasons_to_close(user)
    yield from knock_outs_cut_short(user)
    yield from leagues_without_keeper(user)
    yield from seasons_to_follow(user)
    yield from leagues_without_season(user)
    yield from seasons_without_people(user)
    yield from people_to_invite(user)
    yield from silent_entries(user, now)
    yield from weekly_letters(user, now)


def people_and_seats(user: Any, now: datetime) -> Iterator[Item]:
    """Yield people whom letters don't reach, and seats that need somebody."""
    yield from lost_invitations(user)
    yield from lost_news(user, now)
    yield from unreached_players(user, now)
    yield from unwilling_players(user)
    yield from empty_seats(user)
    yield from seats_left(user)
    yield from seats_offered(user, now)


def problems_in(season: Season, user: Any, now: datetime) -> list[Item]:
    """Return what needs attention in one season, for its cockpit. The next step is shown apart."""
    who = Within(user, season)
    return [*late_seats(who, now), *people_and_seats(who, now)]


def verb(row: Any, name: str) -> str:
    return reverse(f"admin:leagues_{row._meta.model_name}_do", args=[row.pk, name])


def account_without_player(user: Any) -> Iterator[Item]:
    if not accounts.is_known(user) and own(League.objects.all(), user).exists():
        what = _("Do you play here yourself? Until you say, you can’t decide tables.")
        yield Item(what, _("Answer"), reverse("plays-here"))


def late_seats(user: Any, now: datetime) -> Iterator[Item]:
    """Yield seats that keep their table waiting after a reminder."""
    matches = own(Match.objects.filter(phase=Match.Phase.RUNNING), user).values("pk")
    waits = Wait.objects.filter(match__in=matches, due_at__isnull=False, remind_at=None, match__fixture__isnull=False)
    for wait in waits.select_related("match__fixture__round__division__season__league").order_by("due_at")[:SHOWN]:
        fixture = wait.match.fixture
        place = wait.match.places.filter(seat=wait.seat).first()
        what = _("%(fixture)s is waiting for %(name)s.") % {"fixture": fixture, "name": place}
        yield Item(what, _("Give more time"), verb(fixture, "extend"), fixture.round.division.season)


def many_new_addresses(user: Any, now: datetime) -> Iterator[Item]:
    """Tell the host that letters to unconfirmed addresses wait because the daily limit is reached."""
    if not user.is_superuser or not (until := unconfirmed.is_full_until(now)):
        return
    most = settings.UNCONFIRMED_LETTERS_A_DAY
    what = ngettext(
        "We’ve written to one new address in the last day, which is the limit here. Other letters to new addresses "
        "wait until %(until)s.",
        "We’ve written to %(count)d new addresses in the last day, which is the limit here. Other letters to new "
        "addresses wait until %(until)s.",
        most,
    )
    yield Item(what % {"count": most, "until": moment(until)}, _("Look at the letters"), letters_on_the_way())


def invitations_that_wait(user: Any, now: datetime) -> Iterator[Item]:
    """Tell organisers that invitations may wait because the daily limit of letters to new addresses is reached.

    This counts all invitations of the last day: the number that really waits would reveal which addresses we know.
    """
    if not (until := unconfirmed.is_full_until(now)):
        return
    invited = Entry.objects.filter(state=Entry.State.INVITED, invited_at__gt=now - timedelta(days=1))
    if count := own(invited, user).count():
        what = ngettext(
            "An invitation of the last day may wait until %(until)s: we have written to many new addresses.",
            "%(count)d invitations of the last day may wait until %(until)s: we have written to many new addresses.",
            count,
        )
        yield Item(what % {"count": count, "until": moment(until)}, _("Look at the letters"), letters_on_the_way())


def letters_on_the_way() -> str:
    return reverse("admin:post_letter_changelist") + "?state__exact=queued"


def failed_letters(user: Any) -> Iterator[Item]:
    """Count failed letters about matches. Failed invitations and season news are listed one by one elsewhere."""
    named = Q(kind=invitations.KIND) | Q(kind__in=announcements.KINDS, values__has_key="season")
    failed = own(Letter.objects.filter(state=Letter.State.FAILED).exclude(named), user)
    if count := failed.count():
        url = reverse("admin:post_letter_changelist") + "?state__exact=failed"
        what = ngettext("One letter couldn’t be delivered.", "%(count)d letters couldn’t be delivered.", count)
        yield Item(what % {"count": count}, _("Send again"), url)


def lost_invitations(user: Any) -> Iterator[Item]:
    for entry in not_asked(user).select_related("player", "season__league")[:SHOWN]:
        what = _("The invitation to %(name)s couldn’t be delivered.") % {"name": entry.called}
        yield Item(what, _("Send again"), verb(entry, "invite"), entry.season)


def lost_news(user: Any, now: datetime) -> Iterator[Item]:
    for lost in announcements.lost(own(Season.objects.all(), user), now)[:SHOWN]:
        yield Item(str(lost), _("Send again"), verb(lost.season, "write-again"), lost.season)


def not_asked(user: Any) -> QuerySet[Entry]:
    return invitations.not_delivered(own(Entry.objects.all(), user))


def unreached_players(user: Any, now: datetime) -> Iterator[Item]:
    """Yield players whose letters bounce. Their clock stops for a while, then they count as absent.

    Players listed for another reason, such as a lost letter that can be resent, are left out. But a lost invitation
    says nothing about seasons that the player is already in.
    """
    lost = announcements.lost_letters(own(Season.objects.all(), user), now)
    unreached = own(Player.objects.filter(unreached_at__isnull=False), user).order_by("-unreached_at")
    unreached = unreached.exclude(pk__in=not_asked(user).filter(~Exists(other_entries(user))).values("player"))
    unreached = unreached.exclude(pk__in=lost.order_by().values("recipient"))
    unreached = unreached.exclude(pk__in=unwilling(user).order_by().values("pk"))
    for player in with_entries(unreached):
        what = _("Letters to %(name)s are bouncing.") % {"name": player.name}
        yield Item(what, _("View"), entries_of(player) if player.plays else row_of(player))


def other_entries(user: Any) -> QuerySet[Entry]:
    """For an outer entry, return the same player's entries in seasons that are not over."""
    there = (Entry.State.ENTERED, Entry.State.WAITING, Entry.State.SUBSTITUTE)
    theirs = Entry.objects.filter(player=OuterRef("player"), state__in=there)
    return own(theirs.exclude(season__phase=Season.Phase.ENDED), user)


def unwilling_players(user: Any) -> Iterator[Item]:
    for player in with_entries(unwilling(user).order_by("-unwanted_at")):
        what = _("%(name)s has unsubscribed, so a bot is playing for them.") % {"name": player.name}
        yield Item(what, _("View"), entries_of(player) if player.plays else row_of(player))


def unwilling(user: Any) -> QuerySet[Player]:
    """Return players who want no more letters and whose seat a bot plays: somebody else may want that seat."""
    matches = own(Match.objects.filter(phase=Match.Phase.RUNNING), user).values("pk")
    left_to_bots = Place.objects.filter(player=OuterRef("pk"), match__in=matches, stand_in=True)
    return own(Player.objects.filter(Exists(left_to_bots), unwanted_at__isnull=False), user)


def with_entries(players: QuerySet[Player]) -> QuerySet[Player, Any]:
    return players.annotate(plays=Exists(Entry.objects.filter(player=OuterRef("pk"))))[:SHOWN]


def entries_of(player: Player) -> str:
    """Return the URL of a player's entries, where they can be replaced or removed."""
    return reverse("admin:leagues_entry_changelist") + "?" + urlencode({"q": player.address})


def row_of(player: Player) -> str:
    return reverse("admin:players_player_change", args=[player.pk])


def empty_seats(user: Any) -> Iterator[Item]:
    """Yield gathering tables with a declined seat: they can't begin until somebody else takes it."""
    gathering = own(Fixture.objects.filter(match__phase=Match.Phase.GATHERING), user)
    short = gathering.annotate(seated=Count("match__places")).filter(seated__lt=F("match__seats"))
    for fixture in short.select_related("round__division__season__league")[:SHOWN]:
        what = _("%(fixture)s has an empty seat.") % {"fixture": fixture}
        yield Item(what, _("Substitute"), verb(fixture, "substitute"), fixture.round.division.season)


def seats_left(user: Any) -> Iterator[Item]:
    """Yield seats of people who have left the season, unless a bot already plays there."""
    fixtures = own(Fixture.objects.filter(match__phase__in=(Match.Phase.GATHERING, Match.Phase.RUNNING)), user)
    taken = Place.objects.filter(match=OuterRef("fixture__match"), seat=OuterRef("seat"), stand_in=False)
    chairs = Chair.objects.filter(substitutes.is_left(), Exists(taken), fixture__in=fixtures.values("pk"))
    for chair in chairs.select_related("sitter", "fixture__round__division__season__league")[:SHOWN]:
        fixture = chair.fixture
        told = {"fixture": fixture, "name": chair.sitter_name}
        what = _("%(fixture)s: %(name)s has left the season but still has a seat.") % told
        yield Item(what, _("Substitute"), verb(fixture, "substitute"), fixture.round.division.season)


def seats_offered(user: Any, now: datetime) -> Iterator[Item]:
    """Yield seats that were offered to a substitute some time ago and are still played by a bot."""
    fixtures = own(Fixture.objects.filter(match__phase=Match.Phase.RUNNING), user)
    offered = Proposal.objects.filter(about=Proposal.About.GIVE, passed_at__lt=now - OVERDUE_AFTER, closed_at=None)
    offered = offered.filter(match__fixture__in=fixtures.values("pk")).order_by("pk")
    for proposal in offered.select_related("player", "match__fixture__round__division__season__league")[:SHOWN]:
        fixture = proposal.match.fixture
        what = _("%(fixture)s: %(name)s was asked to substitute and hasn’t accepted yet.")
        what %= {"fixture": fixture, "name": proposal.player}
        yield Item(what, _("Substitute"), verb(fixture, "substitute"), fixture.round.division.season)


def tables_not_filled(user: Any, now: datetime) -> Iterator[Item]:
    """Yield rounds with a table that could begin. Empty and left seats are listed separately."""
    waiting = rounds.could_begin().filter(round=OuterRef("pk"))
    published = own(Round.objects.filter(phase=Round.Phase.PUBLISHED, published_at__lt=now - OVERDUE_AFTER), user)
    for round_ in published.filter(Exists(waiting)).select_related("division__season__league")[:SHOWN]:
        what = _("%(round)s: some players haven’t answered yet.") % {"round": round_}
        yield Item(what, _("Start without waiting"), verb(round_, "begin"), round_.division.season)


def rounds_to_start(user: Any) -> Iterator[Item]:
    """Yield seasons with drawn rounds that can start: all divisions start with one press."""
    ready = whole_season.ready_to_start(own(Round.objects.all(), user))
    found = list(ready.select_related("division__season__league")[:SHOWN])
    for round_ in [each for each in found if each.lacks_somebody]:
        if next_rounds.too_few(round_.division) is not None:
            continue  # listed by knock_outs_cut_short: the season can be closed
        if count := next_rounds.missing(round_.division):
            yield lacking(round_.division, count)
        else:
            what = _("%(round)s is drawn, but includes a player who has left.") % {"round": round_}
            yield Item(what, _("Draw"), verb(round_.division, "draw"), round_.division.season)
    for season, rows in by_season([each for each in found if not each.lacks_somebody]):
        told = ngettext("%(rounds)s is drawn and can start.", "%(rounds)s are drawn and can start.", len(rows))
        yield Item(told % {"rounds": listed(rows)}, start_label(season), verb(season, "start"), season)


def rounds_to_close(user: Any) -> Iterator[Item]:
    ready = whole_season.ready_to_close(own(Round.objects.all(), user))
    for season, rows in by_season(ready.select_related("division__season__league")[:SHOWN]):
        told = ngettext(
            "%(rounds)s is finished: all results are in.", "%(rounds)s are finished: all results are in.", len(rows)
        )
        yield Item(told % {"rounds": listed(rows)}, close_label(season), verb(season, "close-round"), season)


def by_season(rounds: Iterable[Round]) -> list[tuple[Season, list[str]]]:
    """Group rounds by their season."""
    seasons: dict[Season, list[str]] = {}
    for round_ in rounds:
        seasons.setdefault(round_.division.season, []).append(str(round_))
    return list(seasons.items())


def divisions_to_draw(user: Any) -> Iterator[Item]:
    """Yield seasons with divisions to draw: all are drawn with one press."""
    ready: dict[Season, list[str]] = {}
    for division in whole_season.ready_to_draw(own(Division.objects.all(), user)).select_related("season__league")[
        :SHOWN
    ]:
        if count := next_rounds.missing(division):
            yield lacking(division, count)
        elif next_rounds.too_few(division) is None:
            ready.setdefault(division.season, []).append(division.name)
    for season, names in ready.items():
        told = ngettext(
            "%(season)s, %(divisions)s is ready to draw.", "%(season)s, %(divisions)s are ready to draw.", len(names)
        )
        yield Item(told % {"season": season, "divisions": listed(names)}, _("Draw"), verb(season, "draw"))


def lacking(division: Division, count: int) -> Item:
    """Say that a division has too few players, and lead to its entries or to the import of more people."""
    season, what = division.season, next_rounds.told_missing(division, count)
    if season_entries.could_play(season).exists():
        entries = reverse("admin:leagues_entry_changelist") + f"?season__id__exact={season.pk}"
        return Item(what, _("Add a player to the draw"), entries, season)
    return Item(what, _("Add people"), verb(season, "import"), season)


def seasons_to_close(user: Any) -> Iterator[Item]:
    unfinished = Round.objects.filter(division__season=OuterRef("pk")).exclude(phase=Round.Phase.CLOSED)
    seasons = own(Season.objects.filter(phase=Season.Phase.RUNNING), user).filter(~Exists(unfinished))
    going_on = next_rounds.not_played_out(Division.objects.filter(season=OuterRef("pk")))
    for season in seasons.filter(~Exists(going_on)).select_related("league")[:SHOWN]:
        yield Item(
            _("%(season)s has been played to the end.") % {"season": season},
            _("Close the season"),
            verb(season, "close"),
        )


def knock_outs_cut_short(user: Any) -> Iterator[Item]:
    """Yield knock-outs with too few players left for a final. Their drawn rounds are not played."""
    being_played = Round.objects.filter(division__season=OuterRef("pk"), phase=Round.Phase.PUBLISHED)
    running = Season.objects.filter(phase=Season.Phase.RUNNING, format=Season.Format.KNOCK_OUT)
    for season in own(running, user).filter(~Exists(being_played)).select_related("league")[:SHOWN]:
        if told := next_rounds.cut_short(season):
            yield Item(" ".join(told), _("Close the season"), verb(season, "close"), season)


def leagues_without_keeper(user: Any) -> Iterator[Item]:
    for league in own(League.objects.filter(keeper=None), user)[:SHOWN]:
        what = _("%(league)s has no keeper yet: no round can start.") % {"league": league}
        yield Item(what, _("View"), reverse("admin:leagues_league_change", args=[league.pk]))


def seasons_to_follow(user: Any) -> Iterator[Item]:
    """Yield leagues whose last season is over, to plan the next one."""
    played = Season.objects.filter(cancelled_at=None)
    later = played.filter(league=OuterRef("league"), pk__gt=OuterRef("pk"))
    over = own(played.filter(phase=Season.Phase.ENDED), user).filter(~Exists(later))
    for season in over.select_related("league")[:SHOWN]:
        yield Item(_("This season is over."), _("Plan the next season"), verb(season, "next"), season)


def leagues_without_season(user: Any) -> Iterator[Item]:
    for league in own(League.objects.filter(seasons=None), user)[:SHOWN]:
        url = reverse("admin:leagues_season_add") + f"?league={league.pk}"
        yield Item(_("%(league)s has no season yet.") % {"league": league}, _("Plan a season"), url)


def seasons_without_people(user: Any) -> Iterator[Item]:
    planned = Season.objects.filter(phase__in=(Season.Phase.PLANNED, Season.Phase.ENTERING), entries=None)
    for season in own(planned, user).select_related("league")[:SHOWN]:
        yield Item(_("No one is on the list yet."), _("Add people"), verb(season, "import"), season)


def people_to_invite(user: Any) -> Iterator[Item]:
    for season in own(Season.objects.filter(phase__in=(Season.Phase.PLANNED, Season.Phase.ENTERING)), user)[:SHOWN]:
        if count := season_entries.to_invite(season).count():
            what = ngettext("One person hasn’t been invited yet.", "%(count)d people haven’t been invited yet.", count)
            yield Item(what % {"count": count}, _("Invite everyone"), verb(season, "invite"), season)


def silent_entries(user: Any, now: datetime) -> Iterator[Item]:
    """Yield seasons with people who were invited some time ago and can still get their one reminder."""
    for season in own(Season.objects.filter(phase=Season.Phase.ENTERING), user).select_related("league")[:SHOWN]:
        if count := season_entries.to_remind(season).filter(invited_at__lt=now - OVERDUE_AFTER).count():
            what = ngettext("One person hasn’t answered.", "%(count)d people haven’t answered.", count)
            yield Item(what % {"count": count}, _("Remind them"), verb(season, "remind"), season)


def weekly_letters(user: Any, now: datetime) -> Iterator[Item]:
    """Yield seasons whose weekly letter an organiser sends and has not sent this week."""
    running = Season.objects.filter(phase=Season.Phase.RUNNING, league__weekly=League.Weekly.APPROVED)
    for season in own(running, user).select_related("league")[:SHOWN]:
        if not letters.is_written(season, now):
            what = _("This week’s letter is ready to send.")
            yield Item(what, _("Preview it"), verb(season, "weekly"), season)
