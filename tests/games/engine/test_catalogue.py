"""The catalogue of games, and its refusals."""

import pytest

import games


def test_the_public_names_are_those_of_the_contract():
    assert set(games.__all__) == {
        *("GAMES", "get", "open", "replay", "Table", "Ask", "Result", "DEALER", "HOUSE"),
        *("RulesError", "Unreadable", "NotAsked", "Illegal", "Seeded", "Scripted", "plain", "remember", "recall"),
    }
    assert all(hasattr(games, name) for name in games.__all__)
    assert (games.DEALER, games.HOUSE) == (-1, -2)


@pytest.mark.parametrize("slug", games.GAMES)
def test_every_game_is_found_by_its_slug(slug):
    rules = games.get(slug)
    assert rules.slug == slug
    assert repr(rules) == f"games.get({slug!r})"
    assert eval(repr(rules)) is rules


@pytest.mark.parametrize("slug", games.GAMES)
def test_the_first_variant_is_the_default(slug):
    seats = games.get(slug).seats[0]
    first = games.get(slug).variants[0]
    assert games.open(slug, seats=seats) == games.open(slug, seats=seats, variant=first)


@pytest.mark.parametrize("slug", ["chess", "", "Haricots", "haricots "])
def test_an_unknown_game_is_refused_with_a_sentence(slug):
    for refused in (lambda: games.get(slug), lambda: games.open(slug, seats=3)):
        with pytest.raises(games.RulesError, match=f"There’s no game called “{slug}”. We have: haricots"):
            refused()


@pytest.mark.parametrize("seats", [-1, 0, 1, 2, 6, 100])
def test_a_wrong_number_of_seats_is_refused_with_a_sentence(seats):
    with pytest.raises(games.RulesError, match=f"Haricots is for 3 to 5 players, not {seats}."):
        games.open("haricots", seats=seats)


@pytest.mark.parametrize("variant", ["fast", "", "Basic"])
def test_an_unknown_variant_is_refused_with_a_sentence(variant):
    with pytest.raises(games.RulesError, match=f"no variant “{variant}”. It has: advanced · basic · sprint."):
        games.open("haricots", seats=3, variant=variant)


def test_a_replay_of_an_empty_log_is_a_new_table():
    assert games.replay("haricots", 3, None, []) == games.open("haricots", seats=3)


def test_a_seat_that_is_not_asked_is_told_which_one_is():
    table = games.open("haricots", seats=3)
    with pytest.raises(games.NotAsked, match=r"The table isn’t waiting for A\. It’s waiting for dealer\."):
        table.says(0, "pass")
    table = table.says(games.DEALER, "start B")
    table = table.says(games.DEALER, games.Seeded(b"").answer(table, 1))
    with pytest.raises(games.NotAsked, match=r"The table isn’t waiting for A\. It’s waiting for B\."):
        table.says(0, "pass")


def test_the_error_for_an_illegal_line_lists_the_legal_ones():
    table = games.open("haricots", seats=3)
    with pytest.raises(games.Illegal) as refusal:
        table.says(games.DEALER, "start D")
    assert str(refusal.value) == "You can’t do “start D” now. You can: start A · start B · start C."


def test_every_refusal_is_a_rules_error():
    for kind in (games.Unreadable, games.NotAsked, games.Illegal):
        assert issubclass(kind, games.RulesError)
