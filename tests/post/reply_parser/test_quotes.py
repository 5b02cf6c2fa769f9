"""No part of a letter we sent is ever taken for its reader's own text, however their mail program has wrapped it."""

from itertools import combinations, cycle, product

import pytest
from django.conf import settings
from django.db import transaction
from django.utils import translation

from beanpost.play.display import scene
from beanpost.players.models import Player
from beanpost.post.models import Body
from beanpost.post.receive.open_questions import build_question, join_option
from beanpost.post.reply_parser.html_to_text import convert_html
from beanpost.post.reply_parser.lines import interpret_lines
from beanpost.post.reply_parser.quotes import MAX_LINES, find_own_words
from beanpost.post.reply_parser.sent_letter import build_sent_letter
from tests.post.answering import TABLES, answer, fagioli, newest, outcome, with_replies
from tests.post.mail_programs import BELOW, BETWEEN, POSITIONS, PROGRAMS, QUOTINGS
from tests.post.rewrapping import INTRODUCTIONS, STYLES, quoted

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("replies_come_in")]
FEW_WORDS = 3


@pytest.fixture
def replies_come_in():
    with with_replies():
        yield


@pytest.mark.parametrize(("table", "language"), [*zip(TABLES, cycle(dict(settings.LANGUAGES)))])
def test_a_rewrapped_letter_plays_nothing_and_an_answer_beside_it_is_read(table, language):
    letter, sent, asked = ask(table, language)
    last = letter.options[-1]
    mark, meant = last["mark"], join_option(last)
    unheard = {}
    with translation.override(language):
        for program, quotation in quoted(letter.text):
            own = find_own_words(f"\n\n{quotation}", sent)
            if own and own != [INTRODUCTIONS["unknown"].strip()]:
                unheard[program, "empty"] = own
            above = interpret_lines(find_own_words(f"{mark}\n\n{quotation}", sent), asked)
            if above.line != meant:
                unheard[program, "above"] = above
            if "without" in program or "unknown" in program or quotation.count("\n") > MAX_LINES - 3:
                continue  # its end cannot be found, or is too far down
            below = interpret_lines(find_own_words(f"{quotation}\n\n{mark}\n", sent), asked)
            if below.line != meant:
                unheard[program, "below"] = below
    assert unheard == {}


@pytest.mark.parametrize(("table", "language"), [*zip(TABLES, cycle(("fr", "en")))])
def test_every_printed_label_is_read_above_below_and_between_by_every_program(table, language):
    letter, sent, asked = ask(table, language)
    page, text = convert_html(letter.html).split("\n"), letter.text.split("\n")
    unheard = {}
    with translation.override(language):
        for nth, (option, program, position) in enumerate(product(letter.options, PROGRAMS, POSITIONS)):
            label, meant = option["label"], join_option(option)
            if program.endswith("html"):
                at = 3 + nth % (len(page) - 6)
                reply = PROGRAMS[program](label, position, page, at, language)
            else:
                reply = PROGRAMS[program](label, position, text, 3 + nth % (len(text) - 6), language)
            own = find_own_words(reply, sent)
            if own[:1] != [label] and interpret_lines(own, asked).line != meant:
                unheard[label, program, position] = own
            if interpret_lines(own[:1], asked).line != meant:
                unheard[label] = own
    assert unheard == {}


@pytest.mark.parametrize(("table", "language"), [*zip(TABLES, cycle(dict(settings.LANGUAGES)))])
def test_an_answer_beside_the_same_words_of_the_letter_is_read(table, language):
    letter, sent, asked = ask(table, language)
    unheard = {}
    with translation.override(language):
        for program, text in (("roundcube_html", convert_html(letter.html)), ("thunderbird", letter.text)):
            lines = text.split("\n")
            for option in letter.options:
                for n in [n for n, line in enumerate(lines) if option["label"] in line]:
                    for at in (n - 1, n):
                        reply = PROGRAMS[program](option["label"], BETWEEN, lines, at, language)
                        if interpret_lines(find_own_words(reply, sent), asked).line != join_option(option):
                            unheard[program, option["label"], at] = find_own_words(reply, sent)
    assert unheard == {}


def test_the_letters_own_example_below_thunderbirds_quotation_plays():
    letter = newest(*fagioli())
    for program in ("thunderbird", "s_nail"):
        with transaction.atomic():
            text = PROGRAMS[program](letter.options[1]["label"], BELOW, letter.text.split("\n"), 0, "en")
            assert outcome(answer(letter, text)) == f"say {letter.options[1]['line']}"
            transaction.set_rollback(True)


def test_a_letter_pasted_without_signs_stays_the_letter_whatever_is_quoted_beside_it():
    letter = newest(*fagioli())
    label, lines = letter.options[1]["label"], letter.text.split("\n")
    half = len(lines) // 2
    for text in (
        "\n".join([*lines[:half], *(f"> {line}" for line in lines[half:]), "", label]),
        "\n".join([*(f"> {line}" for line in lines[:half]), "", *lines[half:], "", label]),
        "\n".join([*(f"> {line}" for line in lines), "", label, "", letter.options[2]["label"]]),
        f"> Are you there?\n> I am.\n\n{label}",
    ):
        assert outcome(answer(letter, f"{INTRODUCTIONS['english']}{text}\n")) == "answer unread"


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
@pytest.mark.parametrize("table", TABLES)
def test_no_piece_of_a_broken_line_plays_as_if_its_reader_had_written_it(table, language):
    """Unquote each end of a line that is a move by itself, and each few words; the lines around stay quoted."""
    letter, sent, asked = ask(table, language)
    ways = cycle(product(QUOTINGS, ("", "\n"), (True, False), INTRODUCTIONS.values(), (99, 3, 1, 0)))
    played = {}
    with translation.override(language):
        for text in (letter.text, convert_html(letter.html)):
            lines = text.split("\n")
            for n, (head, piece, tail) in find_moves_within(lines, asked):
                quote, gap, has_rest, introduction, kept = next(ways)
                above = [*lines[max(0, n - kept) : n], *filter(None, [head])]
                below = [*filter(None, [tail]), *(lines[n + 1 :] if has_rest else [])]
                if not any(line.strip() for line in (*above, *below)):
                    continue  # nothing is left of the letter
                reply = introduction + quote(above, gap + piece + gap, below)
                found = interpret_lines(find_own_words(reply, sent), asked)
                if found.line or found.order:
                    played[reply] = found
    assert played == {}


def find_moves_within(lines, asked):
    """Yield the number of a line, and the line in three pieces, for every piece that is a move or an order."""
    moves = {}
    for n, line in enumerate(lines[1:], 1):
        words = line.split()
        for start, end in combinations(range(len(words) + 1), 2):
            if end - start > FEW_WORDS and end < len(words):
                continue
            piece = " ".join(words[start:end])
            if piece not in moves:
                found = interpret_lines([piece], asked)
                moves[piece] = bool(found.line or found.order)
            if moves[piece]:
                yield n, (" ".join(words[:start]), piece, " ".join(words[end:]))


def ask(table, language):
    """Return the letter with a table's question, as sent and as asked."""
    match, seat = TABLES[table]()
    Player.objects.update(language=language)
    letter = newest(match, seat)
    printed = [(option["mark"], option["label"]) for option in letter.options]
    shown = scene.build_scene(match, seat)
    return letter, build_sent_letter(letter.text, letter.html, printed), build_question(letter, shown)


def test_an_empty_reply_plays_nothing_and_the_next_one_plays():
    letter, became = newest(*fagioli()), {}
    for style, introduction in product(STYLES, INTRODUCTIONS):
        quotation = INTRODUCTIONS[introduction] + "\n".join(STYLES[style](letter.text, 66))
        with transaction.atomic():
            replies = (f"\n{quotation}", f"m2\n\n{quotation}")
            became[style, introduction] = [outcome(answer(letter, text)) for text in replies]
            transaction.set_rollback(True)
    assert len(became) > 20
    expected = ["answer unread", "say play 2 left plant 6"]
    assert {how: done for how, done in became.items() if done != expected} == {}


def test_a_plain_text_version_of_our_html_plays_nothing():
    letter = newest(*fagioli())
    page = convert_html(letter.html)
    assert outcome(answer(letter, page.partition("\n")[2])) == "answer unread"


def test_a_letter_whose_body_was_deleted_is_cut_by_its_quotation_marks_alone():
    letter = newest(*fagioli())
    text = letter.text
    Body.objects.filter(letter=letter).delete()
    quotation = INTRODUCTIONS["none"] + "\n".join(STYLES["tails"](text, 66))
    assert outcome(answer(letter, f"\n{quotation}")) == "answer unread"
    assert outcome(answer(letter, f"{quotation}\n\nm2\n")) == "say play 2 left plant 6"
