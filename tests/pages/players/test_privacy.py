"""A player can export or delete their data; the moves of others stay and can still be verified."""

import json
import re
from datetime import timedelta
from html import unescape
from threading import Thread

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.urls import reverse

from beanpost.leagues.models import Entry, LeagueEvent, Season
from beanpost.leagues.people import entries
from beanpost.pages import sessions
from beanpost.play import clock
from beanpost.play.log import audit, export
from beanpost.play.models import Match
from beanpost.play.seats import joining, lifecycle, opening, takeover, votes
from beanpost.play.tickets import EraseTicket, FewerTicket, JoinTicket, NeverTicket, PlayerTicket, sign
from beanpost.play.timekeeping import absence
from beanpost.players import accounts, address_changes, confirming
from beanpost.players.models import Player
from beanpost.post.compose import letter as compose
from beanpost.post.deliver import sending
from beanpost.post.models import Body, Letter
from beanpost.post.outbox import claims, queue, retention
from beanpost.privacy import data_export, erasure
from beanpost.privacy.match_data import make_pseudonym
from games.verification.verify import verify
from tests.friends import NOON, gather, seat_friends, welcome_player
from tests.leagues.office import entry_link, found_league
from tests.pages.gallery import deliver
from tests.pages.table import asked, link, play_to_the_end, press, seat_link

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_noon")]
NEED_A_MAILBOX = ("sign_in", "settings", "address", "moved_address", "moving_address", "erase", "never")
ADDRESSED = ("address", "moved_address", "moving_address")  # letters to another address than the recipient's


@pytest.fixture
def match():
    match = seat_friends()
    press(match, "play", note="A note of Ann’s.")
    return match


@pytest.fixture
def ann(client, match):
    player = match.events.filter(origin="player").order_by("seq").last()
    player = match.places.get(seat=player.seat).player
    session = client.session
    session[sessions.VISIT_KEY] = [player.pk, player.sessions]
    session.save()
    return player


def text(response) -> str:
    return response.content.decode()


def test_the_export_contains_all_of_a_players_data_and_nobody_elses(client, ann, match):
    deliver()
    data = json.loads(client.get("/my/data.json").content)
    assert data["player"]["address"] == ann.address
    assert [seat["match__code"] for seat in data["seats"]] == [match.code]
    assert [note["text"] for note in data["notes"]] == ["A note of Ann’s."]
    assert data["letters"]
    others = Player.objects.exclude(pk=ann.pk).values_list("address", flat=True)
    assert not any(address in json.dumps(data) for address in others)


def hand_over(match: Match, address: str) -> Player:
    """Let a newcomer take over seat 1 and write a note there."""
    absence.resign(match.places.get(seat=1), now=NOON)
    proposal = votes.offer_seat(match.pk, 1, address, now=NOON)
    takeover.take_over(proposal, proposal.player, now=NOON)
    match.refresh_from_db()
    while asked(match).place.seat != 1:
        press(match)
    press(match, note=f"A note of {address}.")
    return proposal.player


def test_players_of_a_seat_that_changed_hands_export_and_delete_only_their_own_data():
    match = seat_friends()
    bob = match.places.get(seat=1).player
    press(match, note="A note of Bob’s.")
    match.places.filter(seat=1).update(here_at=NOON)
    yan, zoe = hand_over(match, "yan@example.org"), hand_over(match, "zoe@example.org")
    data = {player: json.loads(json.dumps(data_export.export_data(player), default=str)) for player in (bob, yan, zoe)}
    assert [seat["word"] for seat in data[zoe]["seats"]] == [""]
    assert [seat["here_at"] for seat in data[zoe]["seats"]] == [None]  # it was Bob who looked
    assert [[left["name"] for left in data[player]["seats_left"]] for player in data] == [["Bob"], ["yan"], []]
    assert [[note["text"] for note in data[player]["notes"]] for player in data] == [
        ["A note of Bob’s."],
        ["A note of yan@example.org."],
        ["A note of zoe@example.org."],
    ]
    erasure.erase(yan, now=NOON)
    assert [note.text for note in match.notes.all()] == ["A note of Bob’s.", "A note of zoe@example.org."]


def test_the_export_names_the_seats_that_a_player_was_offered_or_kept():
    match = seat_friends("fagioli", "standard", seats=2)
    ann, bob = match.places.order_by("seat")
    absence.resign(bob, now=NOON)
    proposal = votes.propose(ann, "give", seat=1, address="zoe@example.org", now=NOON)
    votes.veto(proposal, bob.player, now=NOON)
    rows = [data_export.export_data(player) for player in (ann.player, bob.player, proposal.player)]
    assert [(len(row["seats_kept"]), len(row["seats_offered"])) for row in rows] == [(0, 0), (1, 0), (0, 1)]


def test_the_export_has_every_setting_of_a_player():
    internal = {"id", "name_asked", "zone_asked", "guest", "digest_at", "digest_on", "feed", "visits", "sessions"}
    exported = data_export.export_data(welcome_player("ann@example.org", "Ann"))["player"]
    assert {field.name for field in Player._meta.concrete_fields} == exported.keys() | internal


def test_an_export_from_a_session_contains_no_links_that_need_a_mailbox(client, ann):
    """Otherwise anyone at an open browser could take over the account, or claim another person's address."""
    now = clock.now()
    confirming.confirm(ann, now=now)
    accounts.mark_unreached(ann, now=now)
    ann.refresh_from_db()
    change, _ = address_changes.request_change(ann, "anne@beans.example", now=now)
    for kind in NEED_A_MAILBOX:
        values = {"visit": ann.visits, "session": ann.sessions}
        if kind in ADDRESSED:
            values |= {"ticket": "ticket-to-an-address", "to": f"{kind}@example.org", "new": ann.address}
            values |= {"change": change.pk}
        queue.queue(ann, kind, "asked/1", values, now=now)
    sending.deliver(lambda: now)
    sent = Body.objects.filter(letter__kind__in=NEED_A_MAILBOX, letter__state="sent")
    assert sent.count() == len(NEED_A_MAILBOX)
    letters = {letter["kind"]: letter for letter in json.loads(client.get("/my/data.json").content)["letters"]}
    assert {kind: letters[kind]["text"] for kind in NEED_A_MAILBOX} == dict.fromkeys(NEED_A_MAILBOX, "")
    assert letters["sign_in"]["subject"]


def by_letter(player) -> str:
    """Return the page behind the link in the letter."""
    return reverse("erase", args=[sign(EraseTicket(player.pk, player.sessions))])


@pytest.mark.parametrize("by_visit", [True, False])
def test_an_active_player_is_told_to_resign_first_before_pressing(client, ann, by_visit):
    address = "/my/erase/" if by_visit else by_letter(ann)
    pages = client.get(address), client.post(address, {"sure": "on"})
    assert [page.status_code for page in pages] == [200, 400]
    for page in pages:
        assert text(page).count("Please resign first: you’ll find your seats under “My games”.") == 1
        assert "Send me the letter" not in text(page)
        assert 'class="grave"' not in page.content.decode()
    assert not ann.letters.filter(kind="erase").exists()
    assert Player.objects.get(pk=ann.pk).address == ann.address


def test_opening_a_page_or_leaving_the_box_unticked_deletes_nothing(client, ann, match):
    play_to_the_end(match)
    assert "Check your email" in text(client.post("/my/erase/", {"sure": "on"}))
    assert client.get(by_letter(ann)).status_code == 200
    assert client.post(by_letter(ann), {}).status_code == 400
    assert Player.objects.get(pk=ann.pk).address == ann.address


def test_signing_out_everywhere_ends_an_unrequested_deletion_letter(client, ann, match):
    play_to_the_end(match)
    client.post("/my/erase/")
    page = by_letter(ann)
    accounts.sign_out_everywhere(ann)
    deliver()
    assert not ann.letters.filter(kind="erase", state="sent").exists()
    assert client.post(page, {"sure": "on"}).status_code == 410
    assert Player.objects.get(pk=ann.pk).address == ann.address


def test_deletion_leaves_a_pseudonym_and_no_other_trace(client, ann, match):
    play_to_the_end(match)
    match.places.filter(player=ann).update(here_at=NOON)
    client.post("/my/erase/")
    deliver()
    page = re.search(r"/my/erase/\S+", ann.letters.get(kind="erase").text).group()
    assert "Your data has been deleted" in text(client.post(page, {"sure": "on"}))
    assert client.post(page, {"sure": "on"}).status_code == 410
    gone = Player.objects.get(pk=ann.pk)
    assert gone.name.startswith("Bean ")
    assert gone.address.endswith("@erased.invalid")
    assert not gone.letters.exclude(body=None, subject="", address="").exists()
    assert not match.notes.exists()
    assert not match.places.exclude(here_at=None).exists()
    page = text(client.get(f"/match/{match.code}/"))
    assert gone.name in page
    assert ann.name not in page
    assert client.get("/my/").status_code == 302


def test_a_match_with_a_deleted_player_can_be_verified_and_says_what_was_deleted(ann, match):
    play_to_the_end(match)
    erasure.erase(ann, now=NOON)
    match.refresh_from_db()
    exported = json.loads(json.dumps(export.export_match(match, None)))
    assert ann.name not in json.dumps(exported)
    assert "A player’s name was deleted from the card at their request" in str(verify(exported))
    assert list(audit.find_differences(match)) == []


def test_a_resigned_player_can_be_deleted_while_the_others_play_on(ann, match):
    absence.resign(match.places.get(player=ann), now=NOON)
    erasure.erase(ann, now=NOON)
    match.refresh_from_db()
    assert match.phase == Match.Phase.RUNNING
    assert list(audit.find_differences(match)) == []


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_letters_written_after_a_deletion_do_not_name_the_player(ann, match, language):
    name = "Ännchen von Tharau, die mein Leben ist"
    Player.objects.update(language=language)
    for gone in (ann, match.places.get(player=ann)):
        gone.name = name
        gone.save()
    opened = gather("fagioli", "standard")
    deliver()
    before = Letter.objects.filter(state="sent").exclude(recipient=ann)
    assert any(name in " ".join(letter.text.split()) and name in letter.subject for letter in before)
    last = before.latest("pk").pk
    joining.decline(opened.places.get(player=ann), now=clock.now())
    absence.resign(match.places.get(player=ann), now=clock.now())
    erasure.erase(ann, now=clock.now())
    press(match)
    deliver()
    play_to_the_end(match)
    deliver()
    after = Letter.objects.filter(state="sent", pk__gt=last).exclude(recipient=ann)
    assert {"declined", "turn", "finished"} <= {letter.kind for letter in after}
    for letter in after:
        contents = " ".join(f"{letter.subject} {letter.text} {unescape(letter.html)}".split())
        assert make_pseudonym(ann) in contents
        assert name not in contents
        assert "Ännchen" not in contents


def test_letters_being_written_during_a_deletion_do_not_name_the_player(ann, match):
    deliver()
    absence.resign(match.places.get(player=ann), now=NOON)
    press(match)
    batch = claims.claim(clock.now(), 20)
    assert {letter.match_id for letter in batch} == {match.pk}
    compose.load_matches(batch)
    erasure.erase(ann, now=clock.now())
    assert sending.prepare_letters(batch, (), clock.now) == []
    deliver()
    again = Letter.objects.filter(pk__in=[letter.pk for letter in batch], state="sent")
    assert again
    for letter in again:
        assert ann.name not in letter.text
        assert make_pseudonym(ann) in letter.text


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_letters_claimed_during_a_deletion_do_not_name_the_player(ann, match):
    deliver()
    absence.resign(match.places.get(player=ann), now=NOON)
    press(match)
    batch: list[Letter] = []

    def claim_and_look() -> None:
        batch.extend(claims.claim(clock.now(), 20))
        compose.load_matches(batch)
        connection.close()

    sender = Thread(target=claim_and_look)
    with transaction.atomic():
        erasure.erase(ann, now=clock.now())
        sender.start()
        sender.join(timeout=120)
    assert batch
    assert sending.prepare_letters(batch, (), clock.now) == []
    deliver()
    again = Letter.objects.filter(pk__in=[letter.pk for letter in batch], state="sent")
    assert again
    assert not [letter for letter in again if ann.name in letter.text]


def test_the_old_letters_of_a_deleted_player_open_nothing(client, ann, match):
    play_to_the_end(match)
    again = seat_link("again", match.places.get(player=ann))
    erasure.erase(ann, now=NOON)
    assert client.post(again).status_code == 410
    assert Match.objects.count() == 1


def test_a_deleted_players_tickets_open_nothing_and_send_no_letters(client, ann, match):
    """The address could receive letters again, since nothing is left that says whose it was."""
    play_to_the_end(match)
    plan = {"game": "haricots", "variant": "sprint", "seats": 3, "pace": "daily", "addresses": []}
    bob = match.places.exclude(player=ann).first().player
    free = opening.open_match(opening.plan(bob, **plan, bots=1, open_to_all=True), bob, now=NOON)
    old = {
        "opening": opening.plan(ann, **plan, bots=2, open_to_all=False),
        "joining": JoinTicket(ann.pk, ann.sessions, free.pk),
        "never": NeverTicket(ann.pk, ann.sessions),
        "fewer": FewerTicket(ann.pk, ann.sessions, "digest"),
        "me": PlayerTicket(ann.pk),
    }
    erasure.erase(ann, now=NOON)
    for name, ticket in old.items():
        for page in (client.get(link(name, ticket)), client.post(link(name, ticket))):
            assert page.status_code == 410
            assert "We don’t know you any more" in text(page)
            assert "We won’t write to you again" not in text(page)
    assert Match.objects.count() == 2
    assert free.places.count() == 2


def test_a_deleted_player_cannot_enter_a_season(client, ann, match):
    play_to_the_end(match)
    season = Season.objects.create(league=found_league(), name="Spring", phase="entering")
    entry = entries.add_entry(season, ann.address, now=NOON)
    erasure.erase(ann, now=NOON)
    assert client.post(entry_link(entry)).status_code == 410
    assert Entry.objects.get().state == Entry.State.DECLINED


@pytest.mark.parametrize("path", ["/my/data.json", "/my/erase/"])
def test_visitors_are_asked_to_sign_in(path, client):
    assert client.get(path).headers["Location"] == "/sign-in/"


# ── people who never came ──

A_MONTH_LATER = NOON + retention.KEPT + timedelta(days=1)
NEVER_CAME = (Entry.State.INVITED, Entry.State.DECLINED, Entry.State.LEFT)  # the last was removed from the list again


def known() -> set[str]:
    return {player.name for player in Player.objects.all() if not player.is_forgotten}


def test_an_invited_person_who_never_answered_is_deleted_after_a_month():
    gather()
    deliver()
    assert erasure.forget_strangers(A_MONTH_LATER) == 0
    lifecycle.expire(NOON + opening.FILLS_WITHIN)
    assert erasure.forget_strangers(NOON + retention.KEPT - timedelta(days=1)) == 0
    assert [erasure.forget_strangers(A_MONTH_LATER) for _ in range(2)] == [2, 0]
    assert known() == {"Ann"}


def test_strangers_are_deleted_until_the_time_is_up_and_the_next_run_goes_on(monkeypatch):
    for name in ("Yan", "Zoe"):
        accounts.get_or_create_player(f"{name}@example.org", name=name, now=NOON)
    monkeypatch.setattr(retention, "SECONDS_PER_RUN", -1)
    assert [erasure.forget_strangers(A_MONTH_LATER) for _ in range(3)] == [1, 1, 0]


def test_a_person_with_a_seat_or_a_played_match_is_kept(match):
    play_to_the_end(match)
    gather(variant="basic", now=NOON)
    deliver()
    assert erasure.forget_strangers(A_MONTH_LATER) == 0


@pytest.mark.parametrize(
    ("known_for", "forgotten"),
    [
        ({}, 1),
        ({"visits": 1}, 0),
        ({"sessions": 1}, 0),
        ({"unwanted_at": NOON}, 0),  # otherwise others could have us write there again
        ({"guest": True}, 0),
    ],
)
def test_a_typed_address_is_deleted_unless_its_owner_came_or_wants_no_letters(known_for, forgotten):
    accounts.get_or_create_player("zoe@example.org", name="Zoe", now=NOON)
    Player.objects.update(**known_for)
    assert erasure.forget_strangers(A_MONTH_LATER) == forgotten


@pytest.mark.parametrize("phase", Season.Phase)
@pytest.mark.parametrize("state", Entry.State)
def test_a_person_invited_to_a_season_is_deleted_after_a_month_unless_they_came(phase, state):
    season = Season.objects.create(league=found_league(), name="Spring")
    entries.add_entry(season, "zoe@example.org", name="Zoe", now=NOON)
    Entry.objects.update(state=state, invited_at=NOON)
    Season.objects.update(phase=phase)
    gone = state in NEVER_CAME
    assert erasure.forget_strangers(A_MONTH_LATER) == gone
    assert known() == ({"Kim"} if gone else {"Kim", "Zoe"})


def test_a_person_on_a_list_is_kept_for_three_months_until_an_organiser_invites_them():
    season = Season.objects.create(league=found_league(), name="Spring")
    entries.add_entry(season, "zoe@example.org", name="Zoe", now=NOON)
    assert erasure.forget_strangers(A_MONTH_LATER) == 0
    assert erasure.forget_strangers(NOON + 3 * retention.KEPT + timedelta(days=1)) == 1


def test_a_person_who_came_and_left_is_kept():
    season = Season.objects.create(league=found_league(), name="Spring")
    entries.add_entry(season, "zoe@example.org", name="Zoe", now=NOON)
    Entry.objects.update(state=Entry.State.LEFT, answered_at=NOON)
    Season.objects.update(phase=Season.Phase.ENDED)
    assert erasure.forget_strangers(A_MONTH_LATER) == 0


def test_deleting_strangers_does_not_take_letters_from_their_senders():
    accounts.get_or_create_player("zoe@example.org", name="Zoe", now=NOON)
    seat_friends(now=A_MONTH_LATER)
    claimed = {letter.pk: letter.attempts for letter in claims.claim(A_MONTH_LATER, 20)}
    assert erasure.forget_strangers(A_MONTH_LATER) == 1
    assert dict(Letter.objects.filter(pk__in=claimed).values_list("pk", "attempts")) == claimed


def test_deleting_a_stranger_keeps_notes_about_others_of_that_name(admin_user):
    season = Season.objects.create(league=found_league(), name="Spring")
    stranger = entries.add_entry(season, "will@example.org", name="will", now=NOON)
    for entry in (None, stranger):
        LeagueEvent.objects.create(
            league=season.league,
            season=season,
            entry=entry,
            kind="people",
            about="will be late",
            changes={"typed_name": ["", "will be late"]},
            done_at=NOON,
        )
    Season.objects.update(phase=Season.Phase.ENDED)
    assert erasure.forget_strangers(A_MONTH_LATER) == 1
    of_the_season, of_the_stranger = LeagueEvent.objects.order_by("pk")
    assert "will be late" in str(of_the_season.changes)
    assert "will be late" not in f"{of_the_stranger.about} {of_the_stranger.changes}"
