"""Announcements and weekly letters that did not arrive: the organiser sees them and can send them once more."""

from datetime import timedelta
from email import message_from_bytes

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from beanpost.leagues.mail import announcements, letters
from beanpost.leagues.models import Entry, Fixture, Season
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.privacy import erasure
from beanpost.privacy.match_data import make_pseudonym
from tests.friends import NOON
from tests.leagues.office import LATER, do, fill_season, find_concerns, start_round
from tests.post.gallery import deliver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_the_afternoon")]


@pytest.fixture
def season(league):
    """A season whose first round is being played."""
    return start_round(fill_season(league, 3, size=3, rounds=2))


@pytest.fixture
def weekly(season):
    letters.send_weekly(season, now=NOON)
    deliver(NOON)
    return Letter.objects.filter(kind="weekly", key=letters.build_week_key(season, NOON))


def needs(user, now=LATER):
    """Return what the dashboard says about letters, and its links."""
    return [(item.what, item.ways[0].url) for item in find_concerns(user, now) if "deliver" in item.what]


def list_problems(user, now=LATER):
    return [what for what, _url in needs(user, now)]


def again(season):
    return reverse("admin:leagues_season_do", args=[season.pk, "write-again"])


def lose(found, name, **became):
    assert found.filter(recipient__name=name).update(**became) == 1


@pytest.mark.parametrize("became", [{"state": "failed"}, {"fate": "bounced"}, {"fate": "rejected"}])
def test_an_undelivered_weekly_letter_is_listed_and_sent_once_more(at_olgas, olga, season, weekly, became):
    assert needs(olga) == []
    assert again(season) not in at_olgas.get(reverse("admin:leagues_season_changelist")).content.decode()
    lose(weekly, "Player 0", **became)
    lose(weekly, "Player 2", **became)
    sentence = f"The weekly letter of {NOON:%-d %B} couldn’t be delivered to Player 0 and Player 2."
    assert needs(olga) == [(sentence, again(season))]
    for page in (reverse("admin:index"), again(season)):
        assert sentence in at_olgas.get(page).content.decode()
    for page in (reverse("admin:leagues_season_changelist"), reverse("admin:leagues_season_cockpit", args=[season.pk])):
        assert again(season) in at_olgas.get(page).content.decode()
    assert do(at_olgas, season, "write-again").status_code == 302
    fresh = Letter.objects.filter(kind="weekly", state="queued")
    assert {letter.recipient.name for letter in fresh} == {"Player 0", "Player 2"}
    assert {letter.values["season"] for letter in fresh} == {season.pk}
    assert needs(olga) == []
    assert letters.is_weekly_sent(season, LATER)


def test_a_resent_letter_goes_to_the_readers_current_address(season, weekly):
    lose(weekly, "Player 0", fate="bounced")
    Player.objects.filter(name="Player 0").update(address="new@example.org")
    assert announcements.resend_lost_letters(season, now=LATER) == 1
    deliver(LATER)
    fresh = Letter.objects.latest("pk")
    assert (fresh.state, fresh.address) == ("sent", "new@example.org")
    assert "This week in Autumn" in fresh.text


def test_a_resent_letter_that_is_lost_too_is_listed_again(olga, season, weekly):
    lose(weekly, "Player 0", fate="bounced")
    lose(weekly, "Player 1", state="failed")
    announcements.resend_lost_letters(season, now=LATER)
    assert list_problems(olga) == []
    Letter.objects.filter(state="queued", recipient__name="Player 1").update(state="failed")
    (sentence,) = list_problems(olga)
    assert sentence.endswith("to Player 1.")
    assert announcements.resend_lost_letters(season, now=LATER) == 1


@pytest.mark.parametrize(
    ("action", "what"),
    [("annul", "Division 1, round 1, table 1"), ("begin", "Division 1, round 1")],
)
def test_an_undelivered_announcement_is_listed_by_its_subject(at_olgas, olga, season, action, what):
    row = Fixture.objects.exclude(match=None).get() if action == "annul" else season.divisions.get().rounds.first()
    assert do(at_olgas, row, action, reason="Kim is ill.", announce="on").status_code == 302
    deliver(LATER)
    lose(Letter.objects.filter(kind="announcement"), "Player 1", fate="bounced")
    (sentence,) = list_problems(olga)
    assert sentence == f"The announcement of {LATER:%-d %B} about {what} couldn’t be delivered to Player 1."
    assert do(at_olgas, season, "write-again").status_code == 302
    deliver(LATER)
    fresh = Letter.objects.latest("pk")
    assert fresh.recipient.name == "Player 1"
    assert "Kim is ill." in fresh.text
    assert list_problems(olga) == []


def test_a_resent_announcement_does_not_name_a_player_deleted_since(at_olgas, league):
    season = fill_season(league, 4, size=3, rounds=1)
    Season.objects.update(phase="running")
    do(at_olgas, season, "close", reason="Player 2 is ill, Player 22 is not.", announce="on")
    deliver(LATER)
    lose(Letter.objects.filter(kind="announcement"), "Player 1", fate="bounced")
    gone = Player.objects.get(name="Player 2")
    erasure.erase(gone, now=LATER)
    assert announcements.resend_lost_letters(season, now=LATER) == 1
    deliver(LATER)
    assert f"{make_pseudonym(gone)} is ill, Player 22 is not." in " ".join(Letter.objects.latest("pk").text.split())


def test_the_admin_shows_nothing_of_a_lost_letters_text(at_olgas, season):
    row = season.divisions.get().rounds.first()
    do(at_olgas, row, "begin", reason="Kim is ill.", announce="on")
    deliver(LATER)
    Letter.objects.filter(kind="announcement").update(fate="bounced")
    at_olgas.get(reverse("admin:index"))  # this visit uses up the message that confirms the action
    for page in (reverse("admin:index"), again(season)):
        shown = at_olgas.get(page).content.decode()
        assert "couldn’t be delivered" in shown
        assert "Kim is ill." not in shown
        assert "table has started" not in shown
        assert "p000@example.org" not in shown


def test_another_leagues_organiser_neither_sees_nor_resends_a_lost_letter(at_ottos, otto, other_league, season, weekly):
    """Even though the same person is in one of their own seasons."""
    theirs = Season.objects.create(league=other_league, name="Peas", phase="running")
    player = Player.objects.get(name="Player 0")
    Entry.objects.create(season=theirs, player=player, state="entered")
    lose(weekly, "Player 0", fate="bounced")
    assert list_problems(otto) == []
    assert again(theirs) not in at_ottos.get(reverse("admin:leagues_season_changelist")).content.decode()
    assert do(at_ottos, season, "write-again").status_code == 404
    assert do(at_ottos, theirs, "write-again").status_code == 400
    letters.send_weekly(theirs, now=NOON)
    Letter.objects.filter(values__season=theirs.pk).update(state="failed")
    assert list_problems(otto) == [f"The weekly letter of {NOON:%-d %B} couldn’t be delivered to Player 0."]
    assert announcements.resend_lost_letters(theirs, now=LATER) == 1


def test_the_dashboard_names_the_players_the_button_writes_to(at_olgas, olga, league, season, weekly):
    """It leaves out a player who is only in another season of the same organiser."""
    lose(weekly, "Player 0", fate="bounced")
    other = Season.objects.create(league=league, name="Winter", phase="running")
    entry = season.entries.get(player__name="Player 0")
    Entry.objects.create(season=other, player=entry.player, state="entered")
    seasons_page = reverse("admin:leagues_season_changelist")
    assert (len(list_problems(olga)), again(season) in at_olgas.get(seasons_page).content.decode()) == (1, True)
    entry.chairs.all().delete()
    entry.delete()
    assert (list_problems(olga), again(season) in at_olgas.get(seasons_page).content.decode()) == ([], False)
    assert do(at_olgas, season, "write-again").status_code == 400


def test_a_lost_announcement_without_a_season_is_counted_for_the_superuser(admin_user, olga, season, weekly):
    """Announcements about tables once named no season."""
    lose(weekly, "Player 0", state="failed", kind="announcement", values={"league": season.league_id})
    assert list_problems(admin_user) == ["One letter couldn’t be delivered."]
    assert list_problems(olga) == []


def test_a_delivered_letter_is_not_sent_twice(at_olgas, season, weekly):
    refused = do(at_olgas, season, "write-again")
    assert refused.status_code == 400
    assert "every letter from the last two weeks has arrived" in refused.content.decode()
    with pytest.raises(ValidationError, match="has arrived"):
        announcements.resend_lost_letters(season, now=LATER)


def test_a_player_who_wants_no_letters_gets_no_resent_one(olga, season, weekly):
    lose(weekly, "Player 0", fate="bounced")
    lose(weekly, "Player 1", fate="bounced")
    accounts.refuse_letters(Player.objects.get(name="Player 0"), now=LATER)
    Player.objects.filter(name="Player 1").update(weekly=False)
    assert list_problems(olga) == []


def test_an_unreachable_player_is_listed_once_with_the_possible_actions(at_olgas, olga, season, weekly):
    lose(weekly, "Player 0", fate="bounced")
    Player.objects.filter(name="Player 0").update(unreached_at=LATER)
    named = [item.what for item in find_concerns(olga, LATER) if "Player 0" in item.what]
    assert named == [f"The weekly letter of {NOON:%-d %B} couldn’t be delivered to Player 0."]
    shown = at_olgas.get(again(season)).content.decode()
    assert "Letters to Player 0 are bouncing." in shown
    assert "withdraw them or put a substitute in their seats" in shown
    announcements.resend_lost_letters(season, now=LATER)
    named = [item.what for item in find_concerns(olga, LATER) if "Player 0" in item.what]
    assert [what.partition(". ")[0] for what in named] == ["Letters to Player 0 are bouncing"]
    Player.objects.update(unreached_at=None)
    lose(weekly, "Player 1", fate="bounced")
    assert "are bouncing" not in at_olgas.get(again(season)).content.decode()


def test_old_news_is_not_resent(olga, season, weekly):
    lose(weekly, "Player 0", fate="bounced")
    assert list_problems(olga, NOON + timedelta(days=13)) != []
    assert list_problems(olga, NOON + timedelta(days=15)) == []


def test_a_superuser_sees_a_lost_letter_once(admin_user, season, weekly):
    lose(weekly, "Player 0", state="failed")
    assert len(list_problems(admin_user)) == 1


def test_all_letters_of_a_league_to_one_reader_are_one_thread(league, season, weekly):
    deliver()
    ann = Letter.objects.filter(kind="weekly", state="sent").select_related("recipient").first().recipient
    letters.announce(league, [ann], lambda: "News", "Because.", page={}, key="x", now=NOON)
    deliver()
    own = Letter.objects.filter(recipient=ann, kind__in=("weekly", "announcement"), state="sent")
    heads = [message_from_bytes(bytes(letter.source)) for letter in own]
    assert len(heads) == 2
    assert len({head["References"] for head in heads}) == 1
    assert all(head["References"] and head["In-Reply-To"] == head["References"] for head in heads)
