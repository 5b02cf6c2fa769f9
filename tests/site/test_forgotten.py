"""One person who has done everything that a person can do here, with a marker in every text: export, erase, search."""

from __future__ import annotations

import json
import logging
import re
from datetime import timedelta

import pytest
from axes.models import AccessAttempt, AccessLog
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import get_user_model
from django.test import Client

import games
from beanpost.leagues import organiser_accounts
from beanpost.leagues.mail import contacts
from beanpost.leagues.mail.contacts import ContactTicket
from beanpost.leagues.models import Draw, Entry, Fixture, League, LeagueEvent, News, Season, SecondFactor
from beanpost.leagues.people import entries
from beanpost.pages.sessions import VISIT_KEY
from beanpost.play.demo import play_out
from beanpost.play.log import export
from beanpost.play.models import Match, Note, Order, Proposal
from beanpost.play.seats import joining, own_seat, votes
from beanpost.play.timekeeping import absence
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post import address_moves
from beanpost.post.models import Body, Letter, LetterRequest, Report
from beanpost.post.outbox import queue
from beanpost.privacy import data_export, erasure, storage_limits
from games.contract.seats import HOUSE
from games.verification.verify import verify
from tests import friends
from tests.friends import NOON, gather, seat_friends, welcome
from tests.leagues.office import found_league, put_in_league
from tests.pages.table import asked, link, press
from tests.post import answering
from tests.post.gallery import deliver
from tests.restored import restored
from tests.site.test_texts import STAYS

pytestmark = pytest.mark.django_db
NAME, NICKNAME, ADDRESS = "Zébmarker Quill", "Nickmarker", "addrmarker@beans.example"
FORMER, LATER = "bob@example.org", NOON + timedelta(days=3)
# Every spelling that must be gone: other cases, the first name alone, hidden and former names, former addresses.
SPELLINGS = (
    *("ZÉBMARKER quill", "zébmarker", "Zébmarker", "nickmarker", "Addrmarker@Beans.example", "Bob@Example.org"),
    *("Maidenmarker Bean", "maidenmarker b.", "aliasmarker"),
)
TALK = "; ".join(SPELLINGS)
SHORT = "zébmarker & bob@example.org"
OTHERS = ("post.Body.packed", "post.Letter.subject")  # letters that the others got before
GONE = ("marker", "bob@example.org")


@pytest.fixture
def person(monkeypatch, settings, caplog):
    """Bob's seat is this person's, and no log names them."""
    caplog.set_level(logging.DEBUG)
    settings.INBOUND_DOMAIN = answering.DOMAIN
    monkeypatch.setitem(friends.CALLED, "Bob", NAME)
    person = do_everything()
    assert not is_logged(caplog)
    return person


def is_logged(caplog) -> bool:
    return any(word in caplog.text.casefold() for word in ("bmarker", "addrmarker", "sigmarker", "notemarker"))


@restored
def do_everything() -> Player:
    """Play every game, with notes, an order, votes and replies; run a league; work in the office."""
    for slug, rules in games.GAMES.items():
        match = seat_friends(slug, rules.variants[0], seats=3)
        deliver()
        for _ in range(3):
            own = asked(match).place.name.startswith("Z")
            press(match, note="notemarker" if own and not match.notes.exists() else "")
        Note.objects.create(match=match, seat=0, seq=0, text=f"Well played, {TALK}", said_at=NOON)
    gathering = gather(variant="basic")
    for seat, word in ((1, "wordmarker"), (2, "")):
        guest = gathering.places.get(seat=seat)
        joining.accept_invitation(guest, name=guest.name, word=word, now=NOON)
    person = welcome("Bob")
    accounts.change(person, name="Maidenmarker Bean", nickname="Aliasmarker")
    accounts.change(person, name=NAME, nickname=NICKNAME, name_shown=Player.NameShown.NICKNAME)
    play(person)
    person.refresh_from_db()
    run_a_league(person)
    work_in_the_office(person)
    write_and_get_letters(person)
    return Player.objects.get(pk=person.pk)


def play(person: Player) -> None:
    match = Match.objects.filter(phase="running").first()
    place = match.places.get(player=person)
    Order.objects.create(match=match, seat=place.seat, line="pass until someone plays below 9", given_at=NOON)
    pause = votes.propose(place, "pause", now=NOON)
    votes.vote(match.places.get(seat=(place.seat + 1) % 3), pause.pk, now=NOON)
    Proposal.objects.create(match=match, about="give", seat=HOUSE, origin="organiser", reason=SHORT, opened_at=NOON)
    own_seat.note_presence(place, now=NOON)
    absence.announce_days_away(person, first=LATER.date(), last=LATER.date(), now=NOON)
    address_moves.apply_confirmed_change(person, FORMER, ADDRESS, now=NOON)


def run_a_league(person: Player) -> None:
    season = put_in_league(Match.objects.filter(phase="running").latest("pk"))
    season.entries.filter(player=person).update(typed_name="Typedmarker", typed_address="typedmarker@example.org")
    entry = season.entries.get(player=person)
    league, division, fixture = season.league, season.divisions.get(), Fixture.objects.get()
    league.about, league.run_by, league.contact = TALK, SHORT, ADDRESS
    division.name, season.invitation_words, fixture.reason = SHORT, TALK, SHORT
    for row in (league, division, season, fixture, entry):
        row.save()
    about = {"league": league, "season": season, "about": SHORT, "told": TALK, "reason": SHORT, "done_at": NOON}
    about["changes"] = {"about": ["", TALK]}
    LeagueEvent.objects.create(kind="people", entry=entry, **about)
    LeagueEvent.objects.create(kind="rounds", **about)
    News.objects.create(season=season, headline=SHORT, words=TALK, is_public=True, written_at=NOON)
    Draw.objects.create(division=division, nth=1, seed="x", first=1, rounds=[], reason=SHORT, drawn_at=NOON)
    values = {"league": league.pk, "headline": SHORT, "reason": TALK, "words": TALK}
    Letter.objects.create(
        recipient=welcome("Cleo"), kind="announcement", key="x", values=values, created_at=NOON, due_at=LATER
    )


def work_in_the_office(person: Player) -> None:
    user = get_user_model().objects.create_user(
        "officemarker",
        email="officemarker@example.org",
        first_name="Firstmarker",
        last_name="Lastmarker",
        is_staff=True,
    )
    organiser_accounts.link(user, person)
    SecondFactor.objects.create(user=user, key="KEYMARKER")
    for kind in (AccessAttempt, AccessLog):
        more = {"get_data": "", "post_data": "marker", "failures_since_start": 1} if kind is AccessAttempt else {}
        kind.objects.create(username="officemarker", ip_address="192.0.2.7", user_agent="marker", **more)
    AccessAttempt.objects.create(  # they typed their own address to sign in to the office
        username=ADDRESS, ip_address="192.0.2.7", get_data="", post_data="", failures_since_start=1
    )
    LogEntry.objects.log_actions(user.pk, [user], CHANGE, change_message=ADDRESS, single_object=True)
    LetterRequest.objects.create(address=ADDRESS, kind="lost", asked_at=NOON)


def write_and_get_letters(person: Player) -> None:
    person.refresh_from_db()
    for n, kind in enumerate(("lost", "settings", "never")):
        queue.queue(person, kind, f"asked/{n}", now=NOON)
    deliver(NOON + timedelta(minutes=20))
    letter = Letter.objects.filter(recipient=person, state="sent", match__isnull=False).latest("pk")
    answering.put_in(letter, answering.mail(letter, "Hello\n\n--\nsigmarker"), sender=ADDRESS)
    Report.objects.create(letter=letter, kind="bounced", told_at=NOON, read_at=NOON)
    accounts.mark_unreached(person, now=NOON)
    address_moves.request_change(Player.objects.get(pk=person.pk), "latermarker@example.org", now=NOON)


def leave(person: Player) -> None:
    for match in Match.objects.filter(phase="running"):
        place = match.places.filter(player=person).first()
        if place:
            absence.resign(place, now=LATER)


def search() -> dict[str, int]:
    """Return every column of every table in which a marker stands, and how often."""
    found: dict[str, int] = {}
    for model in apps.get_models(include_auto_created=True):
        for column in model._meta.concrete_fields:
            for value in model._base_manager.order_by().values_list(column.name, flat=True):
                text = spell(model, value)
                if any(word in text for word in GONE):
                    name = f"{model._meta.label}.{column.name}"
                    found[name] = found.get(name, 0) + 1
    return found


def spell(model, value) -> str:
    if isinstance(value, (bytes, memoryview)):
        raw = bytes(value)
        raw = Body(packed=raw).source if model is Body else raw
        return raw.decode("utf-8", "replace").casefold()
    return json.dumps(value, default=str, ensure_ascii=False).casefold()


def test_the_export_holds_every_text_and_nobody_elses_address(person):
    data = json.dumps(data_export.export_data(person), default=str, ensure_ascii=False)
    own = (NAME, NICKNAME, ADDRESS, FORMER, "Maidenmarker Bean", "Aliasmarker",
           "latermarker", "wordmarker", "notemarker", "sigmarker", "officemarker",
           "Firstmarker", "Typedmarker", "192.0.2.7", "bounced", "pass until someone plays below 9", TALK)  # fmt: skip
    assert [word for word in own if word not in data] == []
    shown = json.loads(data)
    not_done = {
        "seats_left",
        "seats_offered",
        "seats_kept",
        "byes",
        "leagues_offered",
        "ratings",
        "office_events",
        "news",
    }
    assert {name for name, rows in shown.items() if not rows} <= not_done | {"matches_opened"}
    for other in Player.objects.exclude(pk=person.pk):
        assert other.address not in data


def test_the_export_shows_nothing_that_somebody_else_did_at_a_former_address(person):
    user = get_user_model().objects.create_user("newcomer", email=FORMER, is_staff=True)
    LogEntry.objects.log_actions(user.pk, [user], CHANGE, change_message="elsewhere", single_object=True)
    AccessLog.objects.create(username="newcomer", ip_address="192.0.2.9")
    News.objects.update(written_by=user)
    data = data_export.export_data(person)
    assert "newcomer" not in str(data["organiser_accounts"])
    assert "elsewhere" not in str(data["office_acts"])
    assert "192.0.2.9" not in str(data["sign_ins"])
    assert data["news"] == []


def test_a_player_reads_the_export_on_a_page(person):
    client = Client()
    session = client.session
    session[VISIT_KEY] = [person.pk, person.sessions]
    session.save()
    page = client.get("/my/data/").content.decode()
    for word in (NICKNAME, FORMER, "wordmarker", "notemarker", "sigmarker", "officemarker", "192.0.2.7", "Your moves"):
        assert word in page
    assert client.get("/my/").content.decode().count("/my/data/") == 1
    accounts.change(person, language="fr")
    labels = set(re.findall(r"<dt[^>]*>(.*?)</dt>", client.get("/my/data/").content.decode()))
    columns = " ".join(columns for _, columns in data_export.SECTIONS.values()).split()
    names = {name.rpartition("__")[2].replace("_", " ") for name in columns}
    assert labels & names <= {"code", "rang", "score"}  # alike in both languages
    assert Client().get("/my/data/").status_code == 302


def test_nothing_is_left_of_a_person_who_did_everything(person, caplog):
    assert len(search()) > 40  # the markers are where they should be
    leave(person)
    erasure.erase(person, now=LATER)
    assert set(search()) <= {*STAYS, *OTHERS}
    for match in Match.objects.filter(phase="running"):
        play_out(match, LATER)
    deliver(LATER)
    for days in (31, 400):
        storage_limits.delete_old_data(LATER + timedelta(days=days))
        assert set(search()) == {"play.Place.word"}, days
    assert not is_logged(caplog)


def test_the_others_matches_are_checked_as_before(person):
    leave(person)
    for match in Match.objects.filter(phase="running"):
        play_out(match, LATER)
    erasure.erase(person, now=LATER)
    for match in Match.objects.filter(phase="ended"):
        verdict = verify(export.export_match(match, None))
        assert verdict.erased
        assert verdict.lines == match.length


def test_a_late_reply_to_an_erased_player_is_not_stored(person, settings):
    letter = Letter.objects.filter(recipient=person, state="sent", match__isnull=False).latest("pk")
    leave(person)
    erasure.erase(person, now=LATER)
    with pytest.raises(answering.addresses.NoSuchAddress):
        answering.inbox.receive(answering.mail(letter, "m1"), answering.address(letter), sender=ADDRESS, now=LATER)
    assert not letter.replies.filter(received_at=LATER).exists()


def test_the_office_account_is_closed_with_the_person(person):
    leave(person)
    erasure.erase(person, now=LATER)
    user = get_user_model().objects.get()
    assert (user.is_active, user.email, user.get_full_name()) == (False, "", "")
    assert not user.has_usable_password()


def test_a_former_name_of_an_office_account_goes_too(person):
    """The host has renamed the account since it was linked to its player."""
    user = get_user_model().objects.get()
    user.username = "renamed"
    user.save()
    League.objects.update(about="Officemarker decides")
    leave(person)
    erasure.erase(person, now=LATER)
    assert "decides" in League.objects.get().about
    assert set(search()) <= {*STAYS, *OTHERS}


def test_an_organiser_hands_their_league_over_first(person):
    leave(person)
    League.objects.get().organisers.add(get_user_model().objects.get())
    assert "organise a league" in erasure.explain_not_erasable(person)
    with pytest.raises(erasure.ValidationError, match="Bean League"):
        erasure.erase_for_host(person, now=LATER)


def test_a_name_that_a_player_had_at_no_table_goes_too():
    match = gather(variant="basic")
    guest = match.places.get(seat=1)
    joining.accept_invitation(guest, name="Maidenmarker", word="", now=NOON)
    client = Client()
    session = client.session
    session[VISIT_KEY] = [guest.player_id, guest.player.sessions]
    session.save()
    client.post("/my/name/", {"name": "Nextmarker"})
    client.post("/my/name/", {"name": "Lastmarker"})
    league = put_in_league(match).league
    league.about = "Nextmarker, maidenmarker and LASTMARKER"
    league.save()
    erasure.erase_for_host(Player.objects.get(pk=guest.player_id), now=LATER)
    assert search() == {}
    assert not apps.get_model("players.FormerName").objects.exists()


def test_a_player_who_renames_themselves_for_ever_fills_no_table(monkeypatch):
    monkeypatch.setattr(accounts, "MAX_FORMER_NAMES", 3)
    player = welcome("Zoe")
    for n in range(6):
        accounts.change(player, name=f"Name {n}")
        accounts.change(player, name="Zoe")
    assert list(player.former_names.values_list("name", flat=True)) == ["Zoe", "Name 0", "Name 1"]


def test_a_first_name_that_somebody_else_has_too_stays(person):
    Player.objects.filter(address="cleo@example.org").update(name="Zébmarker Other")
    leave(person)
    erasure.erase(person, now=LATER)
    about = League.objects.get().about
    assert "Quill" not in about
    assert "zébmarker" in about
    assert "nickmarker" not in about


@pytest.mark.parametrize("others", [{"name": "Nickmarker Long", "nickname": "Zed"}, {"nickname": "Nickmarker L."}])
def test_a_short_name_that_somebody_else_has_too_stays(person, others):
    person.nickname = "Nickmarker Lee"
    person.save()
    Player.objects.filter(address="cleo@example.org").update(**others)
    League.objects.update(about="Nickmarker L. won, nickmarker lee did not")
    leave(person)
    erasure.erase(person, now=LATER)
    about = League.objects.get().about
    assert "Nickmarker L. won" in about
    assert "nickmarker lee" not in about


def test_a_name_that_somebody_else_has_too_stays(person):
    Player.objects.filter(address="cleo@example.org").update(name=NICKNAME)
    leave(person)
    erasure.erase(person, now=LATER)
    assert "nickmarker" in League.objects.get().about


# ── people who never answered ──


def test_nobody_who_never_answered_is_known_after_their_time(person):
    season = Season.objects.get()
    Season.objects.update(phase="entering")
    silent = entries.add_entry(season, "silentmarker@example.org", name="Silentmarker", now=LATER)
    declined = entries.add_entry(season, "declinedmarker@example.org", name="Declinedmarker", now=LATER)
    entries.invite_all(season, now=LATER)
    deliver(LATER)
    entries.decline(Entry.objects.get(pk=declined.pk), now=LATER)
    storage_limits.delete_old_data(LATER + timedelta(days=31))
    found = Player.objects.filter(pk__in=(silent.player_id, declined.player_id)).values_list("address", flat=True)
    assert all(address.endswith(accounts.ERASED) for address in found)
    assert Entry.objects.get(pk=silent.pk).state == "declined"


def test_the_hosts_and_organisers_accounts_outlive_letters_to_their_addresses_that_nobody_answered():
    host = get_user_model().objects.create_superuser("host", "Host@beans.example", "x")
    organiser = get_user_model().objects.create_user("organiser", is_staff=True)
    for address in ("host@beans.example", "organiser@beans.example"):  # anybody can type them
        player = accounts.get_or_create_player(address, now=NOON)
    organiser_accounts.link(organiser, player)
    storage_limits.delete_old_data(NOON + timedelta(days=400))
    for user in (host, organiser):
        user.refresh_from_db()
    assert [user.is_active for user in (host, organiser)] == [True, True]


def test_the_confirmed_address_of_a_league_stays_though_its_owner_never_plays():
    league = found_league("Answers")
    contacts.ask_for_confirmation(league, "answers@beans.example", now=NOON)
    player = Player.objects.get(address="answers@beans.example")
    Client().post(link("contacting", ContactTicket(player.pk, player.sessions, league.pk)), {"accept": "1"})
    storage_limits.delete_old_data(NOON + timedelta(days=400))
    league.refresh_from_db()
    assert league.contact == "answers@beans.example"
