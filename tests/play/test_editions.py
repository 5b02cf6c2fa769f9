"""A changed rule is a new edition. Matches started under the old edition are finished under it."""

from dataclasses import replace

import pytest

import games
from beanpost.play import moves
from beanpost.play.log import audit, export, storage
from beanpost.play.models import Match, Vault, Wait
from beanpost.post.receive import open_questions
from games.contract.asks import Result
from games.contract.replies.words import PLAIN_REPLIES
from games.verification.verify import verify
from tests.friends import NOON, seat_friends

pytestmark = pytest.mark.django_db
FIRST = games.get("haricots")


def twice_the_score(state):
    result = FIRST.play.result(state)
    return result and Result(tuple(2 * score for score in result.scores), result.ranks)


@pytest.fixture
def running():
    return seat_friends(seats=3)


@pytest.fixture
def second(running, monkeypatch):
    """A ruling has changed since: all scores count twice."""
    changed = replace(FIRST, edition=2, play=replace(FIRST.play, result=twice_the_score), older=(FIRST,))
    monkeypatch.setitem(games.GAMES, "haricots", changed)
    return changed


def finish(match: Match) -> Match:
    while wait := Wait.objects.filter(match=match).first():
        table = storage.restore_table(match, Vault.objects.get(match=match))
        ask = table.ask(wait.seat)
        line = str(table.rules.bot(table.view(wait.seat), ask))
        moves.play(match.pk, wait.seat, line, origin="player", question=wait.opened, now=NOON)
        match.refresh_from_db()
    return match


def result(match: Match) -> Result:
    return storage.restore_table(match, Vault.objects.get(match=match)).result


def test_a_running_match_stays_on_its_edition(running, second):
    match = finish(running)
    assert match.edition == 1
    assert storage.restore_table(match, Vault.objects.get(match=match)).rules is FIRST
    assert storage.replay_log(match).rules is FIRST
    assert list(audit.find_differences(match)) == []
    assert "The result follows from the rules." in str(verify(export.export_match(match, None)))


def test_a_new_match_is_played_by_the_new_edition(running, second):
    old, new = finish(running), finish(seat_friends(seats=3))
    assert (old.edition, new.edition) == (1, 2)
    # The deal and the bots are the same: only the rule differs.
    assert result(new).scores == tuple(2 * score for score in result(old).scores)
    assert list(audit.find_differences(new)) == []
    assert verify(export.export_match(new, None)).ended == "finished"


def test_the_stored_state_of_an_old_edition_is_read_by_that_edition(running, second):
    vault = Vault.objects.get(match=running)
    assert games.recall(vault.memory).rules is FIRST


def test_a_missing_edition_is_reported_with_a_sentence(second):
    with pytest.raises(games.RulesError, match="don’t have edition 3 of Haricots"):
        games.open("haricots", seats=3, edition=3)


def test_an_order_is_read_with_the_words_of_the_matchs_edition(running, monkeypatch):
    changed = replace(FIRST, edition=2, replies=PLAIN_REPLIES, older=(FIRST,))
    monkeypatch.setitem(games.GAMES, "haricots", changed)
    understood = open_questions.build_order_reader(running, ["Ann", "Bob", "Cleo"])
    assert understood("Pass on every turn of round 2") == "always pass in round 2"
