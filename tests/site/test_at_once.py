"""Two people act in the same moment: the second waits for the first, and then sees what the first has done."""

import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from itertools import zip_longest
from threading import Thread

import pytest
from django.core import mail
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.urls import reverse

from beanpost.leagues import locks
from beanpost.leagues.actions import registry
from beanpost.leagues.actions.action import ActionCall
from beanpost.leagues.mail import organiser_letters
from beanpost.leagues.mail.organiser_letters import Audience
from beanpost.leagues.models import Chair, Division, Entry, Fixture, Round, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.seasons import clocks, corrections, phases, results, rounds, substitutes
from beanpost.leagues.seasons import endings as season_endings
from beanpost.management.commands import clock as clock_command
from beanpost.play import load
from beanpost.play.clock import now
from beanpost.play.deadlines import outages
from beanpost.play.models import Event, Match, Place, Wait
from beanpost.play.seats import joining, opening, own_seat, rematch
from beanpost.play.timekeeping import absence, mail_credits, sweep
from beanpost.play.turns import endings
from beanpost.players import accounts, confirming
from beanpost.players.models import AddressChange, Player, Unanswered
from beanpost.post import address_moves
from beanpost.post.deliver import sending
from beanpost.post.models import Body, Letter, Reply
from beanpost.post.outbox import claims, queue, retention
from beanpost.post.outbox.claims import ComposedLetter
from beanpost.post.receive import inbox, replies
from beanpost.privacy import erasure
from tests.friends import NOON, gather, seat_friends
from tests.leagues.office import fill_season, found_league
from tests.pages.table import asked, play_to_the_end, press, seat_link

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


class Somebody(Thread):
    """A thread that acts while our transaction is open. The constructor returns once it has finished or waits for a
    lock."""

    def __init__(self, action: Callable[[], object]) -> None:
        super().__init__()
        self.action = action
        self.trouble: Exception | None = None
        self.start()
        while self.is_alive() and not somebody_waits():
            time.sleep(0.01)

    def run(self) -> None:
        try:
            self.action()
        except Exception as trouble:
            self.trouble = trouble
        finally:
            connection.close()


def somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        return bool(cursor.fetchone()[0])


def test_a_match_starts_when_the_last_two_get_ready_at_once():
    match = play_to_the_end(seat_friends())
    ann, bob, cleo = (place.player for place in match.places.select_related("player"))
    following = rematch.open_rematch(match.pk, ann, now=NOON)
    with transaction.atomic():
        joining.accept_invitation(following.places.get(player=cleo), name="Cleo", word="", now=NOON)
        other = Somebody(lambda: rematch.open_rematch(match.pk, bob, now=NOON))
    other.join()
    assert other.trouble is None
    assert Match.objects.get(pk=following.pk).phase == Match.Phase.RUNNING


def test_getting_ready_under_another_name_waits_for_a_bounce_being_processed():
    match = gather()
    place = match.places.select_related("player").get(seat=1)
    with transaction.atomic():
        accounts.mark_unreached(place.player, now=NOON)
        other = Somebody(lambda: joining.accept_invitation(place, name="Bobby", word="", now=NOON))
        mail_credits.credit_bounce(match, place.player, now=NOON)
    other.join()
    assert other.trouble is None
    assert match.places.get(seat=1).name == "Bobby"


def test_opening_two_matches_at_once_does_not_exceed_the_daily_invitation_limit(monkeypatch):
    monkeypatch.setattr(joining, "INVITATIONS_A_DAY", 3)
    ann = accounts.get_or_create_player("ann@example.org", name="Ann", now=NOON)
    plan = {"game": "haricots", "variant": "sprint", "seats": 3, "pace": "daily", "open_to_all": False, "bots": 0}
    guests = (["bob@example.org", "cleo@example.org"], ["dora@example.org", "emil@example.org"])
    first, second = (opening.plan(ann, addresses=addresses, **plan) for addresses in guests)
    with transaction.atomic():
        opening.open_match(first, ann, now=NOON)
        other = Somebody(lambda: opening.open_match(second, ann, now=NOON))
    other.join()
    assert isinstance(other.trouble, ValidationError)


def test_two_processes_that_check_whether_the_database_stores_do_not_disturb_each_other():
    found = []

    def check(seconds: int) -> None:
        found.extend(outages.can_store(NOON + timedelta(seconds=seconds + n)) for n in range(100))
        connection.close()

    others = [Thread(target=check, args=(seconds,)) for seconds in (0, 1000, 2000, 3000)]
    for other in others:
        other.start()
    for other in others:
        other.join()
    assert found == [True] * 400


def test_renewing_links_waits_for_a_bounce_being_processed():
    match = seat_friends()
    place = asked(match).place
    with transaction.atomic():
        accounts.mark_unreached(place.player, now=NOON)
        other = Somebody(lambda: own_seat.renew_links(match.places.select_related("player").get(pk=place.pk)))
        assert mail_credits.credit_bounce(match, place.player, now=NOON)
    other.join()
    assert other.trouble is None
    place.refresh_from_db()
    assert (place.occupant, place.unreached) == (2, mail_credits.CREDIT_PER_BOUNCE)


def test_renewing_links_waits_for_a_move_at_the_same_seat(client):
    match = seat_friends()
    place = asked(match).place
    with transaction.atomic():
        load.lock_match(match.pk)
        other = Somebody(lambda: client.post(seat_link("renew", place)))
        Place.objects.filter(pk=place.pk).update(misses=1)
    other.join()
    assert other.trouble is None
    place.refresh_from_db()
    assert (place.occupant, place.misses) == (2, 1)


def test_a_complaint_waits_for_a_bounce_being_processed():
    match = seat_friends()
    place = asked(match).place
    with transaction.atomic():
        accounts.mark_unreached(place.player, now=NOON)
        other = Somebody(lambda: absence.stop_letters_and_seats(place.player, now=NOON))
        assert mail_credits.credit_bounce(match, place.player, now=NOON)
    other.join()
    assert other.trouble is None
    place.refresh_from_db()
    assert place.stand_in


def test_deleting_a_player_waits_for_a_bounce_of_their_letter():
    dora = accounts.get_or_create_player("dora@example.org", name="Dora", now=NOON)
    queue.queue(dora, "settings", "settings/1", now=NOON)
    with transaction.atomic():
        Letter.objects.select_for_update().get(recipient=dora)
        other = Somebody(lambda: erasure.erase(dora, now=NOON))
        accounts.mark_unreached(dora, now=NOON)
    other.join()
    assert other.trouble is None
    assert Letter.objects.get(recipient=dora).state == Letter.State.DROPPED


def test_deleting_a_player_waits_for_the_answer_to_their_reply():
    dora = accounts.get_or_create_player("dora@example.org", name="Dora", now=NOON)
    queue.queue(dora, "settings", "settings/1", now=NOON)
    reply = Reply.objects.create(letter=Letter.objects.get(), fingerprint="1", received_at=NOON, due_at=NOON)
    with transaction.atomic():
        assert replies.lock_waiting(reply.pk)
        other = Somebody(lambda: erasure.erase(dora, now=NOON))
        queue.queue(dora, "which", f"reply/{reply.pk}", {"why": "unread"}, now=NOON)
    other.join()
    assert other.trouble is None
    assert Letter.objects.get(kind="which").values == {}


def test_deleting_a_player_waits_for_a_bounce_of_another_players_letter():
    """Letters that are being written are taken back from their senders, as they may name the deleted player."""
    match = play_to_the_end(seat_friends())
    cleo = match.places.get(name="Cleo").player
    claims.claim(NOON, 20)
    with transaction.atomic():
        match.letters.select_for_update().get(kind="finished", recipient__name="Bob")
        other = Somebody(lambda: erasure.erase(cleo, now=NOON))
        load.lock_match(match.pk)
    other.join()
    assert other.trouble is None


@pytest.mark.parametrize("first", ["bob", "dora"])
def test_deleting_a_player_while_a_sender_stores_letters_cannot_deadlock(first, monkeypatch):
    """The sender stores one letter to the deleted player and one to another player."""
    for name in sorted(["bob", "dora"], key=lambda name: name != first):
        queue.queue(accounts.get_or_create_player(f"{name}@example.org", now=NOON), "settings", "settings/1", now=NOON)
    batch = {
        letter: ComposedLetter(letter.target_address, "Beans", b"beans", [], {}) for letter in claims.claim(NOON, 20)
    }
    senders, write_anew = [], claims.release_unwritten

    def while_somebody_stores(now):  # the deletion has locked Dora's letter, the sender may have locked Bob's
        senders.append(Somebody(lambda: claims.store(batch, NOON)))
        write_anew(now)

    monkeypatch.setattr(claims, "release_unwritten", while_somebody_stores)
    erasure.erase(Player.objects.get(address="dora@example.org"), now=NOON)
    senders[0].join()
    assert senders[0].trouble is None
    assert not Body.objects.exclude(letter__recipient__address="bob@example.org").exists()
    assert {letter.recipient.address for letter in claims.claim(NOON + 2 * claims.LEASE, 20)} == {"bob@example.org"}


def test_deleting_players_while_senders_store_their_letters_never_deadlocks():
    players = [accounts.get_or_create_player(f"p{n}@example.org", now=NOON) for n in range(5)]
    for n in range(4):
        for player in players:
            queue.queue(player, "settings", f"settings/{n}", now=NOON)
    batch = claims.claim(NOON, 20)
    handfuls = [batch[n : n + 5] for n in range(0, len(batch), 5)]
    written = [
        {letter: ComposedLetter(letter.target_address, "Beans", b"beans", [], {}) for letter in some}
        for some in handfuls
    ]
    tasks = [partial(claims.store, some, NOON) for some in written]
    tasks += [partial(erasure.erase, player, now=NOON) for player in players]
    doing = [Somebody(task) for pair in zip_longest(tasks[:4], tasks[4:]) for task in pair if task]
    for somebody in doing:
        somebody.join()
    assert [somebody.trouble for somebody in doing if somebody.trouble] == []
    assert not Letter.objects.filter(state__in=Letter.ON_THE_WAY).exists()
    assert not Body.objects.exists()


def test_a_player_who_moves_while_the_sweep_checks_on_them_is_not_nudged():
    match = seat_friends()
    place = asked(match).place
    Place.objects.filter(pk=place.pk).update(nudge_at=NOON)
    with transaction.atomic():
        load.lock_match(match.pk)
        other = Somebody(lambda: absence.ask_silent_players(NOON))
        press(match)
    other.join()
    assert other.trouble is None
    assert not Place.objects.get(pk=place.pk).nudged


def test_a_complaint_adds_nothing_to_a_match_that_ends_at_the_same_moment():
    match = seat_friends()
    player = match.places.get(seat=0).player
    with transaction.atomic():
        endings.adjudicate(load.lock_match(match.pk), (0, 1, 2), "organiser", NOON)
        other = Somebody(lambda: absence.stop_letters_and_seats(player, now=NOON))
    other.join()
    assert other.trouble is None
    assert match.events.order_by("seq").last().line == "adjudicate A B C"
    player.refresh_from_db()
    assert player.unwanted_at


def waiting_change() -> AddressChange:
    """Return Bob's change of address, ready to take effect."""
    seat_friends()
    bob = Player.objects.get(name="Bob")
    accounts.mark_unreached(bob, now=NOON)
    return address_moves.request_change(bob, "new@beans.example", now=NOON)


def test_a_change_of_address_stopped_at_the_same_moment_is_not_carried_out():
    change = waiting_change()
    with transaction.atomic():
        address_moves.stop_change(change, now=change.effective_at)
        other = Somebody(lambda: address_moves.apply_due_changes(change.effective_at))
    other.join()
    assert other.trouble is None
    change.refresh_from_db()
    assert (change.done_at, change.player.address) == (None, "bob@example.org")


def test_a_change_of_address_that_is_taking_effect_cannot_be_stopped():
    change = waiting_change()
    stopped = []
    with transaction.atomic():
        address_moves.apply_change(change.pk, change.effective_at)
        other = Somebody(lambda: stopped.append(address_moves.stop_change(change, now=change.effective_at)))
    other.join()
    assert (other.trouble, stopped) == (None, [False])
    assert Player.objects.get(pk=change.player_id).address == "new@beans.example"


def test_two_sweeps_carry_out_a_change_of_address_once():
    change = waiting_change()
    with transaction.atomic():
        address_moves.apply_change(change.pk, change.effective_at)
        other = Somebody(lambda: address_moves.apply_due_changes(change.effective_at))
    other.join()
    assert other.trouble is None
    assert Letter.objects.filter(kind="moved_address").count() == 1
    change.refresh_from_db()
    assert (bool(change.done_at), change.stopped_at) == (True, None)


def test_a_player_who_asks_for_two_new_addresses_at_once_gets_the_first():
    seat_friends()
    bob = Player.objects.get(name="Bob")
    accounts.mark_unreached(bob, now=NOON)
    with transaction.atomic():
        address_moves.request_change(bob, "one@beans.example", now=NOON)
        other = Somebody(
            lambda: address_moves.request_change(Player.objects.get(name="Bob"), "two@beans.example", now=NOON)
        )
    other.join()
    assert isinstance(other.trouble, ValidationError)
    assert AddressChange.objects.get().new == "one@beans.example"


def test_a_player_who_confirms_two_new_addresses_at_once_gets_the_first():
    seat_friends()
    first, second = (Player.objects.get(name="Bob") for _ in range(2))
    with transaction.atomic():
        address_moves.apply_confirmed_change(first, first.address, "one@beans.example", now=NOON)
        other = Somebody(
            lambda: address_moves.apply_confirmed_change(second, second.address, "two@beans.example", now=NOON)
        )
    other.join()
    assert isinstance(other.trouble, ValidationError)
    bob = Player.objects.get(name="Bob")
    assert bob.address == "one@beans.example"
    assert [former.address for former in bob.former_addresses.all()] == ["bob@example.org"]


def test_a_clock_stops_for_a_new_address_while_a_bounce_is_processed():
    change = waiting_change()
    AddressChange.objects.update(waited_for=[])
    match, bob = Match.objects.get(), Player.objects.get(name="Bob")
    with transaction.atomic():
        accounts.lock_player(bob.pk)
        other = Somebody(lambda: mail_credits.stop_clocks_for_change(change.pk, NOON))
        mail_credits.credit_bounce(match, bob, now=NOON)
    other.join()
    assert other.trouble is None
    assert match.places.get(player=bob).unreached == mail_credits.MAX_UNREACHED


def test_two_senders_at_once_send_a_stranger_one_letter():
    confirming.count_letter("stranger@beans.example", 1, now=NOON, is_retry=False)
    tomorrow, counted = NOON + timedelta(days=1), []

    def send(letter: int) -> None:
        counted.append(confirming.count_letter("stranger@beans.example", letter, now=tomorrow, is_retry=False))

    with transaction.atomic():
        send(2)
        other = Somebody(lambda: send(3))
    other.join()
    assert other.trouble is None
    assert counted[0] == tomorrow < counted[1]
    assert Unanswered.objects.get().letters == 2


def test_two_organisers_publish_a_round_once():
    season = fill_season(found_league(), 6, size=3, rounds=2, name="Autumn")
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    shown, shown_to_another = (season.divisions.get().rounds.first() for _ in range(2))
    with transaction.atomic():
        rounds.publish(shown, now=NOON)
        other = Somebody(lambda: rounds.publish(shown_to_another, now=NOON))
    other.join()
    assert isinstance(other.trouble, ValidationError)
    assert Match.objects.count() == 2


def test_the_last_place_in_a_season_is_given_once():
    season = Season.objects.create(league=found_league(), name="Small", most_entries=1)
    ann, bob = (season_entries.add_entry(season, f"{name}@example.org", now=NOON) for name in ("ann", "bob"))
    with transaction.atomic():
        season_entries.accept(ann, now=NOON)
        other = Somebody(lambda: season_entries.accept(bob, now=NOON))
    other.join()
    assert other.trouble is None
    assert sorted(Entry.objects.values_list("state", flat=True)) == ["entered", "waiting"]


@pytest.fixture
def division():
    """A division in which two rounds are drawn."""
    season = fill_season(found_league(), 6, size=3, rounds=2, name="Autumn")
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    return season.divisions.get()


def test_a_round_published_at_the_same_moment_is_not_redrawn(division):
    shown_to_another = Division.objects.get(pk=division.pk)
    with transaction.atomic():
        rounds.publish(division.rounds.first(), now=NOON)
        other = Somebody(lambda: rounds.draw(shown_to_another, by=None, reason="Two have asked.", now=NOON))
    other.join()
    assert other.trouble is None
    assert Fixture.objects.exclude(match=None).count() == Match.objects.count() == 2
    assert list(division.rounds.values_list("phase", flat=True)) == ["published", "drawn"]


def test_a_season_is_not_closed_over_a_round_published_at_the_same_moment(division):
    first, second = division.rounds.all()
    rounds.publish(first, now=NOON)
    Fixture.objects.filter(round=first).update(ending="played")
    rounds.close_round(first, now=NOON)
    with transaction.atomic():
        rounds.publish(Round.objects.get(pk=second.pk), now=NOON)
        other = Somebody(lambda: phases.close_season(Season.objects.get()))
    other.join()
    assert isinstance(other.trouble, ValidationError)
    assert Season.objects.get().phase == "running"


def by_hand(entry: Entry, name: str) -> Callable[[], object]:
    """Return an organiser's action on an entry, as the entry was when it was shown to them."""
    action = next(action for action in registry.ACTIONS[Entry] if action.name == name)
    assert entry.season  # load the season together with the entry
    return lambda: transaction.atomic(action.act)(entry, ActionCall(None, "", NOON))


def test_two_presses_at_once_send_an_organisers_letter_once():
    season = fill_season(found_league(contact="olga@club.example"), 3, size=3)
    arguments = {"headline": "Hello", "words": "We meet on Friday.", "is_public": False, "by": None, "now": NOON}
    with transaction.atomic():
        locks.lock_season(season)
        other = Somebody(lambda: organiser_letters.queue_letter(Audience(Season.objects.get()), **arguments))
        organiser_letters.queue_letter(Audience(season), **arguments)
    other.join()
    assert isinstance(other.trouble, ValidationError)
    assert Letter.objects.filter(kind="league_news").count() == 3


def test_an_entry_can_be_declined_while_an_organiser_withdraws_it():
    season = Season.objects.create(league=found_league(), name="Small", most_entries=1)
    ann, bob = (
        season_entries.accept(season_entries.add_entry(season, f"{name}@example.org", now=NOON), now=NOON)
        for name in ("ann", "bob")
    )
    with transaction.atomic():
        locks.lock_season(season)
        other = Somebody(by_hand(Entry.objects.get(pk=ann.pk), "withdraw"))
        season_entries.decline(ann, now=NOON)
    other.join()
    assert other.trouble is None
    assert Entry.objects.get(pk=bob.pk).state == "entered"


def test_an_entry_allowed_in_as_entries_close_gets_a_division():
    season = Season.objects.create(league=found_league(), name="Autumn")
    entries = [season_entries.add_entry(season, f"p{n}@example.org", now=NOON) for n in range(3)]
    for entry in entries:
        season_entries.accept(entry, now=NOON)
    substitutes.withdraw(entries[2])
    with transaction.atomic():
        phases.close_entries(season)
        other = Somebody(by_hand(Entry.objects.get(pk=entries[2].pk), "enter"))
    other.join()
    assert other.trouble is None
    assert Entry.objects.get(pk=entries[2].pk).division == season.divisions.get()


def test_a_form_sent_as_entries_close_does_not_change_settled_fields(admin_client):
    league = found_league()
    season = Season.objects.create(league=league, name="Autumn", size=4)
    for n in range(3):
        season_entries.accept(season_entries.add_entry(season, f"p{n}@example.org", now=NOON), now=NOON)
    typed = {"league": league.pk, "name": "Winter", "format": "swiss", "size": 3, "rounds": 5, "moving": 2}
    inline = {f"{rows}-{kind}_FORMS": 0 for rows in ("divisions", "entries") for kind in ("TOTAL", "INITIAL")}
    page = reverse("admin:leagues_season_change", args=[season.pk])
    with transaction.atomic():
        phases.close_entries(Season.objects.get())
        other = Somebody(lambda: admin_client.post(page, typed | inline))
    other.join()
    assert other.trouble is None
    settled = Season.objects.get()
    assert (settled.name, settled.phase, settled.size, bool(settled.seed)) == ("Winter", "closed", 4, True)


def test_a_rung_typed_while_an_entry_is_withdrawn_does_not_bring_the_entry_back(admin_client, division):
    Season.objects.update(format="ladder")  # elsewhere nobody types a rung
    entry = division.entries.first()
    page = reverse("admin:leagues_entry_change", args=[entry.pk])
    with transaction.atomic():
        by_hand(Entry.objects.get(pk=entry.pk), "withdraw")()
        other = Somebody(lambda: admin_client.post(page, {"division": division.pk, "rung": 5}))
    other.join()
    assert other.trouble is None
    entry.refresh_from_db()
    assert (entry.state, entry.rung) == ("left", 5)


def test_an_entry_cannot_be_added_to_a_season_that_is_being_closed():
    season = Season.objects.create(league=found_league(), name="Autumn", phase="running")
    with transaction.atomic():
        phases.close_season(Season.objects.get())
        other = Somebody(lambda: season_entries.add_entry(season, "ann@example.org", now=NOON))
    other.join()
    assert isinstance(other.trouble, ValidationError)
    assert not season.entries.exists()


def test_an_invitation_cannot_be_sent_while_entries_close():
    season = Season.objects.create(league=found_league(), name="Autumn", phase="entering")
    silent, *entries = [season_entries.add_entry(season, f"p{n}@example.org", now=NOON) for n in range(3)]
    for entry in entries:
        season_entries.accept(entry, now=NOON)
    with transaction.atomic():
        phases.close_entries(Season.objects.get())
        other = Somebody(lambda: season_entries.invite_all(season, now=NOON))
    other.join()
    assert isinstance(other.trouble, ValidationError)
    assert Entry.objects.get(pk=silent.pk).invited_at is None


def test_a_substitute_who_withdraws_at_the_same_moment_is_not_seated(division):
    rounds.publish(division.rounds.first(), now=NOON)
    spare = season_entries.add_entry(division.season, "spare@example.org", now=NOON)
    season_entries.accept(spare, now=NOON, as_substitute=True)
    chair = Chair.objects.filter(fixture__round__number=1).first()
    with transaction.atomic():
        by_hand(Entry.objects.get(pk=spare.pk), "withdraw")()
        other = Somebody(lambda: substitutes.substitute(chair, spare, now=NOON))
    other.join()
    assert isinstance(other.trouble, ValidationError)
    chair.refresh_from_db()
    assert chair.sitter == chair.entry.player


def test_deciding_or_starting_a_table_waits_for_the_lock_on_its_season(division):
    rounds.publish(division.rounds.first(), now=NOON)
    fixture, _other = Fixture.objects.exclude(match=None)
    places = {chair.pk: place for place, chair in enumerate(fixture.chairs.all(), 1)}
    for task in (
        lambda: results.adjudicate(fixture, places, reason="A test.", now=NOON),
        lambda: rounds.begin_tables(division.rounds.first(), now=NOON),
    ):
        with transaction.atomic():
            locks.lock_season(division.season)
            other = Somebody(task)
            assert other.is_alive()
        other.join()
        assert other.trouble is None


# ── a whole season at once ──


@pytest.fixture
def running(division, admin_user):
    """A season that is being played, as two organisers see it on their pages."""
    rounds.publish(division.rounds.first(), now=NOON)
    rounds.begin_tables(division.rounds.first(), now=NOON)
    return Season.objects.get(), Season.objects.get()


def at_once(first: Callable[[], object], second: Callable[[], object]) -> Exception | None:
    """Do both, the second while the first is not committed yet. Return why the second was refused."""
    with transaction.atomic():
        first()
        other = Somebody(second)
    other.join()
    return other.trouble


def test_two_organisers_pause_and_resume_a_season_once(running, admin_user):
    for task, line in ((clocks.pause, "pause"), (clocks.resume, "resume")):
        one, other = (partial(task, season, by=admin_user, reason="Christmas.", now=NOON) for season in running)
        assert at_once(one, other) is None
        assert Event.objects.filter(line=line).count() == 2  # one at each table


def test_two_organisers_abandon_a_season_once(running, admin_user):
    one, other = (
        partial(season_endings.abandon_season, season, by=admin_user, reason="Over.", now=NOON) for season in running
    )
    assert isinstance(at_once(one, other), ValidationError)
    assert list(Fixture.objects.filter(round__number=1).values_list("ending", flat=True)) == ["annulled"] * 2


def test_a_result_is_not_corrected_in_a_season_that_is_being_closed(running, admin_user):
    season, _also = running
    fixture = Fixture.objects.filter(round__number=1).first()
    results.annul(fixture, reason="A test.", now=NOON)
    ranks = {chair.pk: 1 for chair in fixture.chairs.all()}
    abandon = partial(season_endings.abandon_season, season, by=admin_user, reason="Over.", now=NOON)
    refused = at_once(abandon, lambda: corrections.correct(fixture, ranks, reason="All won.", now=NOON))
    assert isinstance(refused, ValidationError)
    assert not Chair.objects.filter(rank=1).exists()


def test_a_table_is_played_again_once(running):
    fixture = Fixture.objects.filter(round__number=1).first()
    results.annul(fixture, reason="A test.", now=NOON)
    one, other = (
        partial(corrections.play_again, Fixture.objects.get(pk=fixture.pk), reason="Again.", now=NOON) for _ in "ab"
    )
    assert isinstance(at_once(one, other), ValidationError)
    assert Match.objects.count() == 3


def test_a_season_is_deleted_once():
    Season.objects.create(league=found_league(), name="Spring")
    one, other = (partial(season_endings.delete_season, Season.objects.get()) for _ in "ab")
    assert isinstance(at_once(one, other), ValidationError)


# ── the clock and a worker ──


@pytest.mark.time_machine(NOON)  # deadlines avoid the night
def test_the_clock_and_a_worker_send_each_letter_and_time_out_each_question_once(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    for _ in range(4):
        seat_friends(now=now())
    Letter.objects.update(due_at=now())
    Wait.objects.update(due_at=now() - timedelta(seconds=10), remind_at=None)
    asked_before = Wait.objects.count()
    both = [Thread(target=task) for task in (in_a_thread(clock_command.stand_in), in_a_thread(work))]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    sent = [message.extra_headers["Message-ID"] for message in mail.outbox]
    assert len(sent) == len(set(sent)) == Letter.objects.filter(state=Letter.State.SENT).count() > 0
    steps = Event.objects.filter(origin__in=(Event.Origin.HOUSE, Event.Origin.CLOCK))
    assert steps.count() == asked_before  # a grace period, or the default move


def work() -> None:
    """Do what a worker does."""
    sweep.sweep(now())
    sending.deliver(now)


def in_a_thread(task: Callable[[], object]) -> Callable[[], None]:
    def run() -> None:
        try:
            task()
        finally:
            connection.close()

    return run


def test_a_reply_that_comes_in_while_its_match_is_erased_is_erased_later():
    later = NOON + timedelta(days=31)
    match = seat_friends()
    Letter.objects.update(state=Letter.State.SENT)
    Match.objects.filter(pk=match.pk).update(ended_at=NOON, phase=Match.Phase.ENDED)
    letter = Letter.objects.filter(match=match).first()
    with transaction.atomic():
        assert retention.erase_match(match.pk)
        reply = Reply(letter=letter, fingerprint="1", source=b"pass")
        other = Somebody(lambda: inbox.store(reply, later, may_wait=False))
    other.join()
    assert other.trouble is None
    Reply.objects.update(state=Reply.State.LEFT)
    assert retention.erase_contents(later) == 1
    assert bytes(Reply.objects.get().source) == b""
