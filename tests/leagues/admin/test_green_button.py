"""No proposed button is refused for a reason that was known before: the page gives the reason instead. Every action
that is open has its button."""

from datetime import timedelta
from html import unescape
from itertools import count

import pytest
from django.db import transaction
from django.urls import reverse

from beanpost.leagues import organiser_accounts
from beanpost.leagues.actions import registry
from beanpost.leagues.admin import cockpit
from beanpost.leagues.models import Chair, Division, Entry, Fixture, OrganiserAccount, Round, Season
from beanpost.leagues.people import entries
from beanpost.leagues.seasons import substitutes
from beanpost.play.models import Match, Place, Wait
from tests.friends import NOON
from tests.leagues.office import LATER, do, do_url, fill_season, invent_results, previewed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_the_afternoon")]
PEOPLE = "\n".join(f"person{n}@example.org" for n in range(14))
PRESSES = count(1)
TYPED = {"due_on": "2027-03-01", "name": "Winter", "people": PEOPLE, "days": "1"}


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
    step = at_olgas.get(cockpit.cockpit_url(season)).context["next"]
    assert not step.ways
    assert refusal in step.what
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
            press_all(at_olgas, season)
            transaction.set_rollback(True)


def press_all(client, season):
    """Press one of each action that the cockpit and the follow-up page propose, as if it were the only press."""
    follow_up = client.get(reverse("admin:leagues_season_follow_up", args=[season.pk])).context["page"].object_list
    step = client.get(cockpit.cockpit_url(season)).context["next"]
    ways = {(way.action, way.label): way for concern in [step, *follow_up] for way in concern.ways if way.action}
    for way in ways.values():
        press(client, way, and_undo=True)


def press(client, way, *, and_undo=False):
    """Press a button, and confirm what its page proposes."""
    page = client.get(way.url)
    assert page.status_code == 200, way
    assert page.context["is_open"], way
    proposed = {field.html_name: choose(field) for field in page.context["form"] if choose(field)}
    if way.action == "adjudicate":
        ranks = [name for name in page.context["form"].fields if name.startswith("chair")]
        proposed |= {name: str(rank) for rank, name in enumerate(ranks, 1)}
    answers = proposed | TYPED | {"reason": f"Press {next(PRESSES)}"}  # the same reason twice is a double press
    with transaction.atomic():
        answers = previewed(client, way.url, answers) if way.action == "import" else answers
        answer = client.post(way.url, answers | {"do": "1"})
        assert answer.status_code == 302, (way, answer.context["form"].errors)
        transaction.set_rollback(and_undo)


def choose(field):
    """Return the value that a field proposes, or the first one that it offers."""
    choices = [str(value) for value, _label in getattr(field.field, "choices", ()) if value not in ("", None)]
    return field.value() or (choices[0] if choices and field.field.required else "")


# ── every kind of season, to its end ──


@pytest.mark.parametrize(
    ("format_", "divisions"),
    [*((format_, 1) for format_ in Season.Format.values), ("round_robin", 2), ("knock_out", 2)],
)
def test_the_green_button_leads_every_kind_of_season_to_its_end(at_olgas, league, format_, divisions):
    league.games = {"haricots": "sprint", "fagioli": "standard"}
    league.save()
    season = Season.objects.create(league=league, name="Autumn", size=3, rounds=3, format=format_)
    for level in range(1, divisions + 1):
        Division.objects.create(season=season, name=f"Division {level}", level=level)
    labels, has_left = [], False
    while season.phase != "ended":
        if divisions > 1:
            press_all(at_olgas, season)
        step = at_olgas.get(cockpit.cockpit_url(season)).context["next"]
        if step.ways:
            press(at_olgas, *step.ways)
            labels.append(step.ways[0].action)
        else:
            wait_for_people(season)
        if labels[-1:] == ["draw"] and not has_left:  # a drawn player leaves: the round is redrawn
            has_left = True
            substitutes.withdraw(Chair.objects.filter(fixture__round__phase="drawn").first().entry)
        assert len(labels) < 40, labels
        season.refresh_from_db()
    assert labels[:3] == ["import", "invite", "close-entries"]
    assert labels[-1] == "close"
    assert {"draw", "start", "begin", "close-round"} <= set(labels)


def wait_for_people(season):
    """Let people answer, or else time pass until they are late, or else let them play."""
    if invited := season.entries.filter(state="invited"):
        for entry in invited:
            entries.accept(entry, now=NOON)
    elif Round.objects.filter(fixtures__match__phase="gathering").exists():
        Round.objects.update(published_at=NOON - timedelta(days=3))
    else:
        for round_ in Round.objects.filter(phase="published"):
            invent_results(round_)
