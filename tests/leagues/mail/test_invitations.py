"""Invitations to a season that never arrived: the season's organiser sees them, another's does not."""

from datetime import date

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from beanpost.leagues.mail import invitations
from beanpost.leagues.models import Entry, Season
from beanpost.leagues.people import entries
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.models import Letter
from tests.friends import NOON
from tests.leagues.office import do, find_concerns
from tests.post.gallery import deliver

pytestmark = pytest.mark.django_db
LETTERS = "admin:post_letter_changelist"


@pytest.fixture
def entry(league):
    """Ann, invited to the spring season by letter."""
    season = Season.objects.create(league=league, name="Spring", phase="entering")
    entry = entries.add_entry(season, "ann@example.org", name="Ann", now=NOON)
    entries.invite_all(season, now=NOON)
    deliver()
    return Entry.objects.get(pk=entry.pk)


def lose(**became):
    Letter.objects.filter(kind="league_invite").update(**became)
    Player.objects.filter(address="ann@example.org").update(unreached_at=NOON)


def seen(client, name, *args):
    return client.get(reverse(name, args=args)).content.decode()


def needs(user):
    return [(item.what, item.ways[0].url) for item in find_concerns(user, NOON) if not item.is_step]


@pytest.mark.parametrize("became", [{"state": "failed"}, {"fate": "bounced"}, {"fate": "rejected"}])
def test_an_undelivered_invitation_is_shown_and_can_be_resent(at_olgas, olga, entry, became):
    assert needs(olga) == []
    lose(**became)
    again = reverse("admin:leagues_entry_do", args=[entry.pk, "invite"])
    assert needs(olga) == [("The invitation to Ann couldn’t be delivered.", again)]
    fate = {"failed": "given up", "bounced": "bounced", "rejected": "refused"}[next(iter(became.values()))]
    for page in (
        seen(at_olgas, "admin:leagues_entry_changelist"),
        seen(at_olgas, "admin:leagues_entry_change", entry.pk),
        at_olgas.get(again).content.decode(),
    ):
        assert fate in page
    assert do(at_olgas, entry, "invite", reason="The mailbox was full.").status_code == 302
    fresh = Letter.objects.latest("pk")
    assert (Letter.objects.count(), fresh.state, fresh.values) == (2, "queued", {"entry": entry.pk})
    assert not any("invitation" in what for what, _url in needs(olga))
    assert "The mailbox was full." in seen(at_olgas, "admin:leagues_entry_history", entry.pk)


def test_a_bounced_player_of_two_seasons_is_listed_for_both(at_olgas, olga, league, other_league, entry):
    lose(state="failed")
    lost, back = (
        "The invitation to Ann couldn’t be delivered.",
        "Letters to Ann are bouncing. Ask them for another address; they enter it themselves.",
    )
    for home, phase, state, sentences in (
        (league, "running", "entered", [lost, back]),
        (league, "running", "substitute", [lost, back]),
        (league, "running", "left", [lost]),
        (league, "ended", "entered", [lost]),
        (other_league, "running", "entered", [lost]),  # its own organiser is told
    ):
        winter = Season.objects.create(league=home, name="Winter", phase=phase)
        Entry.objects.create(season=winter, player=entry.player, state=state)
        named = [(what, url) for what, url in needs(olga) if "Ann" in what]
        assert [what for what, _url in named] == sentences
        assert at_olgas.get(named[-1][1]).status_code == 200
        winter.entries.all().delete()
        winter.delete()


def test_an_invitation_says_when_the_season_is_played_and_at_which_pace(client, league):
    days = {"starts_on": date(2026, 5, 1), "ends_on": date(2026, 7, 31)}
    season = Season.objects.create(league=league, name="Spring", phase="entering", **days)
    entries.add_entry(season, "ann@example.org", name="Ann", now=NOON)
    entries.invite_all(season, now=NOON)
    deliver()
    letter = Letter.objects.get(kind="league_invite")
    page = client.get(reverse("season", args=[league.slug, season.pk])).content.decode()
    for shown in (" ".join(letter.text.split()), letter.html, page):
        assert "The season runs from 1 May 2026 to 31 July 2026." in shown
        assert "one day per move" in shown


@pytest.mark.parametrize(
    ("day", "sentence"),
    [("starts_on", "The season starts on 1 May 2026."), ("ends_on", "The season ends on 1 May 2026.")],
)
def test_a_season_with_one_date_shows_that_date(client, league, day, sentence):
    season = Season.objects.create(league=league, name="Spring", **{day: date(2026, 5, 1)})
    assert sentence in client.get(reverse("season", args=[league.slug, season.pk])).content.decode()


def test_a_delivered_invitation_cannot_be_resent_by_hand(at_olgas, entry):
    refused = do(at_olgas, entry, "invite")
    assert refused.status_code == 400
    assert "The last letter didn’t bounce." in refused.content.decode()
    assert Letter.objects.count() == 1


def test_an_invitation_that_is_answered_or_too_late_needs_no_letter(at_olgas, olga, entry):
    lose(state="failed")
    Season.objects.update(phase="running")
    assert [what for what, _url in needs(olga) if "invitation" in what] == []
    Season.objects.update(phase="entering")
    entries.accept(Entry.objects.get(), now=NOON)
    assert [what for what, _url in needs(olga) if "invitation" in what] == []
    assert do(at_olgas, entry, "invite").status_code == 400


def test_another_leagues_organiser_sees_no_invitation_to_a_person_they_know(
    at_olgas, at_ottos, otto, other_league, entry
):
    """A letter of its own invites the same person to a season of the other league."""
    lose(state="failed")
    ours = Letter.objects.get()
    season = Season.objects.create(league=other_league, name="Peas", phase="entering")
    entries.add_entry(season, "ann@example.org", now=NOON)
    entries.invite_all(season, now=NOON)
    Entry.objects.update(known=True)  # the person has played in both leagues before
    theirs = Letter.objects.latest("pk")
    assert [what for what, _url in needs(otto) if "invitation" in what] == []
    assert f"/{ours.pk}/change/" not in seen(at_ottos, LETTERS)
    assert f"/{theirs.pk}/change/" in seen(at_ottos, LETTERS)
    assert f"/{ours.pk}/change/" in seen(at_olgas, LETTERS)
    assert f"/{theirs.pk}/change/" not in seen(at_olgas, LETTERS)
    gone = at_ottos.get(reverse("admin:post_letter_change", args=[ours.pk]))
    assert gone.status_code == 302  # the letter is not found
    assert do(at_ottos, entry, "invite").status_code == 404
    at_ottos.post(reverse(LETTERS), {"action": "resend", "_selected_action": [ours.pk]})
    assert Letter.objects.get(pk=ours.pk).state == "failed"


def test_the_admin_shows_only_the_envelope_of_an_invitation(at_olgas, entry):
    letter = Letter.objects.get()
    assert f"/{letter.pk}/change/" not in seen(at_olgas, LETTERS)  # before they accept, it would reveal them
    Entry.objects.update(known=True)
    for page in (seen(at_olgas, LETTERS), seen(at_olgas, "admin:post_letter_change", letter.pk)):
        assert "Ann" in page
        assert letter.subject not in page
        assert reverse("entering", args=["ticket"]).removesuffix("ticket/") not in page


def test_the_list_offers_to_resend_only_a_lost_invitation(at_olgas, entry):
    again = reverse("admin:leagues_entry_do", args=[entry.pk, "invite"])
    assert again not in seen(at_olgas, "admin:leagues_entry_changelist")
    lose(fate="bounced")
    assert again in seen(at_olgas, "admin:leagues_entry_changelist")
    assert again in seen(at_olgas, "admin:leagues_entry_change", entry.pk)


def test_a_person_who_wants_no_letters_is_not_asked_again(entry):
    lose(state="failed")
    accounts.refuse_letters(entry.player, now=NOON)
    Entry.objects.update(known=True)
    with pytest.raises(ValidationError, match="Ann has unsubscribed from all letters"):
        invitations.resend(Entry.objects.get(pk=entry.pk), now=NOON)
    assert Letter.objects.count() == 1


def test_an_organiser_does_not_learn_that_a_person_wants_no_letters_before_they_accept(at_olgas, entry):
    lose(state="failed")
    accounts.refuse_letters(entry.player, now=NOON)
    assert do(at_olgas, entry, "invite").status_code == 302
    assert Letter.objects.count() == 1


def test_an_organiser_does_not_learn_of_other_unanswered_letters_to_an_address(at_olgas, entry):
    """Their letter is withheld because three letters went unanswered; to them it looks like any sent letter."""
    lose(state="withheld")
    assert "has not answered our letters yet" not in seen(at_olgas, "admin:leagues_entry_changelist")
    with pytest.raises(ValidationError, match="The last letter didn’t bounce"):
        invitations.resend(entry, now=NOON)
