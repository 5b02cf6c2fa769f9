"""Chat between friends plays no move, and plain instructions are read, in both languages, at every game.

Each line of the files in tests/post/prose is an email; "|" stands for the end of a line.
"""

from itertools import cycle
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from beanpost.play.display import scene
from beanpost.play.display.question import split_plan
from beanpost.post.receive.open_questions import build_question, find_price
from beanpost.post.reply_parser.lines import Interpretation, interpret_lines
from beanpost.post.reply_parser.quotes import find_own_words
from tests.post.answering import TABLES, newest, with_replies

pytestmark = pytest.mark.django_db
PROSE = [
    line.replace(" | ", "\n")
    for path in sorted((Path(__file__).parents[1] / "prose").glob("*.txt"))
    for line in path.read_text().splitlines()
]
LANGUAGES = dict(zip(TABLES, cycle(dict(settings.LANGUAGES)), strict=False))

# Ways to talk about a move without making it. In each, {move} is a printed label and {mark} a printed mark.
MENTIONED = [
    "{move}?", "Should I {move}?", "What if I {move}?", "Don't {move}", "I won't {move}", "Never {move}",
    "Not {move}", "If Ann passes, {move}", "{move}, unless Ann passes", "{move} if Ann passes", "Ann said: {move}",
    "After Ann:\n{move}", "Maybe {move}", "I nearly did this: {move}", "{move} would be silly", "You should {move}",
    "Why not {move}?", "Ne fais pas ça : {move}", "Faut-il {move} ?", "Si Ann passe, {move}", "{move} si Ann passe",
    "Ann a dit : {move}", "Peut-être {move}", "Après Ann :\n{move}", "Pas {move}", "{move} ?", "{mark}?", "{mark} ?",
    "not {mark}", "no {mark}", "pas {mark}", "non, {mark}", "if {mark}", "si {mark}", "{mark} or m99",
    "{mark} if Ann passes", "{mark} unless Ann passes", "after Ann {mark}", "{mark} would be silly", "Is {mark} good",
    "Ann: {mark}", "I like {mark}", "Why {mark}?", "Pourquoi {mark} ?", "{mark}, no wait", "{mark} mais pas encore",
    "I'll answer tonight.\nBob\n{mark}", "I'll answer tonight.\n{mark}", "After Ann:\n{mark}", "Ann wrote:\n{mark}",
    "Je réponds ce soir.\nBob\n{mark}", "Je réponds ce soir.\n{mark}", "Après Ann :\n{mark}", "Don't\n{mark}",
]  # fmt: skip

# Ways to make it.
MADE = [
    "{move}", "{move}.", "{move}!", "{move} please", "{move}, thanks", "{move} :)", "{move}, svp",
    "{move} s’il vous plaît", "Hi Ann,\n{move}\nBob", "Hello everyone!\n\n{move}\n\nBest wishes,\nBob",
    "Bonjour,\n{move}\nmerci", "My move:\n{move}", "How was the weekend?\n\n{move}",
    "We had two coffees.\n\n{move}\n\nSee you on the 6th\nBob", "{move}\n\n-- \nBob, 7", "Here's my move:\n{move}",
    "Voici mon coup :\n{move}", "Bien joué !\n\n{move}\n\nBises,\nBob", "{mark}. {move}", "{mark}", "{mark}.",
    "{mark}!", "({mark})", "{mark} please", "{mark} svp", "{mark}, s’il te plaît", "{mark}, thank you", "Play {mark}",
    "I play {mark}", "I'll take {mark}", "I'd like {mark}", "I would like {mark}, please", "my move: {mark}",
    "Je joue {mark}", "Je prends {mark}", "Je voudrais {mark}", "Hi Ann,\n{mark}\nBob",
    "Bonjour Ann,\n\n{mark}\n\nBob", "My move:\n{mark}", "Here's my answer:\n{mark}", "Voilà :\n{mark}",
    "How are you?\n{mark}", "{mark} 😀", "le {mark}, merci", "Lovely weekend, we went to the sea.\n\n{mark}\n\nBob",
    "Well played, Ann!\n{mark}", "Bien joué Ann !\n{mark}",
]  # fmt: skip


@pytest.fixture(params=TABLES)
def table(request):
    """A function that reads a mail at a table, the printed moves of its letter, and the prices of moves."""
    with with_replies(), translation.override(LANGUAGES[request.param]):
        match, seat = TABLES[request.param]()
        letter = newest(match, seat)
        shown = scene.build_scene(match, seat)
        asked = build_question(letter, shown)

        def read(text: str) -> Interpretation:
            return interpret_lines(find_own_words(text), asked)

        def is_played(found: Interpretation) -> bool:
            """Whether it is played or given at once; a costly move is asked about (test_costly_moves.py)."""
            return bool(found.order) or (bool(found.line) and not find_price(shown, split_plan(found.line)[0]))

        yield read, is_played, letter.options


def test_chat_between_friends_plays_no_move(table):
    read, is_played, _ = table
    assert [text for text in PROSE if is_played(read(text))] == []


def test_a_move_that_is_only_mentioned_is_not_made(table):
    read, is_played, printed = table
    texts = [way.format(move=one["label"], mark=one["mark"]) for one in (printed[0], printed[-1]) for way in MENTIONED]
    assert [text for text in texts if is_played(read(text))] == []


def test_a_plain_instruction_is_read(table):
    read, _, printed = table
    for one in (printed[0], printed[-1]):
        texts = [way.format(move=one["label"], mark=one["mark"]) for way in MADE]
        assert [(text, read(text)) for text in texts if split_plan(read(text).line)[0] != one["line"]] == []
