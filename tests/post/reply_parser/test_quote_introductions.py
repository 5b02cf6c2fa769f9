"""The line that introduces a quoted letter ends the player's own text, in whatever language."""

from time import process_time

import pytest

from beanpost.post.reply_parser.quote_introductions import find_first_quoted
from beanpost.post.reply_parser.quotes import find_own_words
from beanpost.post.reply_parser.sent_letter import SentLetter
from tests.post.introductions import DIVIDED, FROM, HEADERS, INTRODUCED, WRAPPED

LETTER = "Your turn, Bob\n\n9. Play 9\n\nPass and draw a card"
QUOTED = "\n".join(f"> {line}" for line in LETTER.splitlines())


def every(samples: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(language, sample) for language, row in samples.items() for sample in row]


def headers(labels: tuple[str, ...], colon: str = ": ", bold: str = "") -> str:
    values = (FROM, "2026-11-16 13:05", "bob@example.org", "Haricots")
    rows = zip(labels, values, strict=True)
    return "\n".join(f"{bold}{label}{colon.rstrip()}{bold}{colon[1:]}{value}" for label, value in rows)


@pytest.mark.parametrize("letter", [LETTER, QUOTED], ids=["bare", "quoted"])
@pytest.mark.parametrize(("language", "introduction"), every(INTRODUCED))
def test_an_introduction_ends_the_players_own_text(language, introduction, letter):
    assert find_own_words(f"7\n\n{introduction}\n\n{letter}") == ["7"]
    assert find_own_words(f"7\n{introduction}\n{letter}") == ["7"]  # without a blank line between
    assert find_own_words(f"\n{introduction}\n{letter}") == []


@pytest.mark.parametrize(("language", "introduction"), every(INTRODUCED))
def test_an_answer_below_a_quoted_letter_is_read(language, introduction):
    assert find_own_words(f"{introduction}\n{QUOTED}\n\n7\n") == ["7"]


@pytest.mark.parametrize(("language", "introduction"), WRAPPED.items())
def test_an_introduction_may_be_wrapped(language, introduction):
    assert find_own_words(f"7\n\n{introduction}\n\n{LETTER}") == ["7"]
    assert find_own_words(f"7\n{introduction}\n{LETTER}") == ["7"]
    assert find_own_words(f"{introduction}\n{LETTER}") == []
    assert find_own_words("7\n\n> " + introduction.replace("\n", "\n> ") + f"\n> \n{QUOTED}") == ["7"]


@pytest.mark.parametrize(("language", "labels"), HEADERS.items())
def test_outlooks_header_block_ends_the_players_own_text(language, labels):
    tight = headers(labels).replace(f": {FROM}", ':"Beanpost" <post@beans.example>')
    assert find_own_words(f"7\n\n{tight}\n\n{LETTER}") == ["7"]
    for block in (headers(labels), headers(labels, bold="*"), headers(labels, colon="：")):
        assert find_own_words(f"7\n\n{block}\n\n{LETTER}") == ["7"]
        assert find_own_words(f"{block}\n\n{LETTER}") == []


@pytest.mark.parametrize(("language", "divider"), DIVIDED.items())
def test_a_divider_with_dashes_ends_the_players_own_text(language, divider):
    assert find_own_words(f"7\n{divider}\n{LETTER}") == ["7"]


@pytest.mark.parametrize(
    "own",
    [
        "I pass.\nSee you at 12:30:\nBob",
        "My move: 7",
        "A: 7",
        "De: 7\nPour: rien",
        "Ann wrote that I should pass",
        "-- 7 --",
        "-- pass --",
        "play 6 6 - as always - thanks",
        "Offer: soy for red\nTo: Dora",
    ],
)
def test_other_lines_with_colons_and_dashes_do_not_end_it(own):
    lines = own.split("\n")
    assert find_first_quoted(lines) == len(lines)


@pytest.mark.parametrize(
    "line",
    ["Am" + " schrieb" * 100, "Op" + " heeft" * 100, "a: " * 200, "wrote " * 99 + ":", "1:23 " + "a@" * 290 + ">:",
     "-" * 600, "--a" * 200, "2026 " * 119 + ":", "From: x", "：" * 600, "> " * 300, "写道" * 300 + "："],
)  # fmt: skip
def test_no_line_takes_long(line):
    begun = process_time()
    find_own_words("\n".join([line] * 5_000), SentLetter([LETTER * 50]))
    assert process_time() - begun < 0.5
