"""The letters of a league as its players get them, for looking at them."""

from __future__ import annotations

from django.utils.translation import gettext

from beanpost.leagues.mail import contacts, invitations, letters, organiser_letters
from beanpost.leagues.mail.organiser_letters import Audience
from beanpost.leagues.models import Fixture
from beanpost.leagues.people import entries
from beanpost.leagues.seasons import keepers, rounds
from beanpost.play.models import Match
from beanpost.players.models import Player
from beanpost.post.models import Letter
from tests.friends import CALLED, NOON
from tests.leagues.office import fill_season, found_league, play_round
from tests.post.gallery import deliver
from tests.restored import restored

NAMES = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Fred")


@restored
def write_league(language: str, zone: str = "Europe/Paris") -> dict[str, Letter]:
    """Write an invitation, an announcement of an organiser's action, and the letter of a week in which six people
    played."""
    season = fill_season(found_league(), len(NAMES), size=3, rounds=2)
    for entry, name in zip(season.entries.select_related("player"), NAMES, strict=True):
        Player.objects.filter(pk=entry.player_id).update(name=CALLED.get(name, name), name_shown="whole")
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    round_ = season.divisions.get().rounds.first()
    rounds.publish(round_, now=NOON)
    play_round(round_)
    invited = entries.add_entry(season, "gus@example.org", name="Gus", now=NOON)
    invitations.queue_invitation(invited, now=NOON)
    keepers.ask_to_keep(season.league, "hal@example.org", now=NOON)
    contacts.ask_for_confirmation(season.league, "office@club.example", now=NOON)
    Player.objects.update(language=language, zone=zone)
    players = [entry.player for entry in season.entries.exclude(pk=invited.pk).select_related("player")]
    reason = f"The cat of {CALLED.get('Ann', 'Ann')} is ill. We go on next week."
    about = {"code": Match.objects.all()[0].code}
    letters.announce(season.league, players, paused, reason, page=about, key="x", now=NOON)
    letters.send_weekly(season, now=NOON + letters.WEEK)
    season.league.contact = "olga@club.example"
    season.league.save()
    contents = {"headline": "The final dinner", "words": "Dear all,\n\nwe meet on Friday."}
    organiser_letters.queue_letter(Audience(season), **contents, is_public=True, by=None, now=NOON)
    deliver(NOON + letters.WEEK)
    kinds = ("league_invite", "announcement", "weekly", "league_news", "keeper", "contact")
    ours = Letter.objects.filter(kind__in=kinds, state=Letter.State.SENT)
    return {letter.kind: letter for letter in ours.order_by("-pk")}


def paused() -> str:
    return gettext("%(fixture)s is paused. The clock is stopped.") % {"fixture": Fixture.objects.all()[0]}
