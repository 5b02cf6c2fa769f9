"""The contents of letters: text and HTML of equal quality, in the reader's language and time zone, without others'
cards."""

import re
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy
from html import unescape
from types import SimpleNamespace
from unittest import mock

import pytest
from django.db import transaction

import games
from beanpost.play import load, moves
from beanpost.play.display import scene
from beanpost.play.display.question import Group, Option
from beanpost.play.log.storage import NewLine
from beanpost.play.models import Match, Place
from beanpost.play.tickets import MoveTicket, make_fingerprint, redeem
from beanpost.play.timekeeping import timeouts
from beanpost.players.models import Player
from beanpost.post import kinds
from beanpost.post.compose import letter as compose
from beanpost.post.compose import menus
from beanpost.post.compose.template_functions import arrange_in_blocks
from beanpost.post.mime import split_parts
from beanpost.post.models import Body, Letter
from games.contract.seats import DEALER
from games.haricots.rules import DECK
from tests.friends import NOON, gather, seat_friends
from tests.pages.table import meanwhile
from tests.post.gallery import deliver, move, printed_moves, weigh, write_every_kind

pytestmark = pytest.mark.django_db  # even tests that only read the first fixture's letters: it needs the tables

LINK = re.compile(r"https?://\S+")
# The kinds of this package; the packages above test their own.
KINDS = [name for name, kind in kinds.load().items() if kind.contents.__module__.startswith("beanpost.post.")]


@pytest.fixture(scope="module")
def every_kind(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), transaction.atomic():
        written = write_every_kind()
        transaction.set_rollback(True)
    return written


@pytest.fixture
def turn(match):
    """The letter of the first turn."""
    deliver()
    return Letter.objects.get(kind="turn")


def rewritten(letter: Letter) -> Letter:
    """Return the letter as it would be written now."""
    letter.refresh_from_db()
    written = compose.compose(letter, NOON)
    assert written
    letter.body = Body.from_source(letter, written.source)
    return letter


# ── every kind ──


def test_every_kind_of_letter_is_written(every_kind):
    assert set(every_kind) == set(KINDS)


def test_all_letters_of_a_running_match_have_the_same_subject(every_kind):
    """Mail programs group emails by subject."""
    before = ("invitation", "join", "declined")
    of_match = [letter for kind, letter in every_kind.items() if letter.match_id and kind not in before]
    assert len(of_match) > 10
    called = {
        letter.subject
        for letter in of_match
        if not re.fullmatch(r"(Haricots|Fagioli) with [\w, ]+ · 16 November · no\. \d+", letter.subject)
    }
    assert called == set()


@pytest.mark.parametrize("kind", KINDS)
def test_the_text_has_short_lines_and_every_link_is_on_its_own_line(every_kind, kind):
    lines = every_kind[kind].text.splitlines()
    assert lines
    assert [line for line in lines if len(line) > 76 and not LINK.fullmatch(line)] == []
    assert [line for line in lines if LINK.search(line) and not LINK.fullmatch(line)] == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_html_is_small_and_loads_nothing(every_kind, kind):
    html = every_kind[kind].html
    assert 1_000 < len(html.encode()) < 100_000
    assert not re.search(r'<script|<svg|<link|src="(?!cid:)|url\(|@import', html)
    assert weigh(every_kind[kind]) < 100_000


@pytest.mark.parametrize("kind", KINDS)
def test_every_letter_is_composed_as_7_bit(kind, every_kind):
    assert not every_kind[kind].parts.text.isascii()
    assert every_kind[kind].source.isascii()
    assert max(map(len, every_kind[kind].source.split(b"\n"))) <= 998  # RFC 5322


@pytest.mark.parametrize("kind", KINDS)
def test_the_html_declares_its_language_and_supports_light_and_dark_mode(every_kind, kind):
    html = every_kind[kind].html
    assert '<html lang="en">' in html
    assert '<meta name="color-scheme" content="light dark">' in html
    assert "@media (prefers-color-scheme: dark)" in html
    assert html.count("<h1") == 1
    layout = re.findall(r"<table[^>]*>", html)
    assert all('role="presentation"' in table or 'class="seats"' in table for table in layout)
    assert re.search(r'<body\sstyle="[^"]*background-color: ?#fbf7ef', html)  # the stylesheet is inlined there


@pytest.mark.parametrize("kind", KINDS)
def test_no_placeholder_and_no_exclamation_mark_is_left(every_kind, kind):
    letter = every_kind[kind]
    for part in (letter.subject, letter.text, re.sub(r"<style.*?</style>", "", letter.html, flags=re.DOTALL)):
        assert not re.search(r"{{|{%|%\(|\bNone\b|!(?!DOCTYPE)", part)
    assert letter.subject == letter.subject.strip()


@pytest.mark.parametrize("kind", ["called_off", "expired", "takeover", "replaced", "turn", "invitation"])
def test_letters_about_a_match_join_a_thread_even_without_the_match(every_kind, kind):
    head = message_from_bytes(bytes(every_kind[kind].source), policy=policy.default)
    assert re.fullmatch(r"<[0-9a-f]{32}@[\w.]+>", head["References"])
    assert head["In-Reply-To"] == head["References"]


# ── a turn ──


def test_a_turn_letter_contains_everything_needed_to_move(turn, match):
    wait = match.waits.get()
    hand = scene.build_scene(match, wait.seat).view.hand
    assert "Your turn, Bob" in turn.text
    assert " ".join(f"[{shown(card)}]" for card in hand) in turn.text
    read = " ".join(turn.text.split())
    assert "You have until Tue 17 Nov, 12:00 (UTC) (one day)." in read
    assert "If you don’t answer, we pass for you and you draw a card." in read
    assert f"line {match.length} · {match.head}" in turn.text
    assert match.head[:16] not in turn.html


def test_a_turn_letter_puts_the_question_before_the_table_and_the_news(turn, match):
    shown = scene.build_scene(match, match.waits.get().seat)
    order = [
        "Haricots",
        "Your turn, Bob",
        shown.question.text,
        "Your hand",
        "Pass and draw a card",
        "You have until",
        "Cleo",
        "story so",
    ]
    for part in (turn.text, re.sub(r"<head.*?</head>|<div class=\"preheader.*?</div>", "", turn.html, flags=re.S)):
        read = " ".join(re.sub(r"<[^>]+>", " ", part).split()).casefold()
        at = [read.index(words.casefold()) for words in order]
        assert at == sorted(at)


def test_the_clock_names_the_reserve_and_the_grace_periods(turn, match):
    match.places.update(bank=timedelta(days=2), excuses=2)
    Match.objects.filter(pk=match.pk).update(pace="1d bank 2d gain 6h")
    Player.objects.filter(name="Bob").update(zone="Europe/Paris")
    read = " ".join(rewritten(Letter.objects.get(pk=turn.pk)).text.split())
    assert "13:00 your time (one day, plus 2 days in reserve). If you don’t answer, we pass for you" in read
    assert "You have two grace periods left in this match." in read


def test_the_preview_line_is_the_question_and_is_hidden_without_a_colour(turn, match):
    shown = scene.build_scene(match, match.waits.get().seat)
    hidden = re.search(r'<div class="preheader"\sstyle="([^"]*)">([^<]*)', turn.html)
    assert hidden
    assert unescape(hidden[2]).startswith(f"Your turn: {shown.question.text}")
    assert "display: none" in hidden[1]
    assert "color" not in hidden[1]  # text in the colour of the paper counts as spam


def test_the_preview_line_of_a_letter_without_questions_counts_no_tables(every_kind):
    lost = every_kind["lost"].html
    assert "0 tables" not in lost
    assert lost.count("No tables are waiting for you.") == 2  # in the preview line and in the letter


def test_a_letter_tells_at_most_six_lines_of_news_and_links_to_the_rest(match):
    for _ in range(9):
        move(match, "pass" if match.length > 4 else "play")
    deliver()
    letter = Letter.objects.filter(kind="turn").order_by("pk").last()
    assert letter.text.count("\n- ") <= 6
    assert "The whole story and the table:" in letter.text


def shown(card):
    return {1: "1/17", 2: "2/16"}.get(card, card)


def test_every_legal_move_is_a_link_that_plays_exactly_that(turn, match):
    legal = [option.line for option in scene.build_scene(match, 1).question.options]
    for part in (turn.text, turn.html):
        tickets = [redeem(MoveTicket, text) for text in re.findall(r"/move/([^/]+)/", part)]
        assert [ticket.line for ticket in tickets] == [*legal, "", ""]  # the page is also linked below the news
        assert {(ticket.match, ticket.seat, ticket.question) for ticket in tickets} == {(match.pk, 1, 2)}


def test_the_moves_are_stored_as_they_were_printed(turn):
    printed = re.findall(r"^(m\d+)\. (.+)$", turn.text, re.MULTILINE)
    moves = [(option["mark"], option["label"]) for option in printed_moves(turn)]
    assert moves == printed[: len(moves)]
    assert [mark for mark, _ in printed] == [option["mark"] for option in turn.options]
    assert turn.options[0]["line"].startswith("play ")


def test_a_letter_prints_twenty_of_very_many_moves_and_links_to_the_rest():
    match = seat_friends("fagioli", "standard")
    while len(scene.build_scene(match, match.waits.get().seat).question.options) <= menus.MAX_PRINTED:
        move(match)
    deliver()
    letter = Letter.objects.filter(kind="turn").order_by("pk").last()
    assert letter
    assert len(printed_moves(letter)) == 20
    assert re.search(r"See all 2\d moves on the page:", letter.text)
    assert re.findall(r"^(m\d+)\. ", letter.text, re.MULTILINE) == [o["mark"] for o in letter.options]


def option(number: int, line: str) -> Option:
    return Option(number, line, line, f"ticket {number}")


def choose(options: list[Option], *sensible: str) -> list[str]:
    """Return the lines that a letter prints of these options, if the bot and the default would play the others."""
    with mock.patch.object(menus, "find_sensible_lines", return_value=sensible):
        printed = menus.choose_printed(SimpleNamespace(question=SimpleNamespace(options=options)), planned=[])
    assert [one.number for one in printed] == list(range(1, len(printed) + 1))
    return [one.line for one in printed]


def test_moves_that_end_the_question_and_sensible_ones_are_always_printed():
    many = [option(n, f"play {n}") for n in range(1, 23)]
    assert choose([*many[:3], option(4, "pass")]) == ["play 1", "play 2", "play 3", "pass"]
    printed = choose([*many, option(23, "pass"), option(24, "fold")], "play 21")
    assert printed == [f"play {n}" for n in range(1, 18)] + ["play 21", "pass", "fold"]


def test_ruinous_moves_are_the_first_to_be_cut_and_costly_ones_the_next():
    costly = [replace(option(n, f"play {n}"), warning="It costs you 1.") for n in (1, 2)]
    ruinous = [replace(option(n, f"play {n}"), warning="You burst.", ruin="Moves that burst") for n in (21, 22)]
    safe = [option(n, f"play {n}") for n in range(3, 21)]
    assert choose([*costly, *safe, *ruinous]) == [f"play {n}" for n in range(1, 21)]
    assert choose([*costly, *safe, option(23, "play 23")]) == [
        "play 1",
        *(f"play {n}" for n in range(3, 21)),
        "play 23",
    ]


def test_a_single_move_has_no_heading():
    one, *two = [replace(option(n, f"plant {n}"), heading=f"Field {n // 2}", brief=f"{n}") for n in (1, 2, 3)]
    groups = [Group("", [option(4, "pass")]), Group("Field 0", [one]), Group("Field 1", two)]
    assert [(block.heading, len(block.rows)) for block in arrange_in_blocks(groups)] == [
        ("", 1),
        ("", 1),
        ("Field 1", 1),
    ]


def arrange(groups: list[Group]) -> list[list[int]]:
    """Return the numbers of the moves row by row, 0 for an empty place."""
    return [[one.number if one else 0 for one in row] for block in arrange_in_blocks(groups) for row in block.rows]


def test_short_moves_are_side_by_side_and_long_ones_below_each_other():
    short, long = [option(n, f"play {n}") for n in (1, 2, 3)], [option(4, "fold and pay a lot of beans")]
    assert arrange([Group("", short), Group("", long)]) == [[1, 2, 3], [4]]
    assert arrange([Group("", [option(n, "jouer 2 : plante 9") for n in (1, 2)])]) == [[1, 2]]
    assert arrange([Group("", [option(9, "play 77 77"), option(10, "play 77 77"), option(11, "play 77 77 77")])]) == [
        [9, 10],
        [11],
    ]


def test_a_long_label_under_a_heading_leaves_the_short_ones_side_by_side():
    briefs = ["1♥", "5♥", "7♥", "10♥", "0♥: cancels suit"]
    hearts = [replace(option(n, f"lead {n}"), heading="Hearts", brief=brief) for n, brief in enumerate(briefs, 1)]
    assert arrange([Group("Hearts", hearts)]) == [[1, 2, 3], [4, 5]]


def test_short_moves_of_different_lengths_share_rows_of_two():
    hand = ["play 1", "play 3", "play 4", "play 4 4", "play 5", "play 6", "play 6 6", "play 7", "pass and draw a card"]
    options = [option(n, line) for n, line in enumerate(hand, 1)]
    assert arrange([Group("", options)]) == [[1, 2], [3, 4], [5, 6], [7, 8], [9]]


def test_times_are_in_the_readers_time_zone(turn):
    Player.objects.filter(name="Bob").update(zone="America/New_York")
    letter = rewritten(Letter.objects.get(pk=turn.pk))
    assert "Tue 17 Nov, 07:00 your time" in letter.text
    assert "Tue 17 Nov, 07:00 your time" in letter.html


def test_texts_are_in_the_readers_language(turn):
    Player.objects.filter(name="Bob").update(language="fr", zone="Europe/Paris")
    letter = rewritten(Letter.objects.get(pk=turn.pk))
    assert '<html lang="fr">' in letter.html
    for part in (letter.text, letter.html):
        assert "mardi 17 novembre" in part
        assert "13\N{NO-BREAK SPACE}h\N{NO-BREAK SPACE}00" in unescape(part)


def test_a_letter_is_written_from_one_consistent_loading_of_the_match(match, monkeypatch):
    """Bob times out while Ann's letter is written: it is written again, from the match as it then is."""
    deliver()
    letter = Letter.objects.get(kind="started", recipient__name="Ann")
    meanwhile(monkeypatch, 0, lambda: timeouts.time_out_all(NOON + timedelta(days=1)))
    written = compose.compose(letter, NOON)
    match.refresh_from_db()
    assert written
    text = split_parts(written.source).text
    assert "Bob ran out of time, so we played." in text
    assert f"line {match.length} · {match.head}" in text


# ── what people type ──

NASTY = ['<b>Bob</b> & "Co" {{ x }}', "</title><script>alert(1)</script>"]


@pytest.mark.parametrize("typed", NASTY)
def test_names_words_and_notes_are_shown_as_typed_and_never_executed(match, typed):
    match.places.update(word=typed)
    Place.objects.filter(match=match, seat=1).update(name=typed)
    move(match, note=typed)
    deliver()
    letter = Letter.objects.get(kind="turn", recipient__name="Cleo")
    assert letter.text.count(typed) >= 3
    assert "<script" not in letter.html
    assert "<b>" not in letter.html
    assert not re.search(r"<title>[^<]*<(?!/title>)", letter.html)


def test_the_longest_names_words_and_notes_keep_the_lines_short(match):
    longest = "Bartholomew Featherstonehaugh of Beanhill"[:40]
    match.places.update(name=longest, word="w" * 40, word_of_house=True)
    move(match, note=("beans " * 40)[:200])
    deliver()
    for letter in Letter.objects.filter(state=Letter.State.SENT):
        lines = letter.text.splitlines()
        assert lines
        assert [line for line in lines if len(line) > 76 and not LINK.fullmatch(line)] == []
        assert len(letter.html.encode()) < 100_000


def test_a_name_cannot_add_a_header(match):
    Place.objects.filter(match=match, seat=0).update(name="Ann\r\nBcc: everybody@example.org")
    deliver()
    arrived = message_from_bytes(bytes(Letter.objects.get(kind="turn").source), policy=policy.default)
    assert "Bcc: everybody" in arrived["Subject"]  # where it does nothing
    assert arrived["Bcc"] is None


# ── whose cards ──


def deal(seats: list[list[int]], decks: list[list[int]]) -> Match:
    """A match of three with a given deal; Ann starts."""
    match = gather()
    match.places.update(confirmed_at=NOON, word="bean")
    Match.objects.filter(pk=match.pk).update(phase=Match.Phase.RUNNING, started_at=NOON)
    match.refresh_from_db()
    dealt = [card for cards in (*seats, *decks) for card in cards]
    rest = list(DECK)
    for card in dealt:
        rest.remove(card)
    lines = ["start A", "shuffle " + " ".join(map(str, dealt + rest))]
    table = games.open("haricots", seats=3, variant="sprint")
    for line in lines:
        table = table.says(DEALER, line)
    new_lines = [NewLine(DEALER, line, "dealer") for line in lines]
    moves.follow_up(load.load_locked(match), table, new_lines, now=NOON)
    match.refresh_from_db()
    return match


ANN = [4, 4, 5, 5, 6, 6, 7, 7, 8, 8]
SOME = [6, 7, 7, 8, 8, 9, 9, 10, 10, 11]
OTHER = [1, 2, 2, 3, 4, 5, 11, 12, 12, 15]
DEAL = ([ANN, SOME, OTHER], [[9, 9, 9, 10], [5, 6, 7, 8], [10, 10, 11, 11]])
ANOTHER = ([ANN, OTHER, SOME], [[9, 10, 9, 9], [11, 11, 10, 10], [8, 7, 6, 5]])  # Ann draws the same first card

OPAQUE = [
    (r"/[A-Za-z0-9_-]+:[A-Za-z0-9_-]+:[A-Za-z0-9_-]+/", "/ticket/"),
    (r"\b[0-9a-f]{64}\b", "digest or commitment"),
    (r"/match/[\w-]{12}/", "/match/code/"),
    (r"· no\. \d+", "· no. 1"),
]


def seen_by_ann(seats, decks) -> list[tuple[str, str, str]]:
    """Return everything Ann is sent while everyone passes once and she plays."""
    match = deal(seats, decks)
    for wish in ("play 4", "pass", "pass", "pass"):
        deliver()
        move(match, wish)
    deliver()
    letters = Letter.objects.filter(match=match, recipient__name="Ann", state=Letter.State.SENT).order_by("pk")
    return [(masked(letter.subject), masked(letter.text), masked(letter.html)) for letter in letters]


def masked(text: str) -> str:
    for opaque, name in OPAQUE:
        text = re.sub(opaque, name, text)
    return text


def test_a_letter_does_not_depend_on_others_hands(db):
    with transaction.atomic():
        one = seen_by_ann(*DEAL)
        transaction.set_rollback(True)
    assert len(one) == 2
    assert one == seen_by_ann(*ANOTHER)


def test_a_message_id_is_keyed_and_of_fixed_length(settings):
    first = make_fingerprint("letter", 7)
    assert len(first) == len(make_fingerprint("letter", 123_456)) == 32
    assert first != make_fingerprint("thread", 7)
    settings.SECRET_KEY = "another"
    assert first != make_fingerprint("letter", 7)


def test_the_date_of_a_letter_is_the_time_it_was_written(turn):
    assert b"\nDate: Mon, 16 Nov 2026 12:00:00 +0000\n" in bytes(turn.source)


def test_an_invitation_describes_the_calendar_of_its_pace():
    gather(pace="1d days 67 quiet 22-8 at 19")
    deliver()
    letter = Letter.objects.get(kind="invitation", recipient__name="Bob")
    for body in (letter.text, letter.html):
        text = " ".join(body.split())
        assert "one day per move; on Saturday and Sunday only; time never runs out between 22:00 and 08:00" in text
        assert "your time; time runs out at 19:00" in text


def test_a_french_pace_has_a_space_before_its_semicolons():
    gather(pace="1d at 19")
    Player.objects.update(language="fr")
    deliver()
    letter = Letter.objects.get(kind="invitation", recipient__name="Bob")
    for body in (letter.text, letter.html):
        assert "un jour par décision\N{NARROW NO-BREAK SPACE}; il expire à 19" in re.sub(r"[ \n]+", " ", unescape(body))
