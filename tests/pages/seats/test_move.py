"""A link in a letter: GET shows the move, POST plays it, and an old link reveals nothing new."""

import random
import re
from datetime import timedelta
from threading import Barrier, Thread

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

import games
from beanpost.pages import sessions
from beanpost.play import load
from beanpost.play.models import Match, Note, Place, Vault
from beanpost.play.seats import own_seat
from beanpost.play.tickets import BrowserTicket, MoveTicket, sign
from beanpost.play.timekeeping import timeouts
from beanpost.play.turns import house_lines
from beanpost.players.models import Player
from beanpost.post.models import Letter
from games.engine.memory import remember
from tests.browser import Browser
from tests.friends import NOON, gather, seat_friends, welcome
from tests.games.haricots.twin import twin
from tests.opaque import masked
from tests.pages.table import asked, link, meanwhile, move_link, play_to_the_end, press, table_link

pytestmark = pytest.mark.django_db


def text(response) -> str:
    """Return the page without its CSRF token, which differs from visit to visit."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", response.content.decode())


def has_secrets(response) -> bool:
    return "Your hand" in text(response)


# ── one move ──


def test_a_link_shows_the_table_and_one_button(client):
    match = seat_friends()
    option = asked(match).question.options[0]
    page = client.get(link("move", option.ticket))
    assert page.status_code == 200
    assert text(page).count("<button") == 1
    assert f'<button class="big">{option.label}</button>' in text(page)
    assert has_secrets(page)
    assert match.events.count() == 2


def test_a_move_page_takes_few_queries(client, django_assert_num_queries):
    match = seat_friends()
    press(match, "play", note="Good morning, beans.")
    match_itself, rows = 1, 6  # places, players, vault, log, notes, waits
    for address in (move_link(match), table_link(match)):
        with django_assert_num_queries(match_itself + rows):
            assert client.get(address).status_code == 200


def test_a_press_plays_the_line_and_names_the_next_player(client):
    match = seat_friends()
    shown = asked(match)
    page = client.post(move_link(match, "play"))
    assert page.status_code == 200
    assert "<h1>You play" in text(page)
    following = asked(match)
    assert f"We’re now waiting for {following.place}." in text(page)
    last = match.events.last()
    assert last is not None
    assert (last.seat, last.origin) == (shown.reader, "player")


def test_a_link_plays_its_own_line_whatever_else_is_sent(client):
    match = seat_friends()
    option = asked(match).question.options[0]
    client.post(link("move", option.ticket), {"line": "fold"})
    assert match.events.get(seq=3).line == option.line


def test_pressing_twice_plays_once_and_says_so(client):
    match = seat_friends()
    address = move_link(match, "play")
    client.post(address)
    again = client.post(address)
    assert again.status_code == 200
    assert "<h1>Already played</h1>" in text(again)
    assert match.events.count() == 3


def test_the_page_shows_the_next_question_to_the_same_seat(client):
    match = seat_friends("haricots", "basic")
    while match.phase == "running":
        shown = asked(match)
        page = client.post(move_link(match))
        match.refresh_from_db()
        if match.waits.exists() and match.waits.get().seat == shown.reader:
            assert "It’s your turn again." in text(page)
            assert asked(match).question.ticket.split(":")[0] in text(page)  # the rest depends on the time
            return
    pytest.fail("nobody was asked twice in a row")


def test_the_last_move_shows_the_result(client):
    match = seat_friends()
    press(match, "fold")
    page = client.post(move_link(match, "fold"))
    assert " won." in text(page)
    assert '<th scope="row">' in text(page)
    assert "Play again with the same players" in text(page)


# ── after the move ──


def test_a_press_leads_to_a_page_that_can_be_reloaded(client, everything):
    match = seat_friends()
    answer = Client().post(move_link(match, "play"))
    assert (answer.status_code, answer.content) == (303, b"")
    before = everything()
    for _ in range(2):
        page = client.get(answer.headers["Location"])
        assert page.status_code == 200
        assert "<h1>You play" in text(page)
        assert has_secrets(page)
    assert everything() == before


def test_the_page_after_a_move_shows_no_secret_once_its_seat_is_asked_again(client):
    match = seat_friends("haricots", "advanced")
    seat, answer = asked(match).reader, Client().post(move_link(match, "play"))
    match.refresh_from_db()
    while asked(match).reader != seat:
        assert "<h1>You play" in text(client.get(answer.headers["Location"]))
        press(match, "pass")
    page = client.get(answer.headers["Location"])
    assert page.status_code == 200
    assert "<h1>Already played</h1>" in text(page)
    assert not has_secrets(page)
    assert 'action="letter/"' in text(page)


def test_the_page_after_a_move_shows_no_secret_once_its_seat_has_moved_again(client):
    match = seat_friends("haricots", "basic")
    seat, answer = asked(match).reader, Client().post(move_link(match, "play"))
    match.refresh_from_db()
    while asked(match).reader != seat:
        press(match, "pass")
    press(match, "pass")
    assert asked(match).reader != seat
    assert not has_secrets(client.get(answer.headers["Location"]))


def test_the_page_after_a_move_can_send_the_current_letter(client):
    match = seat_friends()
    answer = Client().post(move_link(match, "play"))
    Letter.objects.all().delete()
    assert "Your letter is on its way" in text(client.post(answer.headers["Location"] + "letter/"))
    assert Letter.objects.count() == 1


def test_the_page_after_a_move_shows_nothing_once_the_links_are_renewed(client):
    match = seat_friends()
    place, answer = asked(match).place, Client().post(move_link(match, "play"))
    assert place is not None
    own_seat.renew_links(place)
    assert client.get(answer.headers["Location"]).status_code == 410


def test_the_page_after_a_move_shows_the_result_at_the_end(client):
    match = seat_friends()
    answer = Client().post(move_link(match, "play"))
    match.refresh_from_db()
    play_to_the_end(match)
    assert "Play again with the same players" in text(client.get(answer.headers["Location"]))


# ── all moves ──


def test_the_table_page_has_every_move_as_a_button_and_the_log(client):
    match = seat_friends()
    press(match, "play")
    page = client.get(table_link(match))
    shown = asked(match)
    moves, _orders = text(page).split("Your standing orders")
    assert re.findall(r'name="line" value="([^"]+)"', moves) == [option.line for option in shown.question.options]
    assert shown.story.news[-1].text in text(page)
    assert "If you don’t answer, we pass for you and you draw a card" in text(page)


def test_a_button_on_the_table_page_plays_its_line(client):
    match = seat_friends()
    page = client.post(table_link(match), {"line": "pass"})
    assert page.status_code == 200
    assert match.events.get(seq=3).line == "pass"


def test_the_deadline_is_shown_in_the_players_time_zone(client):
    match = seat_friends()
    Player.objects.update(zone="America/New_York")
    assert "Tue 17 Nov, 07:00 your time" in text(client.get(table_link(match)))


def test_a_page_uses_the_players_language_and_not_the_browsers(client):
    match = seat_friends()
    Player.objects.update(language="fr")
    page = client.get(table_link(match), headers={"accept-language": "en"})
    assert '<html lang="fr">' in text(page)
    assert page.headers["Content-Language"] == "fr"


# ── illegal moves ──


@pytest.mark.parametrize("line", ["play 13 14", "juggle", "start A", "x" * 10_000, "play\0 1", "", "<b>pass</b>"])
def test_an_illegal_move_is_explained_and_changes_nothing(line, client, everything):
    match = seat_friends()
    before = everything()
    page = client.post(table_link(match), {"line": line})
    assert page.status_code == 422
    assert 'role="alert"' in text(page)
    assert "Nothing has changed." in text(page)
    assert "<b>" not in text(page)
    assert everything() == before


def test_the_reason_is_the_rules_own_sentence(client):
    match = seat_friends()
    with pytest.raises(games.RulesError) as refusal:
        load.load_match(match.pk).table.says(match.waits.get().seat, "play 13 14")
    assert str(refusal.value) in text(client.post(table_link(match), {"line": "play 13 14"}))


def test_lines_of_which_the_first_answers_the_question_are_refused_together(client):
    match = seat_friends()
    page = client.post(table_link(match), {"line": "fold\nfold"})
    assert page.status_code == 422
    assert "These lines can’t all be played one after the other." in text(page)
    assert match.events.count() == 2


# ── notes ──


def test_a_note_goes_with_a_move_and_is_shown_escaped_to_the_table_only(client):
    match = seat_friends()
    client.post(move_link(match, "play"), {"note": "  <i>Beans</i>\n for everybody.  "})
    assert Note.objects.get().text == "<i>Beans</i> for everybody."
    assert "&lt;i&gt;Beans&lt;/i&gt; for everybody." in text(client.get(table_link(match)))
    assert "for everybody." not in text(Client().get(f"/match/{match.code}/"))


def test_a_note_that_is_too_long_stays_in_its_field_and_nothing_is_played(client):
    match = seat_friends()
    page = client.post(move_link(match, "play"), {"note": "bean " * 50})
    assert page.status_code == 400
    assert "bean bean" in text(page)
    assert 'class="errorlist"' in text(page)
    assert match.events.count() == 2


def test_a_player_who_muted_notes_sees_none(client):
    match = seat_friends()
    press(match, "play", note="Beans for everybody.")
    place = asked(match).place
    assert place is not None
    own_seat.set_hears_notes(place, False)
    assert "for everybody" not in text(client.get(table_link(match)))


# ── old links ──


def stale_link(match: Match) -> str:
    address = move_link(match, "play")
    press(match, "play")
    return address


def test_an_answered_letter_shows_the_bystanders_table_and_a_link_to_a_fresh_one(client):
    match = seat_friends()
    name = asked(match).place
    page = client.get(stale_link(match))
    assert page.status_code == 200
    assert "Already played" in text(page)
    assert f"{name} played" in text(page)
    assert "Send my latest letter" in text(page)
    assert not has_secrets(page)
    drawn = re.compile('<div class="table">.*?</div>', re.DOTALL)
    assert drawn.search(text(page))[0] == drawn.search(text(client.get(reverse("match", args=[match.code]))))[0]


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("typed", [{}, {"note": "x" * 300}, {"line": "juggle"}])
def test_an_old_link_shows_no_secret_whatever_is_sent_with_it(method, typed, client):
    match = seat_friends("haricots", "advanced")
    old = stale_link(match)
    while asked(match).reader != match.events.get(seq=3).seat:  # until the same player is asked again
        press(match, "pass")
    page = getattr(client, method)(old, typed)
    assert "Already played" in text(page)
    assert not has_secrets(page)


def test_an_old_link_does_not_depend_on_hidden_cards(client):
    match = seat_friends("haricots", "advanced")
    old = stale_link(match)
    seen = masked(text(client.get(old)))
    vault = Vault.objects.get(match=match)
    table = games.recall(vault.memory)
    for seed in range(5):
        other = twin(table.state, None, random.Random(seed))
        assert other != table.state
        vault.memory = remember(type(table)(table.rules, table.seats, table.variant, other))
        vault.save()
        assert masked(text(client.get(old))) == seen
        assert text(client.get(reverse("verify", args=[match.code]))).count(match.head) == 1


def test_a_link_after_a_timeout_is_too_late(client):
    match = seat_friends()
    old = move_link(match, "play")
    timeouts.time_out_all(NOON + timedelta(days=1))
    for page in (client.get(old), client.post(old)):
        assert page.status_code == 409
        assert "Too late for this move" in text(page)
        assert "ran out of time" in text(page)
        assert not has_secrets(page)


def test_the_links_of_a_renewed_seat_open_nothing(client, everything):
    match = seat_friends()
    old, place = move_link(match), asked(match).place
    assert place is not None
    own_seat.renew_links(place)
    before = everything()
    for page in (client.get(old), client.post(old)):
        assert page.status_code == 410
        assert "This link no longer works" in text(page)
        assert not has_secrets(page)
    assert everything() == before


@pytest.mark.parametrize("nth", [0, 1, 8])
@pytest.mark.parametrize("has_moved", [False, True])
def test_a_page_loaded_while_the_links_are_renewed_has_no_valid_link(client, has_moved, nth, monkeypatch):
    match = seat_friends()
    place, address = asked(match).place, table_link(match)
    if has_moved:
        address = Client().post(move_link(match, "play")).headers["Location"]
    meanwhile(monkeypatch, nth, lambda: own_seat.renew_links(place))
    links = re.findall(r'"(/(?:move|orders|notes|seat|played)/[^"#?]+)', text(client.get(address)))
    assert [link for link in links if client.get(link).status_code != 410] == []


def test_an_old_link_shows_nothing_of_a_seat_that_is_given_away_meanwhile(monkeypatch):
    browser = Browser()
    match, old = answered_in_mid_turn(browser)
    seat = match.places.get(seat=asked(match).reader)
    reread = Match.refresh_from_db

    def give_away_and_reread(row):
        Place.objects.filter(pk=seat.pk).update(player=welcome("Zoe"), name="Zoe", occupant=seat.occupant + 1)
        reread(row)

    monkeypatch.setattr(Match, "refresh_from_db", give_away_and_reread)
    page = browser.get(old)
    assert page.status_code == 410
    assert not has_secrets(page)


def test_a_link_for_a_seat_that_is_not_asked_shows_no_secret(client):
    match = seat_friends()
    wait = match.waits.get()
    other = (wait.seat + 1) % 3
    page = client.get(link("move", MoveTicket(match.pk, other, 1, wait.opened)))
    assert page.status_code == 409
    assert not has_secrets(page)


def test_a_link_for_an_unknown_match_is_unreadable(client):
    assert client.get(link("move", MoveTicket(99, 0, 1, 2))).status_code == 404


def test_a_link_shows_the_result_after_the_end(client):
    match = seat_friends()
    old = move_link(match)
    play_to_the_end(match)
    assert client.get(old).status_code == 200
    page = client.post(old)
    assert page.status_code == 409
    assert "This match is over" in text(page)


def test_a_link_shows_no_moves_before_the_start(client):
    match = gather()
    page = client.post(link("move", MoveTicket(match.pk, 0, 1, 0, "pass")))
    assert page.status_code == 409
    assert "There’s nothing to play yet" in text(page)


# ── a letter that is opened again in the middle of a turn ──


def answered_in_mid_turn(browser) -> tuple[Match, str]:
    """A match whose asked player has pressed a link of their letter and is asked again, and the old link."""
    match = seat_friends("bohnanza", "standard")
    old, seat = move_link(match, "plant"), asked(match).reader
    browser.post(old)
    match.refresh_from_db()
    assert asked(match).reader == seat
    return match, old


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_letter_opened_again_in_mid_turn_shows_the_present_question_to_a_browser_that_may_see_the_seat(method):
    browser = Browser()
    match, old = answered_in_mid_turn(browser)
    page = getattr(browser, method)(old)
    assert page.status_code == 200
    assert has_secrets(page)
    assert asked(match).question.text in text(page)
    assert "You’ve already answered: You planted" in text(page)
    assert all(f'value="{option.line}"' in text(page) for option in asked(match).question.options)
    assert match.events.filter(origin="player").count() == 1


def test_the_page_of_an_earlier_move_shows_the_present_question_to_a_browser_that_may_see_the_seat():
    browser, match = Client(), seat_friends("haricots", "advanced")
    seat, played = asked(match).reader, browser.post(move_link(match, "play")).headers["Location"]
    match.refresh_from_db()
    while asked(match).reader != seat:
        press(match, "pass")
    assert asked(match).question.text in text(browser.get(played))
    assert not has_secrets(Browser().get(played))


def test_another_browser_reads_that_it_is_still_the_players_turn_and_sees_no_card(client):
    match, old = answered_in_mid_turn(Browser())
    page, name = client.get(old), asked(match).place.name
    assert "It’s still your turn: your latest letter has your cards and your moves." in text(page)
    assert f"waiting for {name}" not in text(page)
    assert "<button>Send my latest letter</button>" in text(page)
    assert not has_secrets(page)


def test_a_browser_that_holds_the_seat_of_another_player_sees_no_card_of_this_one():
    browser = Browser()
    match, old = answered_in_mid_turn(browser)
    other = Browser()
    other.post(reverse("sign-out"))
    stranger = match.places.exclude(seat=asked(match).reader).first()
    cookie = sessions.COOKIE_PREFIX + match.code
    other.cookies[cookie] = sign(BrowserTicket(match.pk, stranger.seat, stranger.occupant, stranger.player.sessions))
    assert not has_secrets(other.get(old))


def test_an_answered_letter_says_that_the_match_is_paused(client):
    match = seat_friends()
    old = stale_link(match)
    house_lines.pause(match, "organiser", NOON)
    assert "The match is paused and the clock is stopped." in text(client.get(old))


# ── the current letter ──


def test_an_old_link_can_send_the_current_letter_to_the_players_address_once_an_hour(client):
    match = seat_friends()
    Letter.objects.all().delete()
    old = move_link(match, "play")
    client.post(old)
    Letter.objects.all().delete()
    assert "Send your latest letter again" in text(client.get(old + "letter/"))
    for _ in range(3):
        page = client.post(old + "letter/")
        assert "Your letter is on its way" in text(page)
        assert "@" not in text(page)
    assert [letter.kind for letter in Letter.objects.all()] == ["started"]


# ── simultaneous clicks ──


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_simultaneous_clicks_give_one_move_and_one_already_played():
    match = seat_friends()
    addresses = [link("move", option.ticket) for option in asked(match).question.options[:2]]
    together, pages = Barrier(2), []

    def click(address: str) -> None:
        together.wait()
        pages.append(Browser().post(address))
        connection.close()

    clicks = [Thread(target=click, args=[address]) for address in addresses]
    for thread in clicks:
        thread.start()
    for thread in clicks:
        thread.join()
    assert [page.status_code for page in pages] == [200, 200]
    assert sorted("Already played" in text(page) for page in pages) == [False, True]
    assert match.events.count() == 3


def test_a_costly_move_asks_once_more_in_place(client):
    match = seat_friends("fagioli", "standard")
    for _ in range(30):
        shown = asked(match)
        page = text(client.get(table_link(match)))
        for option in shown.question.options:
            before = page.split(f'value="{option.line}"')[0]
            assert (before.rfind('<details class="sure') > before.rfind("</details>")) == bool(option.warning)
        if any(option.warning for option in shown.question.options):
            return
        press(match)
    pytest.fail("No move hurt.")


def test_moves_that_burst_lie_in_a_closed_fold_below_all_others(client):
    match = seat_friends("fagioli", "standard")
    page = text(client.get(table_link(match)))
    above, fold = page.split('<details class="fold soft"><summary>Moves that burst (−2 token)</summary>')
    bursting = [option for option in asked(match).question.options if option.ruin]
    assert bursting
    assert [option for option in bursting if f'value="{option.line}"' in above] == []
    assert [option for option in bursting if f'value="{option.line}"' not in fold] == []


@pytest.mark.parametrize(
    ("game", "line", "button", "warning"),
    [
        ("haricots", "fold", "Fold and pay 5", "You’re out of this round and pay 5 for the cards outside your run."),
        (
            "fagioli",
            "play 2 right",
            "Play 2 on the right pile: you burst, take the −2 token",
            "You burst: you take the −2 token, and the rest of your hand is set aside.",
        ),
    ],
)
def test_the_last_button_before_a_loss_keeps_its_colour_and_names_the_loss(client, game, line, button, warning):
    match = seat_friends(game, games.get(game).variants[0])
    page = text(client.get(move_link(match, line)))
    assert f'<button class="big grave">{button}</button>' in page
    assert f'<p class="warning">{warning}</p>' in page


def test_the_last_button_before_a_harmless_move_warns_of_nothing(client):
    page = text(client.get(move_link(seat_friends(), "pass")))
    assert '<button class="big">Pass and draw a card</button>' in page
    assert 'class="warning"' not in page
