"""No part of a letter we sent is ever taken for its reader's own text, however their mail program has wrapped it."""

from itertools import cycle, product

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
from beanpost.post.reply_parser.quotes import MOST_LINES, find_own_words
from beanpost.post.reply_parser.sent_letter import build_sent_letter
from tests.post.answering import TABLES, answer, fagioli, newest, outcome, with_replies
from tests.post.rewrapping import INTRODUCTIONS, STYLES, quoted

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("replies_come_in")]


@pytest.fixture
def replies_come_in():
    with with_replies():
        yield


@pytest.mark.parametrize(("table", "language"), [*zip(TABLES, cycle(dict(settings.LANGUAGES)))])
def test_a_rewrapped_letter_plays_nothing_and_an_answer_beside_it_is_read(table, language):
    match, seat = TABLES[table]()
    Player.objects.update(language=language)
    letter = newest(match, seat)
    printed = [(option["number"], option["label"]) for option in letter.options]
    sent, shown = build_sent_letter(letter.text, letter.html, printed), scene.build_scene(match, seat)
    asked = build_question(letter, shown)
    last = letter.options[-1]
    number, meant = last["number"], join_option(last)
    unheard = {}
    with translation.override(language):
        for program, quotation in quoted(letter.text):
            own = find_own_words(f"\n\n{quotation}", sent)
            if own and own != [INTRODUCTIONS["unknown"].strip()]:
                unheard[program, "empty"] = own
            above = interpret_lines(find_own_words(f"{number}\n\n{quotation}", sent), asked)
            if above.line != meant:
                unheard[program, "above"] = above
            if "without" in program or "unknown" in program or quotation.count("\n") > MOST_LINES - 3:
                continue  # its end cannot be found, or is too far down
            below = interpret_lines(find_own_words(f"{quotation}\n\n{number}\n", sent), asked)
            if below.line != meant:
                unheard[program, "below"] = below
    assert unheard == {}


def test_an_empty_reply_plays_nothing_and_the_next_one_plays():
    letter, became = newest(*fagioli()), {}
    for style, introduction in product(STYLES, INTRODUCTIONS):
        quotation = INTRODUCTIONS[introduction] + "\n".join(STYLES[style](letter.text, 66))
        with transaction.atomic():
            replies = (f"\n{quotation}", f"2\n\n{quotation}")
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
    assert outcome(answer(letter, f"{quotation}\n\n2\n")) == "say play 2 left plant 6"
