"""The values of collected cards."""

import random

import pytest

from games.pas_de_haricots.deck import DECK
from games.pas_de_haricots.rules import result
from games.pas_de_haricots.scoring import gain, points, score
from games.pas_de_haricots.state import Finished, Score

CLAUDIA = ("3S", "5S", "ND", "1D", "5D", "KH", "10C", "2C", "JC", "0C")
HER_OPPONENT = ("9C", "10H", "9H", "8H", "1H", "0D", "2D", "7S", "6S", "JS")


def counted_by_hand(cards):
    """Compute the score again, straight from the wording of the rules, suit by suit."""
    for suit in "SHDC":
        ranks = [card[:-1] for card in cards if card.endswith(suit)]
        value = sum(int(rank) for rank in ranks if rank.isdigit())
        minuses = len({"J", "N", "Q"} & set(ranks))
        yield 0 if "0" in ranks else value * (2 if "K" in ranks else 1) * (-1 if minuses in (1, 3) else 1)


@pytest.mark.parametrize(
    ("cards", "worth"),
    [
        ("", 0),
        ("4S 10S", 14),
        ("4S 10S KS", 28),
        ("4S 10S JS", -14),
        ("4S 10S JS QS", 14),
        ("4S 10S JS NS QS", -14),
        ("4S 10S NS KS", -28),
        ("4S 10S JS NS KS", 28),
        ("4S 10S JS NS QS KS", -28),
        ("4S 10S KS 0S", 0),
        ("4S 10S NS 0S", 0),
        ("KS", 0),
        ("JS", 0),
        ("JS NS QS KS", 0),
        ("0S", 0),
    ],
)
def test_a_suit_counts_as_its_special_cards_say(cards, worth):
    assert points(tuple(cards.split())) == worth


def test_claudia_makes_two():
    assert score(CLAUDIA) == Score(plus=8, minus=-6, sum=2)
    assert list(counted_by_hand(CLAUDIA)) == [8, 0, -6, 0]


def test_her_opponent_makes_thirty_seven_minus_thirteen():
    assert score(HER_OPPONENT) == Score(plus=37, minus=-13, sum=24)


def test_the_order_of_collecting_does_not_matter():
    chance = random.Random(1)
    for _ in range(50):
        assert score(tuple(chance.sample(CLAUDIA, len(CLAUDIA)))) == score(CLAUDIA)


def test_the_score_of_any_pile_agrees_with_counting_by_hand():
    chance = random.Random(2)
    for _ in range(2_000):
        pile = tuple(chance.sample(DECK, chance.randint(0, 20)))
        counts = list(counted_by_hand(pile))
        plus, minus = sum(n for n in counts if n > 0), sum(n for n in counts if n < 0)
        assert score(pile) == Score(plus, minus, plus + minus)


def test_a_gain_is_the_change_of_the_score():
    chance = random.Random(3)
    for _ in range(2_000):
        card, *pile = chance.sample(DECK, chance.randint(1, 20))
        assert gain(tuple(pile), card) == score((*pile, card)).sum - score(tuple(pile)).sum


def test_two_seats_can_share_first_place():
    row = (Score(5, 0, 5), Score(9, -4, 5), Score(0, -3, -3), Score(2, -5, -3))
    final = result(Finished("one", (row,), ((),) * 4))
    assert final is not None
    assert (final.scores, final.ranks) == ((5, 5, -3, -3), (1, 1, 3, 3))
