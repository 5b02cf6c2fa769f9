"""Going back reveals nothing: moves that revealed nothing are undone freely, all others by agreement."""

import re

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from beanpost.play import load, moves
from beanpost.play.display import scene
from beanpost.play.display.orders import offers
from beanpost.play.display.story import find_undone_lines, tell_story
from beanpost.play.errors import Unplayed
from beanpost.play.log import audit, storage
from beanpost.play.log.export import export_match
from beanpost.play.models import Match, Order, Place, Proposal, Vault, Wait
from beanpost.play.seats import rewind, takeover, votes
from beanpost.play.turns import house_lines, standing_orders
from beanpost.players import accounts
from beanpost.post.compose.letter import compose
from beanpost.post.mime import split_parts
from beanpost.post.models import Letter
from games.verification.verify import verify
from tests.friends import NOON, seat_friends
from tests.pages.table import asked, move_link, press
from tests.play.test_moves import play_to_the_end
from tests.post.gallery import deliver

pytestmark = pytest.mark.django_db


def play_as_bot(match, wait):
    """Answer the question as the game's bot would."""
    table = storage.restore_table(Match.objects.get(pk=match.pk), Vault.objects.get(match=match))
    ask = table.ask(wait.seat)
    line = str(table.rules.bot(table.view(wait.seat), ask) or ask.default)
    made = moves.play(match.pk, wait.seat, line, origin="player", question=wait.opened, now=NOON)
    match.refresh_from_db()
    return made.events[0]


def first_wait(match):
    return match.waits.exclude(due_at=None).order_by("seat").first()


def agree_all(match, proposal):
    for place in match.places.all():
        votes.vote(place, proposal.pk, now=NOON)
    match.refresh_from_db()


@pytest.fixture
def match():
    return seat_friends(variant="basic")


def test_a_sealed_choice_is_undone_at_once():
    match = seat_friends("pas_de_haricots", "one")
    play_as_bot(match, first_wait(match))  # the holder of the bean plays openly
    sealed = play_as_bot(match, first_wait(match))
    before = Wait.objects.get(match=match).seat
    assert votes.rewind_for_organiser(match.pk, sealed.seq, now=NOON) is None
    match.refresh_from_db()
    assert match.events.last().line == f"rewind to {sealed.seq - 1}"
    assert set(match.waits.values_list("seat", flat=True)) == {sealed.seat, before}
    assert list(audit.find_differences(match)) == []


def test_a_move_that_showed_cards_is_undone_when_everyone_has_agreed(match):
    first = first_wait(match)
    event = play_as_bot(match, first)
    dealt = match.dealt
    proposal = votes.rewind_for_organiser(match.pk, event.seq, now=NOON)
    match.refresh_from_db()
    assert match.length == event.seq  # nothing has happened yet
    assert Letter.objects.filter(kind="decide").count() == 3
    agree_all(match, proposal)
    assert match.events.last().line == f"rewind to {event.seq - 1}"
    assert match.waits.get().seat == first.seat
    assert match.dealt == dealt
    assert list(audit.find_differences(match)) == []
    with pytest.raises(Unplayed):  # no older link answers the question now that it is asked again
        moves.play(match.pk, first.seat, event.line, origin="player", question=first.opened, now=NOON)


def test_a_match_can_be_finished_and_verified_after_going_back():
    match = seat_friends()
    events = [play_as_bot(match, first_wait(match)) for _ in range(3)]
    agree_all(match, votes.rewind_for_organiser(match.pk, events[0].seq, now=NOON))
    sealed = [entry for entry in export_match(match, None)["entries"] if entry.get("heard") == "…"]
    assert [entry["seq"] for entry in sealed] == [event.seq for event in events]
    play_to_the_end(match)
    match.refresh_from_db()
    assert "every move check out" in str(verify(export_match(match, None)))


def test_a_deal_that_is_undone_is_dealt_differently(match):
    event = play_as_bot(match, first_wait(match))
    old = [line for line in match.events.filter(seat=-1).values_list("line", flat=True) if "shuffle" in line][-1]
    rewind.rewind(match, 1, "organiser", NOON)
    match.refresh_from_db()
    fresh = match.events.filter(seat=-1).last()
    assert fresh.seq > event.seq
    assert fresh.line.startswith("shuffle")
    assert fresh.line != old
    assert list(audit.find_differences(match)) == []


def test_agreement_covers_the_listed_lines_and_ends_with_the_next_move(match):
    event = play_as_bot(match, first_wait(match))
    proposal = votes.rewind_for_organiser(match.pk, event.seq, now=NOON)
    ann, bob, _cleo = match.places.all()
    votes.vote(ann, proposal.pk, now=NOON)
    play_as_bot(match, first_wait(match))
    with pytest.raises(ValidationError, match="has moved on"):
        votes.vote(bob, proposal.pk, now=NOON)
    assert votes.find_undecided(match) == []


def test_players_asked_to_go_back_see_the_lines_as_a_bystander_would(client, match):
    event = play_as_bot(match, first_wait(match))
    votes.rewind_for_organiser(match.pk, event.seq, now=NOON)
    (line,) = find_undone_lines(match, event.seq - 1)
    letter = Letter.objects.filter(kind="decide").first()
    written = compose(letter, NOON)
    assert line.text in split_parts(written.source).text
    place = match.places.get(player=letter.recipient)
    shown = client.get(reverse("seat", args=[scene.build_scene(match, place.seat).seat_ticket])).content.decode()
    assert "Undo the last moves?" in shown
    assert "No one has agreed yet. Needed: 3." in shown


def test_an_order_does_not_repeat_an_undone_move(match):
    first = first_wait(match)
    event = play_as_bot(match, first)
    standing_orders.give_order(match.places.get(seat=first.seat), "pass until someone plays below 9", now=NOON)
    rewind.rewind(match, event.seq - 1, "organiser", NOON)
    assert match.waits.get().seat == first.seat
    order = Order.objects.get()
    assert order.lapsed_at
    assert "moves were undone" in offers.explain_lapse(order, scene.build_scene(match, first.seat))


def test_a_second_proposal_replaces_the_first_and_an_undone_line_is_refused(match):
    events = [play_as_bot(match, first_wait(match)) for _ in range(2)]
    for event in events:
        votes.rewind_for_organiser(match.pk, event.seq, now=NOON)
    assert [proposal.line for proposal in votes.find_undecided(match)] == [events[1].seq - 1]
    agree_all(match, Proposal.objects.last())
    with pytest.raises(ValidationError, match="already been undone"):
        votes.rewind_for_organiser(match.pk, events[1].seq, now=NOON)


@pytest.mark.parametrize("game", ["haricots", "fagioli", "haricot_magique", "bohnanza"])
def test_a_move_that_showed_a_card_is_never_undone_freely(game):
    match = seat_friends(game, {"haricots": "basic", "haricot_magique": "base"}.get(game, "standard"))
    for _ in range(6):
        play_as_bot(match, first_wait(match))
    standing = storage.replay_standing_moves(match, list(match.events.all()))
    shown = max(event.seq for event, step in standing if event.seat == -1 or type(step.before) is not type(step.after))
    assert not rewind.needs_no_vote(match, shown - 1)
    assert rewind.needs_no_vote(match, match.length)


def test_a_newcomer_in_a_seat_has_not_agreed_to_go_back(match):
    event = play_as_bot(match, first_wait(match))
    proposal = votes.rewind_for_organiser(match.pk, event.seq, now=NOON)
    for place in match.places.exclude(seat=event.seat):
        votes.vote(place, proposal.pk, now=NOON)
    absent = match.places.select_related("player").exclude(seat__in=[event.seat, match.waits.get().seat]).get()
    house_lines.substitute_bot(load.lock_match(match.pk), absent, "organiser", NOON)
    offered = votes.offer_seat(match.pk, absent.seat, "zoe@example.org", now=NOON)
    place = takeover.take_over(offered, offered.player, now=NOON)
    assert Letter.objects.filter(kind="decide", recipient=place.player, key=f"p/{proposal.pk}").exists()
    votes.vote(match.places.get(seat=event.seat), proposal.pk, now=NOON)
    assert not match.events.filter(line__startswith="rewind").exists()
    votes.vote(place, proposal.pk, now=NOON)
    assert match.events.filter(line=f"rewind to {event.seq - 1}").exists()


def test_going_back_is_announced_by_letter_or_with_the_next_turn(match):
    event = play_as_bot(match, first_wait(match))
    robbed = match.waits.get().seat  # this player's question is withdrawn
    proposal = votes.rewind_for_organiser(match.pk, event.seq, now=NOON)
    last = next(place for place in match.places.all() if place.seat not in (event.seat, robbed))
    for place in (*match.places.exclude(seat=last.seat), last):
        votes.vote(place, proposal.pk, now=NOON)
    deliver(NOON)
    letters = Letter.objects.filter(kind="decided", state=Letter.State.SENT).select_related("recipient", "body")
    assert [letter.recipient for letter in letters] == [match.places.get(seat=robbed).player]
    sentence = f"The organiser undid everything after line {event.seq - 1}"  # a headline
    assert sentence in letters[0].text.replace("\n", " ")
    turn = Letter.objects.filter(kind="turn", state=Letter.State.SENT, recipient__places__seat=event.seat).last()
    assert sentence in turn.text.replace("\n  ", " ")


def test_an_organisers_reason_for_going_back_reaches_every_player_in_one_letter_and_no_bystander():
    match = seat_friends("pas_de_haricots", "one")
    play_as_bot(match, first_wait(match))
    sealed = play_as_bot(match, first_wait(match))
    deliver(NOON)
    seen = set(Letter.objects.values_list("pk", flat=True))
    Place.objects.filter(match=match).update(hears_notes=False)  # mutes the notes of other players
    votes.rewind_for_organiser(match.pk, sealed.seq, reason="The cat sat on the keys.", now=NOON)
    deliver(NOON)
    letters = Letter.objects.filter(state=Letter.State.SENT).exclude(pk__in=seen).order_by("recipient__name")
    assert [letter.recipient.name for letter in letters] == ["Ann", "Bob", "Cleo"]
    assert {letter.kind for letter in letters} == {"turn", "decided"}
    for letter in letters:
        for body in (letter.text, letter.html):
            text = " ".join(body.split())
            assert "The organiser undid everything after line" in text
            assert "The cat sat on the keys." in text
            assert "Mute or report notes" not in text
    match.refresh_from_db()
    assert [line.note for line in tell_story(match, None) if line.note] == []


def test_the_reason_for_a_proposal_is_told_when_the_match_goes_back(match):
    event = play_as_bot(match, first_wait(match))
    agree_all(match, votes.rewind_for_organiser(match.pk, event.seq, reason="The cat sat on the keys.", now=NOON))
    deliver(NOON)
    for kind in ("turn", "decided"):
        letter = Letter.objects.filter(kind=kind, state=Letter.State.SENT).latest("pk")
        assert "The cat sat on the keys." in " ".join(letter.text.split())


def test_a_player_who_may_only_harvest_is_told_that_the_match_went_back():
    match = seat_friends("bohnanza", "standard")
    may_harvest = match.waits.filter(due_at=None, about__endswith="before the market").exclude(seat=2)
    while not may_harvest.exists():
        play_as_bot(match, first_wait(match))
    event = play_as_bot(match, first_wait(match))
    agree_all(match, votes.rewind_for_organiser(match.pk, event.seq, now=NOON))  # Cleo agrees last, on the page
    seats = Letter.objects.filter(kind="decided").values_list("recipient__places__seat", flat=True)
    assert may_harvest.exists()
    assert set(seats) >= set(may_harvest.values_list("seat", flat=True))


def test_a_link_from_before_says_that_the_match_went_back(client, match):
    pressed = scene.build_scene(match, first_wait(match).seat).question.options[0].ticket
    played = client.post(reverse("move", args=[pressed]))
    seen = played.request["PATH_INFO"]
    match.refresh_from_db()
    robbed = scene.build_scene(match, match.waits.get().seat).question.options[0].ticket
    agree_all(match, votes.rewind_for_organiser(match.pk, match.length, now=NOON))
    for address in (reverse("move", args=[pressed]), reverse("move", args=[robbed]), seen):
        page = client.get(address).text
        assert "<h1>Some moves were undone</h1>" in page
        assert "Too late" not in page
        assert "Already played" not in page
        assert "Your hand" not in page


# ── by a player, right after the move ──


def slip(browser):
    """A match in which a player has pressed a move; the page they see, and their seat."""
    match = seat_friends("haricots", "basic")
    place = asked(match).place
    played = browser.post(move_link(match, "play"))
    match.refresh_from_db()
    return match, place, played.headers["Location"]


def undo(browser, played):
    """The link that the page after a move leads to."""
    return re.search(r'action="(/undo/[^"]+)"', browser.get(played).content.decode())[1]


def test_the_link_to_undo_shows_what_would_be_undone_and_works_after_others_have_moved():
    browser = Client()
    match, place, played = slip(browser)
    asking = undo(browser, played)
    press(match)
    shown = browser.get(asking).content.decode()
    lines = [line.text for line in tell_story(match, None) if line.seat >= 0]
    assert re.findall("<li>(.*?)</li>", shown)[-2:] == lines[-2:]
    assert not Proposal.objects.exists()  # mail scanners open every link
    assert browser.post(asking).status_code == 303
    again = browser.post(asking)
    assert (again.status_code, "Your table is already deciding" in again.text) == (200, True)
    assert Proposal.objects.count() == 1
    assert votes.find_yes_voters(Proposal.objects.get()) == [place]
    agree_all(match, Proposal.objects.get())
    late = browser.post(asking)
    assert (late.status_code, "has already been undone" in late.text) == (200, True)


def test_a_player_asks_the_table_to_undo_a_slip_from_the_page_after_it():
    browser = Client()
    match, place, played = slip(browser)
    assert "Ask to undo this move" in browser.get(played).content.decode()
    length, hand = match.length, scene.build_scene(match, place.seat).view.hand
    shown = browser.get(browser.post(undo(browser, played)).headers["Location"]).content.decode()
    proposal = Proposal.objects.get()
    assert (proposal.about, proposal.origin, votes.find_yes_voters(proposal)) == ("rewind", "player", [place])
    assert "Undo the last moves?" in shown
    assert f"Agreed so far: {place}. Needed: 3." in shown
    others = match.places.exclude(pk=place.pk)
    letters = Letter.objects.filter(kind="decide", match=match)
    assert {letter.recipient for letter in letters} == {other.player for other in others}
    assert "Some moves would be undone" in split_parts(compose(letters.first(), NOON).source).text
    match.refresh_from_db()
    assert match.length == length  # nothing is undone before everyone agrees
    for other in others:
        votes.vote(other, proposal.pk, now=NOON)
    match.refresh_from_db()
    assert asked(match).place == place
    assert set(asked(match).view.hand) >= set(hand)
    assert tell_story(match, None)[-1].text == "Everyone agreed to undo everything after line 2."


def test_asking_twice_asks_the_table_once():
    browser = Client()
    _match, _place, played = slip(browser)
    asking = undo(browser, played)
    assert [browser.post(asking).status_code for _ in range(2)] == [303, 200]
    assert Proposal.objects.count() == 1
    assert Letter.objects.filter(kind="decide").count() == 2


def test_a_player_alone_with_bots_undoes_nothing():
    browser = Client()
    match, place, played = slip(browser)
    asking = undo(browser, played)
    match.places.exclude(pk=place.pk).update(stand_in=True, resigned_at=NOON)
    assert "Ask to undo this move" not in browser.get(played).content.decode()
    assert "No one else at this table can agree." in browser.post(asking).content.decode()
    assert not Proposal.objects.exists()


def test_no_page_offers_an_undo_that_nobody_else_can_be_asked_about():
    browser = Client()
    match, place, played = slip(browser)
    for other in match.places.exclude(pk=place.pk).select_related("player"):
        assert "Ask to undo this move" in browser.get(played).content.decode()
        accounts.refuse_letters(other.player, now=NOON)
    assert "Ask to undo this move" not in browser.get(played).content.decode()


def test_an_undo_is_void_once_somebody_plays_on():
    browser = Client()
    match, place, played = slip(browser)
    browser.post(undo(browser, played))
    press(match)
    for other in match.places.exclude(pk=place.pk):
        with pytest.raises(ValidationError, match="moved on"):
            votes.vote(other, Proposal.objects.get().pk, now=NOON)
