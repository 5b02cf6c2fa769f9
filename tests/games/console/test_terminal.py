"""Playing in a terminal: people share a keyboard, bots fill seats, and nobody reads another's cards."""

import subprocess
import sys
from pathlib import Path

import pytest

import games
from games.__main__ import main
from games.console.plain_text import draw_view
from games.console.terminal import Goodbye, Terminal, TerminalGame
from tests.games.exporter import Match

ROOT = Path(__file__).parents[3]


class Typist:
    """Types prepared answers and records the screen; `⌫` marks where it was cleared."""

    def __init__(self, *typed: str, then: str | None = None) -> None:
        self.typed = list(typed)
        self.then = then
        self.screen: list[str] = []

    def prompt(self, text: str) -> str:
        self.screen.append(text)
        if self.typed:
            return self.typed.pop(0)
        if self.then is None:
            raise Goodbye
        return self.then

    @property
    def terminal(self) -> Terminal:
        return Terminal(self.prompt, self.screen.append, lambda: self.screen.append("⌫"))

    @property
    def seen(self) -> str:
        return "\n".join(self.screen)


def terminal_game(typist, *, slug="haricots", people=1, seats=3, variant="sprint"):
    table = games.open(slug, seats=seats, variant=variant)
    bots = [None if seat < people else table.rules.bot for seat in range(seats)]
    return TerminalGame(table, games.Seeded(b"7"), bots, terminal=typist.terminal)


def test_a_person_plays_against_bots_to_the_end():
    typist = Typist(then="1")
    game = terminal_game(typist)
    game.play()
    assert game.table.result is not None
    assert "The game is over." in typist.seen
    assert typist.screen[-3].startswith("1. ")
    assert "⌫" not in typist.screen  # a single person has nobody to hide cards from


def test_answers_are_numbers_or_lines_and_refusals_are_sentences():
    typist = Typist("99", "juggle", "play 13", "", "table", "  PLAY   5 5 ")
    game = terminal_game(typist)
    with pytest.raises(Goodbye):
        game.play()
    assert (0, "play 5 5") in game.table.lines
    for refusal in ("There’s no move 99", "We don’t understand", "You don’t have 13", "It’s your move."):
        assert refusal in typist.seen
    assert typist.seen.count("The table is empty: play anything you like.") == 2  # “table” showed it again


def test_quit_ends_the_game():
    with pytest.raises(Goodbye):
        terminal_game(Typist("quit", then="1")).play()


def test_the_screen_is_cleared_between_two_people_before_anything_is_shown():
    typist = Typist("", "play 1", "", "pass", "")
    with pytest.raises(Goodbye):
        terminal_game(typist, people=3).play()
    pages = typist.seen.split("⌫")
    assert len(pages) == 4
    assert pages[0] == ""
    for page, letter in zip(pages[1:], "ABC", strict=True):
        assert page.strip().startswith(f"The keyboard goes to {letter}.")
        assert f"me       {letter}" in page
        assert page.count("hand ") == 1


def test_the_person_is_not_told_what_a_bot_draws():
    typist = Typist(then="1")
    terminal_game(typist).play()
    assert "passed and drew a card." in typist.seen


def test_a_game_of_bots_is_shown_as_to_a_bystander(capsys):
    assert main(["play", "haricots", "--seed", "7", "--bots", "all", "--variant", "sprint"]) == 0
    output = capsys.readouterr().out
    assert "You" not in output
    assert "The game is over." in output


@pytest.mark.parametrize("slug", games.GAMES)
def test_every_game_can_be_watched_and_drawn(slug, capsys):
    seats = games.get(slug).seats[0]
    assert main(["play", slug, "--seed", "7", "--bots", "all", "--seats", str(seats)]) == 0
    assert "\n1. " in capsys.readouterr().out
    for table in Match(slug, seats).play().tables[::7]:
        for reader in (None, *range(seats)):
            assert "phase" in draw_view(table.view(reader))


@pytest.mark.parametrize("slug", games.GAMES)
def test_every_game_can_be_played_with_defaults_alone(slug):
    """The person types the default whenever the table waits for them, and nothing otherwise."""

    class Patient(Typist):
        def prompt(self, text: str) -> str:
            assert text == "A> "
            ask = game.table.ask(0)
            return str((ask and ask.default) or "")

    game = terminal_game(Patient(), slug=slug, seats=games.get(slug).seats[0], variant=None)
    game.play()
    assert game.table.result is not None


def test_the_same_seed_deals_the_same_cards(capsys):
    outputs = []
    for _ in range(2):
        main(["play", "haricots", "--seed", "bean", "--bots", "all"])
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    main(["play", "haricots", "--seed", "pea", "--bots", "all"])
    assert capsys.readouterr().out != outputs[0]


def test_the_say_command_prints_the_canonical_line_or_the_refusal(capsys):
    assert main(["say", "haricots", "PLAY 6  6"]) == 0
    assert capsys.readouterr().out == "play 6 6\n"
    assert main(["say", "haricots", "PLAY", "6", "6"]) == 0
    assert capsys.readouterr().out == "play 6 6\n"
    assert main(["say", "haricots", "jump"]) == 1
    assert "Try: start <seat>" in capsys.readouterr().err
    assert main(["say", "chess", "e4"]) == 1
    assert "There’s no game called “chess”" in capsys.readouterr().err


def test_the_list_command_names_every_game(capsys):
    assert main(["list"]) == 0
    assert "haricots         Haricots             3–5 players  advanced · basic · sprint" in capsys.readouterr().out


@pytest.mark.parametrize("wrong", [["--seats", "9"], ["--variant", "fast"]])
def test_a_table_that_cannot_be_opened_is_refused_with_a_sentence(wrong, capsys):
    assert main(["play", "haricots", *wrong]) == 1
    assert capsys.readouterr().err.endswith(".\n")


def test_the_end_of_input_ends_the_game_politely():
    ended = subprocess.run(
        [sys.executable, "-m", "games", "play", "haricots", "--seed", "7"],
        cwd=ROOT, input="", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 0
    assert ended.stdout.endswith("Goodbye. The game ends here.\n")
    assert ended.stderr == ""


def test_the_strength_command_prints_a_percentage(capsys):
    assert main(["strength", "haricots", "--games", "4", "--variant", "sprint"]) == 0
    assert capsys.readouterr().out.endswith("% of 4 games of haricots at 4 seats.\n")


def test_every_command_has_help(capsys):
    for command in ("list", "play", "say", "verify", "strength", "notation"):
        with pytest.raises(SystemExit) as left:
            main([command, "--help"])
        assert left.value.code == 0
        assert "usage: python -m games" in capsys.readouterr().out
