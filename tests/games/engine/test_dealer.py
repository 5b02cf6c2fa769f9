"""Chance follows from a secret and the players' words alone, and is fair."""

import hmac
from collections import Counter
from itertools import islice

import pytest

import games
from games.contract import dice as contract_dice
from games.contract.dice import Dice, compute_commitment, encode_canonical
from tests.games.vectors import vectors

VECTORS = vectors()
SECRET = bytes.fromhex(VECTORS["secret"])
KEY = bytes.fromhex(VECTORS["key"])


# ── the vectors of docs/fairness.md ──────────────────────────────────────────────────────────────


def test_the_commitment_matches_the_vectors():
    assert compute_commitment(SECRET) == VECTORS["commitment"]


def test_the_key_follows_from_the_secret_and_the_words():
    words = encode_canonical(VECTORS["words"])
    assert hmac.digest(SECRET, b"beanpost/dealer/1\n" + words, "sha256") == KEY


@pytest.mark.parametrize("vector", VECTORS["blocks"], ids=lambda vector: f"{vector['nth']}-{vector['i']}")
def test_a_block_follows_from_the_key_and_two_numbers(vector):
    written = hmac.digest(KEY, f"{vector['nth']}\n{vector['i']}".encode(), "sha256")
    numbers = islice(contract_dice._numbers(KEY, vector["nth"]), 4 * vector["i"], 4 * vector["i"] + 4)
    assert written.hex() == vector["block"] == "".join(f"{number:016x}" for number in numbers)


def test_the_numbers_of_a_line_run_on_across_blocks():
    assert [str(number) for number in islice(contract_dice._numbers(KEY, 0), 5)] == VECTORS["numbers"]


@pytest.mark.parametrize("vector", VECTORS["below"], ids=lambda vector: f"below-{vector['count']}")
def test_numbers_below_a_count_match_the_vectors(vector):
    dice = Dice(KEY, vector["nth"])
    assert [str(dice.below(int(vector["count"]))) for _ in vector["drawn"]] == vector["drawn"]


def test_a_shuffle_starts_from_the_last_place():
    vector = VECTORS["shuffle"]
    assert list(Dice(KEY, vector["nth"]).shuffle(vector["row"])) == vector["shuffled"]


def test_the_dealer_of_haricots_matches_the_vectors():
    vector = VECTORS["haricots"]
    table = games.open("haricots", seats=vector["seats"], variant=vector["variant"])
    dealer = games.Seeded(SECRET, VECTORS["words"])
    for nth, line in enumerate(vector["lines"]):
        assert dealer.answer(table, nth) == line
        table = table.says(games.DEALER, line)


# ── fairness ─────────────────────────────────────────────────────────────────────────────────────


def rolled(numbers):
    """Return dice that draw from given numbers."""
    dice = Dice(b"", 0)
    dice._numbers = iter(numbers)
    return dice


def test_a_number_that_would_favour_low_results_is_skipped():
    top = 2**64 - 1  # 2⁶⁴ is one more than a multiple of 3, so exactly the highest number is left over
    assert rolled([top, 5]).below(3) == 2
    assert rolled([top - 1]).below(3) == 2
    assert rolled([top]).below(4) == 3  # a power of two leaves nothing over


def test_a_count_of_one_still_uses_a_number():
    assert rolled([7, 8]).below(1) == 0


def test_all_results_are_about_equally_likely():
    dice = Dice(b"even", 0)
    counts = Counter(dice.below(6) for _ in range(60_000))
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    assert all(abs(count - 10_000) < 400 for count in counts.values())


def test_all_orders_of_a_shuffle_are_about_equally_likely():
    dice = Dice(b"orders", 0)
    counts = Counter(dice.shuffle("ABCD") for _ in range(24_000))
    assert len(counts) == 24
    assert all(abs(count - 1_000) < 150 for count in counts.values())


def test_a_shuffle_keeps_every_card_and_does_not_change_its_argument():
    row = list(range(70))
    assert sorted(Dice(b"", 0).shuffle(row)) == row == list(range(70))
    assert Dice(b"", 0).shuffle(()) == ()


def test_between_and_pick_reach_both_ends():
    dice = Dice(b"ends", 0)
    assert {dice.between(-2, 2) for _ in range(200)} == {-2, -1, 0, 1, 2}
    assert {dice.pick("AB") for _ in range(50)} == {"A", "B"}


# ── dealers ──────────────────────────────────────────────────────────────────────────────────────


def test_the_deal_depends_on_the_words_the_secret_and_the_place_in_the_log():
    table = games.open("haricots", seats=3).says(games.DEALER, "start A")
    deals = {
        games.Seeded(b"s", ["a", "b", "c"]).answer(table, 1),
        games.Seeded(b"s", ["a", "c", "b"]).answer(table, 1),
        games.Seeded(b"s", ["a", "b", "d"]).answer(table, 1),
        games.Seeded(b"t", ["a", "b", "c"]).answer(table, 1),
        games.Seeded(b"s", ["a", "b", "c"]).answer(table, 2),
    }
    assert len(deals) == 5


def test_the_same_letters_split_into_other_words_deal_differently():
    table = games.open("haricots", seats=3).says(games.DEALER, "start A")
    assert games.Seeded(b"s", ["ab", "c"]).answer(table, 1) != games.Seeded(b"s", ["a", "bc"]).answer(table, 1)


def test_a_scripted_dealer_says_its_script():
    table = games.open("haricots", seats=3)
    assert games.Scripted(["start B", "shuffle 1"]).answer(table, 0) == "start B"
