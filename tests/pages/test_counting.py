"""Counts in words, as a person says them."""

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from beanpost.pages.template_functions import describe_wins


@pytest.mark.parametrize(
    ("wins", "matches", "english", "french"),
    [
        (0, 0, "no matches yet", "pas encore de partie"),
        (1, 1, "one match, won", "une partie, gagnée"),
        (0, 1, "one match, no wins", "une partie, sans victoire"),
        (2, 2, "2 matches, all won", "2 parties, toutes gagnées"),
        (0, 5, "5 matches, no wins", "5 parties, sans victoire"),
        (1, 5, "5 matches, one won", "5 parties, une gagnée"),
        (3, 5, "5 matches, 3 won", "5 parties, 3 gagnées"),
    ],
)
def test_the_number_of_won_matches_is_told_in_words(wins, matches, english, french):
    assert describe_wins(wins, matches) == english
    with translation.override("fr"):
        assert describe_wins(wins, matches) == french


@pytest.mark.parametrize(
    ("exhaustions", "last", "english", "french"),
    [
        (0, 1, "The game ends when the draw pile runs out.", "La partie se termine dès que la pioche est épuisée."),
        (0, 2, "ends when the draw pile has run out twice.", "dès que la pioche a été épuisée deux fois."),
        (1, 3, "has run out once; the game ends when it has run out three times.", "quand elle l’aura été trois fois."),
        (2, 3, "The draw pile has run out twice; the game ends", "La pioche a été épuisée deux fois"),
        (3, 3, "The draw pile has run out for the last time.", "La pioche est épuisée pour la dernière fois."),
    ],
)
def test_the_number_of_times_the_pile_ran_out_is_told_in_words(exhaustions, last, english, french):
    view = {"pile": 4, "discard_top": None, "phase": "planting", "exhaustions": exhaustions, "last_exhaustion": last}
    assert english in render_to_string("games/bohnanza/piles.txt", {"view": view}, using="jinja2")
    with translation.override("fr"):
        assert french in render_to_string("games/bohnanza/piles.txt", {"view": view}, using="jinja2")
