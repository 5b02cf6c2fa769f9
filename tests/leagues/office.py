"""A league for tests: people, seasons, and matches that are played to the end automatically."""

from __future__ import annotations

from datetime import timedelta
from html import unescape

from django.urls import reverse

from beanpost.leagues.admin import concerns, first_page
from beanpost.leagues.mail.letters import EntryTicket
from beanpost.leagues.models import Chair, Division, Entry, Fixture, League, Round, Season
from beanpost.leagues.people import entries
from beanpost.leagues.seasons import phases, rounds, tables
from beanpost.leagues.seasons.conflicts import Interests
from beanpost.play import demo, moves
from beanpost.play.log import storage
from beanpost.play.models import Match, Vault, Wait
from beanpost.play.seats import league_tables
from beanpost.play.tickets import sign
from beanpost.play.timekeeping import timeouts
from beanpost.players import accounts
from beanpost.players.models import Player
from tests.friends import NOON
from tests.restored import restored

AFTER_AN_HOUR = NOON + timedelta(hours=1)
LATER = NOON + timedelta(hours=2)
QUICK = {"haricots": "sprint", "fagioli": "standard", "pas_de_haricots": "one"}
NO_WEBHOOKS = {"webhooks-TOTAL_FORMS": "0", "webhooks-INITIAL_FORMS": "0"}  # a league's form has a row for each
LONG = {"bohnanza": "standard", "haricot_magique": "base"}


def entry_link(entry: Entry) -> str:
    """Return the page behind the link in an entry's invitation."""
    player = Player.objects.get(pk=entry.player_id)
    return reverse("entering", args=[sign(EntryTicket(player.pk, player.sessions, entry.pk))])


@restored
def found_league(name="Bean League", *organisers, games=None, **more) -> League:
    keeper = accounts.get_or_create_player(f"keeper@{name.split()[0].lower()}.example", name="Kim", now=NOON)
    league = League.objects.create(
        name=name, slug=name.lower().replace(" ", "-"), keeper=keeper, games=games or {"haricots": "sprint"}, **more
    )
    league.organisers.set(organisers)
    return league


@restored
def fill_season(league: League, people: int, *, divisions: int = 1, name: str = "Autumn", **more) -> Season:
    """A season whose entries are closed."""
    season = Season.objects.create(league=league, name=name, **more)
    for level in range(1, divisions + 1):
        Division.objects.create(season=season, name=f"Division {level}", level=level)
    for n in range(people):
        entry = entries.add_entry(season, f"p{n:03}@example.org", name=f"Player {n}", now=NOON)
        entries.accept(entry, now=NOON)
    phases.close_entries(season)
    return season


@restored
def start_round(season: Season, *, begin: bool = False) -> Season:
    """Draw every division and open the tables of its first round; `begin` them without waiting for their players."""
    for division in season.divisions.all():
        rounds.draw(division, by=None, now=NOON)
        first = division.rounds.first()
        rounds.publish(first, now=NOON)
        if begin:
            rounds.begin_tables(first, now=NOON)
    return Season.objects.get(pk=season.pk)


def put_in_league(match: Match) -> Season:
    """Make a running match the one table of a league's season."""
    season = Season.objects.create(league=found_league(), name="Autumn", phase="running", size=match.seats, rounds=1)
    division = Division.objects.create(season=season, name="Division 1", level=1)
    round_ = Round.objects.create(
        division=division, number=1, game=match.game, variant=match.variant, phase="published", published_at=NOON
    )
    fixture = Fixture.objects.create(round=round_, table=1, match=match)
    for place in match.places.all():
        entry = Entry.objects.create(season=season, player=place.player, division=division, state="entered", known=True)
        Chair.objects.create(fixture=fixture, entry=entry, seat=place.seat, sitter=place.player)
    return season


def entered(season: Season) -> int:
    return season.entries.filter(state=Entry.State.ENTERED).count()


def play_out(match: Match) -> Match:
    """Play every seat as its game's bot would, under the player's own name, until the match is over."""
    demo.play_out(begun(match), AFTER_AN_HOUR)
    return Match.objects.get(pk=match.pk)


def play_moves(match: Match, count: int) -> Match:
    """Play so many moves one by one, as players would."""
    match = begun(match)
    for _ in range(count):
        wait = Wait.objects.filter(match=match).exclude(due_at=None).first()
        table = storage.restore_table(Match.objects.get(pk=match.pk), Vault.objects.get(match=match))
        ask = table.ask(wait.seat)
        line = str(table.rules.bot(table.view(wait.seat), ask) or ask.default)
        moves.play(match.pk, wait.seat, line, origin="player", question=wait.opened, now=AFTER_AN_HOUR)
    return Match.objects.get(pk=match.pk)


def begun(match: Match) -> Match:
    if match.phase == Match.Phase.GATHERING:
        league_tables.begin_anyway(match.pk, now=AFTER_AN_HOUR)
    return match


def play_round(round_) -> None:
    for match in Match.objects.filter(fixture__round=round_):
        assert play_out(match).phase == Match.Phase.ENDED


def leave_to_bots(round_) -> None:
    """Let bots play every seat; automatic players are written to the log thirty lines at a time."""
    now = NOON + timedelta(hours=1)
    for chair in Chair.objects.filter(fixture__round=round_, fixture__match__phase="running"):
        if not chair.fixture.match.places.get(seat=chair.seat).is_bot:
            tables.give_to_bot(chair, now=now)
    while Match.objects.filter(fixture__round=round_, phase="running").exists():
        now += timedelta(hours=12)  # a market stays open for a while, even among bots
        assert timeouts.time_out_all(now)


def invent_results(round_: Round) -> None:
    """Let the player on the lower rung win."""
    for fixture in round_.fixtures.all():
        for rank, chair in enumerate(fixture.chairs.order_by("entry__rung"), 1):
            Chair.objects.filter(pk=chair.pk).update(rank=rank, score=10 - rank)
        Fixture.objects.filter(pk=fixture.pk).update(ending="played", decided_at=NOON)


# ── the admin ──


def find_concerns(user, now=NOON):
    """Return what the first page shows: the concerns of the site, then of the seasons with their next steps."""
    leagues = first_page.load_leagues(user)
    seasons = first_page.list_seasons(leagues)
    own = Interests(user, seasons)
    found = concerns.list_concerns(seasons, own, now)
    found = [*concerns.list_of_site(seasons, own, now), *first_page.list_idle_leagues(leagues), *found]
    return [concern for concern in found if concern.what]


def list_needs(user, now=NOON):
    return [concern.what for concern in find_concerns(user, now)]


def do_url(row, action: str) -> str:
    return reverse(f"admin:leagues_{row._meta.model_name}_do", args=[row.pk, action])


@restored
def season_after_one_round() -> Season:
    """Return a season with one round played, and another drawn but not published."""
    season = fill_season(found_league(), 6, size=3, rounds=2, name="Autumn")
    division = season.divisions.get()
    rounds.draw(division, by=None, now=NOON)
    rounds.publish(division.rounds.first(), now=NOON)
    invent_results(division.rounds.first())
    return Season.objects.get(pk=season.pk)


def do(client, row, action: str, **answers):
    """Press an action's button and confirm."""
    if action == "import":
        answers = previewed(client, do_url(row, action), answers)
    return client.post(do_url(row, action), {"do": "1", "reason": "", **answers})


def previewed(client, url: str, answers):
    """Look at a list, pick its columns and look again. Return the answers that the page then holds."""
    for _ in range(2):
        form = client.post(url, {"look": "1"} | answers).context["form"]
        proposed = {name: form.initial[name] for name in form.fields if name.startswith(("seen", "column_"))}
        answers = proposed | answers | {"seen": proposed.get("seen", "")}
    return answers


def page(client, name: str, *arguments) -> str:
    return unescape(client.get(reverse(name, args=arguments)).content.decode())
