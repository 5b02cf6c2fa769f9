"""Each kind of ticket after each ending: its page acts, or answers 410, as tools/tickets.py says."""

from contextlib import suppress

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from beanpost.leagues.mail.contacts import ContactTicket
from beanpost.leagues.mail.letters import EntryTicket, KeeperTicket
from beanpost.leagues.models import League, Season
from beanpost.leagues.people import entries
from beanpost.play import clock, moves
from beanpost.play.models import Match, Proposal
from beanpost.play.seats import joining, opening, own_seat, takeover, votes
from beanpost.play.tickets import (
    AddressTicket,
    BrowserTicket,
    EraseTicket,
    FeedTicket,
    FewerTicket,
    JoinTicket,
    LaterAddressTicket,
    LetterSettingsTicket,
    MoveTicket,
    NeverTicket,
    OpenTicket,
    OrderTicket,
    PlanTicket,
    PlayedTicket,
    PlayerTicket,
    SeatTicket,
    SettingsTicket,
    SignInTicket,
    SilenceTicket,
    StopAddressTicket,
    TakeoverTicket,
    UndoSilenceTicket,
    UndoTicket,
    VetoTicket,
    WayBackTicket,
    WhereaboutsTicket,
    sign,
)
from beanpost.play.timekeeping import absence
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post import address_moves
from beanpost.post.models import Letter
from beanpost.post.outbox.addresses import NoSuchAddress
from beanpost.privacy import erasure
from tests.friends import NOON, seat_friends, welcome
from tests.leagues.office import found_league
from tests.pages.gallery import plan
from tests.pages.table import asked, link, play_to_the_end, seat_link, table_link
from tests.post.answering import DOMAIN, mail, put_in
from tests.post.gallery import deliver
from tools import tickets as table
from tools.tickets import Ending

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_noon")]
NEW = "anne@beans.example"
ORDER = "pass until someone plays below 9"
DOORS = {
    AddressTicket: "address",
    ContactTicket: "contacting",
    EntryTicket: "entering",
    EraseTicket: "erase",
    FeedTicket: "feed",
    FewerTicket: "fewer",
    JoinTicket: "joining",
    KeeperTicket: "keeping",
    LaterAddressTicket: "address-later",
    LetterSettingsTicket: "wishes",
    MoveTicket: "move",
    NeverTicket: "never",
    OpenTicket: "opening",
    OrderTicket: "orders",
    PlanTicket: "plan",
    PlayedTicket: "played",
    PlayerTicket: "me",
    SeatTicket: "seat",
    SettingsTicket: "settings",
    SignInTicket: "enter",
    SilenceTicket: "silence",
    StopAddressTicket: "stop-address",
    TakeoverTicket: "takeover",
    UndoSilenceTicket: "undo-silence",
    UndoTicket: "undo",
    VetoTicket: "veto",
    WayBackTicket: "address-back",
    WhereaboutsTicket: "whereabouts-of",
}
PRESSED = {  # what the page's button sends, if more than its ticket
    EraseTicket: {"sure": "on"},
    LetterSettingsTicket: {"how_often": "daily", "digest_hour": "8", "language": "fr", "zone": "UTC"},
    MoveTicket: {"line": "pass"},
    OrderTicket: {"line": ORDER},
    SeatTicket: {"resign": "1"},
    SettingsTicket: {"name": "Zoe", "how_often": "every", "digest_hour": "8", "language": "en", "zone": "UTC"},
    WhereaboutsTicket: {"language": "fr", "zone": "UTC"},
}
SHOWING = (FeedTicket, PlayedTicket)  # these pages have no button of their own
NO_LONGER = {  # endings after which a ticket that is still good has nothing left to do, and why
    AddressTicket: ({Ending.REFUSED}, "a new address would undo the refusal"),
    EraseTicket: ({Ending.REFUSED}, "they still have a seat"),
    LaterAddressTicket: ({Ending.REFUSED}, "the old address would not read our notices"),
    MoveTicket: ({Ending.OVER}, "nothing is asked any more"),
    NeverTicket: ({Ending.REFUSED}, "it is done"),
    OrderTicket: ({Ending.OVER}, "nothing will be asked any more"),
    PlanTicket: ({Ending.OVER}, "nothing is asked any more"),
    PlayerTicket: ({Ending.REFUSED}, "no letter may go"),
    SeatTicket: ({Ending.OVER}, "there is nothing left to resign"),
    SilenceTicket: ({Ending.REFUSED}, "it is done"),
    StopAddressTicket: ({Ending.REFUSED}, "the refusal has stopped the change"),
    UndoTicket: (
        {Ending.REFUSED, Ending.OVER},
        "only players who can be asked may vote, and only while the match runs",
    ),
    VetoTicket: ({Ending.REPLACED, Ending.OVER}, "nobody asks for their seat any more"),
    WayBackTicket: ({Ending.MOVED}, "it undoes one change, not a later one"),
}


@pytest.fixture
def match():
    match = seat_friends()
    deliver()
    return match


@pytest.fixture
def place(match):
    return asked(match).place


@pytest.fixture
def player(place):
    return Player.objects.get(pk=place.player_id)


def issue(kind, match: Match, place, player: Player):
    """Return a ticket of this kind, as a letter or a page would hold it."""
    me, seat = (player.pk, player.sessions), (match.pk, place.seat, place.occupant)
    league, opened = found_league("Links"), match.waits.get(seat=place.seat).opened
    if kind is EntryTicket:
        season = Season.objects.create(league=league, name="Spring", phase="entering")
        return EntryTicket(*me, entries.add_entry(season, player.address, now=NOON).pk)
    if kind is StopAddressTicket:
        Player.objects.filter(pk=player.pk).update(unreached_at=NOON)
        change = address_moves.request_change(Player.objects.get(pk=player.pk), "late@beans.example", now=NOON)
        return StopAddressTicket(player.pk, change.pk)
    if kind is VetoTicket:
        offer = {"about": "give", "seat": place.seat, "player": welcome("Zoe"), "origin": "player"}
        times = {"opened_at": NOON, "passed_at": NOON, "free_at": NOON + votes.TIME_TO_VETO}
        return VetoTicket(*me, Proposal.objects.create(match=match, **offer, **times).pk)
    if kind is JoinTicket:
        return JoinTicket(*me, open_table().pk)
    if kind is TakeoverTicket:
        other = open_table(accounts.get_or_create_player("yan@example.org", now=NOON))
        absence.resign(other.places.get(seat=1), now=NOON)
        return TakeoverTicket(*me, votes.offer_seat(other.pk, 1, player.address, now=NOON).pk)
    if kind is LaterAddressTicket:
        accounts.mark_unreached(player, now=NOON)
    if kind is UndoTicket:
        made = moves.play_ticket(MoveTicket(*seat, opened), "pass", now=NOON)
        match.refresh_from_db()
        return UndoTicket(*seat, made.events[0].seq)
    if kind is UndoSilenceTicket:
        accounts.refuse_letters(player, now=NOON)
    League.objects.update(asked_contact=player.address, asked_keeper=player)
    others = {
        AddressTicket: lambda: AddressTicket(*me, player.address, "later@beans.example"),
        BrowserTicket: lambda: BrowserTicket(*seat, player.sessions),
        ContactTicket: lambda: ContactTicket(*me, league.pk),
        FeedTicket: lambda: FeedTicket(player.pk, player.feed),
        FewerTicket: lambda: FewerTicket(*me, "weekly"),
        KeeperTicket: lambda: KeeperTicket(*me, league.pk),
        LaterAddressTicket: lambda: LaterAddressTicket(*me, player.address, "later@beans.example"),
        MoveTicket: lambda: MoveTicket(*seat, opened),
        OpenTicket: lambda: plan(player),
        OrderTicket: lambda: OrderTicket(*seat, asked(match).last_own_line),
        PlanTicket: lambda: PlanTicket(*seat, opened, asked(match).question.options[0].line, ORDER),
        PlayedTicket: lambda: PlayedTicket(*seat, match.length, match.length),
        PlayerTicket: lambda: PlayerTicket(player.pk),
        SeatTicket: lambda: SeatTicket(*seat),
        SignInTicket: lambda: SignInTicket(player.pk, player.visits),
        WayBackTicket: lambda: WayBackTicket(player.pk, player.address, "before@beans.example"),
    }
    return others.get(kind, lambda: kind(*me))()


def open_table(guest: Player | None = None) -> Match:
    """Return another match, for two: with this guest it has begun, otherwise anybody may join."""
    zoe = welcome("Zoe")
    wishes = {"game": "bohnanza", "variant": "standard", "seats": 2, "pace": "daily", "bots": 0}
    planned = opening.plan(zoe, **wishes, open_to_all=True, addresses=[guest.address] if guest else [])
    match = opening.open_match(planned, zoe, now=NOON)
    return joining.accept_invitation(match.places.get(seat=1), name="Yan", word="", now=NOON) if guest else match


def renew(match, place, player):
    own_seat.renew_links(place)


def cancel(match, place, player):
    Client().post(link("renew-all", LetterSettingsTicket(player.pk, player.sessions)))


def move_away(match, place, player):
    accounts.write_again(player.address)  # otherwise only the way back is open
    Client().post(link("address", AddressTicket(player.pk, player.sessions, player.address, NEW)))


def replace(match, place, player):
    absence.resign(place, now=NOON)
    offered = votes.offer_seat(match.pk, place.seat, "zoe@example.org", now=NOON)
    takeover.take_over(offered, offered.player, now=NOON)


def erase(match, place, player):
    erasure.erase_for_host(player, now=NOON)


def refuse(match, place, player):
    accounts.refuse_letters(player, now=NOON)


def end(match, place, player):
    play_to_the_end(match)


ENDINGS = {
    Ending.RENEWED: renew,
    Ending.CANCELLED: cancel,
    Ending.MOVED: move_away,
    Ending.REPLACED: replace,
    Ending.ERASED: erase,
    Ending.REFUSED: refuse,
    Ending.OVER: end,
}


def test_the_printed_table_is_complete():
    assert all(f"| {kind.purpose} |" in table.render() for kind in table.find_kinds())
    assert set(table.find_kinds()) == {*DOORS, BrowserTicket}
    assert {kind.purpose for kind in table.find_kinds()} == table.TABLE.keys()


@pytest.mark.parametrize("kind", DOORS, ids=lambda kind: kind.__name__)
def test_each_kind_of_ticket_acts_or_answers_410_after_each_ending(kind, match, everything):
    for ending in ENDINGS:
        with transaction.atomic():
            match.refresh_from_db()
            place = asked(match).place
            try_after_ending(kind, ending, match, place, Player.objects.get(pk=place.player_id), everything)
            transaction.set_rollback(True)


def try_after_ending(kind, ending, match, place, player, everything):
    ticket = issue(kind, match, place, player)
    ENDINGS[ending](match, place, player)
    before, door = everything(), link(DOORS[kind], ticket)
    if ending in table.TABLE[kind.purpose][2]:
        assert Client().get(door).status_code == 410, ending
        assert Client().post(door, PRESSED.get(kind, {})).status_code in {405, 410}, ending
        assert everything() == before, ending
    else:
        no_longer = NO_LONGER.get(kind, (frozenset(), ""))[0]
        assert Client().get(door).status_code in ({200, 409} if ending in no_longer else {200}), ending
        assert everything() == before, ending
        assert Client().post(door, PRESSED.get(kind, {})).status_code != 410, ending
        assert (everything() == before) == (kind in SHOWING or ending in no_longer), ending


@pytest.mark.parametrize("ending", ENDINGS, ids=lambda ending: ending.name.lower())
def test_a_browsers_seat_ends_with_the_links_of_the_seat(ending, match, place, player):
    browser = Client()
    browser.cookies[f"seat_{match.code}"] = sign(issue(BrowserTicket, match, place, player))
    ENDINGS[ending](match, place, player)
    page = browser.get(reverse("note", args=[match.code]))  # a bystander is sent away
    assert (page.status_code == 302) == (ending in table.TABLE[BrowserTicket.purpose][2])


@pytest.mark.parametrize("ending", [renew, cancel, move_away, replace, erase])
def test_a_reply_to_a_letter_whose_links_have_ended_plays_nothing(ending, match, place, player, settings):
    settings.INBOUND_DOMAIN = DOMAIN
    letter = match.letters.filter(recipient=player, kind="turn").latest("pk")
    ending(match, place, player)
    lines = match.events.filter(origin="player").count()
    with suppress(NoSuchAddress):  # an erased player's letter takes no reply at all
        put_in(letter, mail(letter, "m1"))
    assert match.events.filter(origin="player").count() == lines


# ── what a thief tried ──


def new_letter(player: Player) -> Letter | None:
    return Letter.objects.filter(recipient=player, kind="lost", key__startswith="renewed/").first()


def test_the_link_that_stops_a_change_says_nothing_false_once_another_change_came_first(match, place, player):
    door = link("stop-address", issue(StopAddressTicket, match, place, player))
    address_moves.apply_confirmed_change(Player.objects.get(pk=player.pk), player.address, NEW, now=NOON)
    sessions = Player.objects.get(pk=player.pk).sessions
    assert "This link is no longer valid" in Client().post(door).content.decode()
    assert Player.objects.get(pk=player.pk).sessions == sessions  # the old address ends nothing at the new one


def test_a_player_who_wants_no_letters_is_not_told_that_their_details_come_by_letter(player):
    accounts.refuse_letters(player, now=NOON)
    page = Client().post(link("me", PlayerTicket(player.pk))).content.decode()
    assert "Check your email" not in page
    assert "We won’t write to you again" in page


def test_a_changed_address_renews_every_link_and_the_new_address_gets_new_ones(match, place, player):
    old = table_link(match), seat_link("seat", place)
    move_away(match, place, player)
    assert [Client().post(door, {"resign": "1"}).status_code for door in old] == [410, 410]
    assert new_letter(player).target_address == NEW
    deliver(clock.now())
    fresh = new_letter(player).text
    assert "/move/" in fresh
    assert old[0] not in fresh


def test_a_change_that_waited_renews_every_link_too(match, place, player):
    Player.objects.filter(pk=player.pk).update(unreached_at=NOON)
    old = table_link(match)
    change = address_moves.request_change(Player.objects.get(pk=player.pk), NEW, now=NOON)
    assert address_moves.apply_due_changes(change.effective_at) == 1
    assert Client().get(old).status_code == 410
    assert new_letter(player).target_address == NEW


def test_cancelling_every_link_ends_plans_joins_takeovers_entries_and_rematches(match, place, player):
    kinds = (OpenTicket, JoinTicket, TakeoverTicket)
    doors = [link(DOORS[kind], issue(kind, match, place, player)) for kind in kinds[:1]]
    play_to_the_end(match)
    doors += [seat_link("again", place), link("joining", JoinTicket(player.pk, player.sessions, match.pk))]
    cancel(match, place, player)
    for door in doors:
        assert Client().post(door, {"name": "Ann", "word": "bean"}).status_code == 410
    assert Match.objects.count() == 1


def test_the_sign_in_letters_forwarded_by_mistake_ends_copies_that_a_thief_took_from_my_games(match, place, player):
    Client().post("/sign-in/", {"address": player.address})
    deliver(clock.now())
    text = Letter.objects.get(kind="sign_in").text
    thief = Client()
    thief.post(link("enter", SignInTicket(player.pk, player.visits)))
    assert thief.get("/my/").status_code == 200
    copies = table_link(match), seat_link("seat", place), seat_link("again", place)
    forwarded = next(line for line in text.splitlines() if "/renew-all/" in line)
    Client().post(forwarded.partition("/renew-all/")[2].join(["/renew-all/", ""]))
    assert [thief.get(door).status_code for door in copies] == [410, 410, 410]
    assert thief.get("/my/").status_code == 302


@pytest.mark.parametrize("kind", ["sign_in", "erase"])
def test_a_player_who_refused_letters_gets_the_two_that_they_ask_for_three_times_a_day(kind, match, player):
    play_to_the_end(match)
    accounts.refuse_letters(player, now=NOON)
    client = Client()
    client.post(link("enter", SignInTicket(player.pk, player.visits)))
    for _ in range(5):
        client.post("/sign-in/", {"address": player.address})
        client.post("/my/erase/")
    deliver(clock.now())
    sent = Letter.objects.filter(recipient=player, kind=kind, created_at__gt=NOON)
    assert {letter.state for letter in sent} <= {Letter.State.SENT, Letter.State.DROPPED}
    assert sent.count() == 3
    assert sent.filter(state=Letter.State.SENT).exists()
    client.post("/lost/", {"address": player.address})
    assert not Letter.objects.filter(recipient=player, kind="lost").exists()
