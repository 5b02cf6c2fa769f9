"""No proposed button is refused for a reason that was known before: the page gives the reason instead. Every action
that is open has its button."""

from datetime import timedelta
from html import unescape

import pytest
from django.db import transaction
from django.urls import reverse

from beanpost.leagues import organiser_accounts
from beanpost.leagues.actions import registry
from beanpost.leagues.admin import cockpit, dashboard
from beanpost.leagues.models import Entry, Fixture, OrganiserAccount, Round, Season
from beanpost.leagues.people import entries
from beanpost.play.models import Match, Place, Wait
from tests.friends import NOON
from tests.leagues.office import LATER, do, do_url, fill_season, invent_results

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_the_afternoon")]
TYPED = {"reason": "As agreed.", "due_on": "2027-03-01", "name": "Winter", "people": "zoe@example.org", "days": "1"}


@pytest.fixture
def season(league, olga):
    """One table of three, of whom one is the organiser."""
    season = fill_season(league, 4, size=3, rounds=1)
    organiser_accounts.link(olga, season.entries.first().player)
    return season


def lose_a_drawn_player(client, season):
    do(client, season, "draw")
    drawn = Fixture.objects.get().chairs.exclude(entry=season.entries.first()).first()
    Entry.objects.filter(pk=drawn.entry_id).update(state="left")


def leave_a_seat_after_the_start(client, season):
    for action in ("draw", "start"):
        do(client, season, action)
    Entry.objects.filter(pk=Fixture.objects.get().chairs.last().entry_id).update(state="left")
    Round.objects.update(published_at=NOON - timedelta(days=3))


def be_paused_at_the_only_table(client, season):
    for action in ("draw", "start", "begin"):
        do(client, season, action)
    season.divisions.update(paused_at=NOON)


@pytest.mark.parametrize(
    ("happens", "action", "refusal"),
    [
        (lose_a_drawn_player, "draw", "You play in this division: another organiser must draw it again."),
        (leave_a_seat_after_the_start, "begin", ""),
        (be_paused_at_the_only_table, "resume", "You’re playing at every table here"),
    ],
)
def test_a_step_that_would_be_refused_is_explained_instead_of_offered(at_olgas, season, happens, action, refusal):
    happens(at_olgas, season)
    context = at_olgas.get(cockpit.cockpit_url(season)).context
    assert context["next_button"] is None
    assert refusal in context["next"].sentence
    pressed = do(at_olgas, season, action, reason="As agreed.")
    assert pressed.status_code == 400
    assert refusal in unescape(pressed.content.decode())


# ── every button that the first page and the cockpit propose, in every situation ──


def nobody_is_listed(client, season):
    season.entries.all().delete()
    Season.objects.update(phase="planned", seed="")


def nobody_is_invited(client, season):
    season.entries.update(state="invited", answered_at=None)
    Season.objects.update(phase="planned", seed="")


def nobody_answers(client, season):
    Season.objects.update(phase="entering", seed="")
    season.entries.update(state="invited", answered_at=None, invited_at=NOON - timedelta(days=5))


def all_have_entered(client, season):
    Season.objects.update(phase="entering", seed="")


def one_is_left_to_play(client, season):
    season.entries.exclude(pk=season.entries.first().pk).update(state="left")


def draw(client, season):
    do(client, season, "draw")


def start(client, season):
    draw(client, season)
    do(client, season, "start")
    Round.objects.update(published_at=NOON - timedelta(days=3))


def begin(client, season):
    start(client, season)
    do(client, season, "begin")


def someone_is_late(client, season):
    begin(client, season)
    Wait.objects.update(remind_at=None)
    Round.objects.update(due_on=(LATER - timedelta(days=2)).date())


def a_seat_is_empty(client, season):
    start(client, season)
    entries.accept(entries.add_entry(season, "sub@example.org", name="Sue", now=NOON), now=NOON)
    Place.objects.filter(match=Match.objects.first()).last().delete()


def decide(client, season):
    begin(client, season)
    for round_ in Round.objects.filter(phase="published"):
        invent_results(round_)


def close_the_round(client, season):
    decide(client, season)
    do(client, season, "close-round")


def end(client, season):
    close_the_round(client, season)
    Season.objects.update(phase="ended")


def plays(season, olga):
    if season.entries.exists():
        organiser_accounts.link(olga, season.entries.first().player)


def has_not_answered(season, olga):
    OrganiserAccount.objects.create(user=olga, asked_at=NOON)


SITUATIONS = [
    *(nobody_is_listed, nobody_is_invited, nobody_answers, all_have_entered, one_is_left_to_play, draw, start, begin),
    *(lose_a_drawn_player, leave_a_seat_after_the_start, be_paused_at_the_only_table, someone_is_late, a_seat_is_empty),
    *(decide, close_the_round, end),
]


@pytest.mark.parametrize("happens", SITUATIONS)
def test_every_open_action_has_a_button_and_no_proposed_one_is_refused(at_olgas, olga, league, happens):
    happens(at_olgas, fill_season(league, 3, size=3, rounds=2, format="swiss"))
    season = Season.objects.get()
    rows = (season.divisions.first(), season.entries.first(), Round.objects.first(), Fixture.objects.first())
    pages = {row: reverse(f"admin:leagues_{row._meta.model_name}_change", args=[row.pk]) for row in rows if row}
    for row, url in {season: cockpit.cockpit_url(season), **pages}.items():
        page = at_olgas.get(url).text
        assert [one.name for one in registry.list_open_actions(row) if do_url(row, one.name) not in page] == [], row
    for becomes in (lambda season, olga: None, plays, has_not_answered):
        with transaction.atomic():
            becomes(season, olga)
            press_every_proposed_button(at_olgas, olga, season)
            transaction.set_rollback(True)


def press_every_proposed_button(at_olgas, olga, season):
    for url in sorted(list_proposed_buttons(at_olgas, olga, season)):
        page = at_olgas.get(url)
        assert page.status_code == 200, url
        assert page.context["is_open"], url
    green = at_olgas.get(cockpit.cockpit_url(season)).context["next_button"]
    if green:
        action = next(each for each in registry.ACTIONS[Season] if reverse_action(season, each) == green.url)
        pressed = do(at_olgas, season, action.name, **TYPED)
        assert pressed.status_code == 302, unescape(pressed.content.decode())


def reverse_action(season, action):
    return reverse("admin:leagues_season_do", args=[season.pk, action.name])


def list_proposed_buttons(client, user, season):
    context = client.get(cockpit.cockpit_url(season)).context
    items = [*dashboard.find_items(user, LATER), *context["problems"]]
    return {item.url for item in items if "/do/" in item.url}
