"""Kill the worker five times with `kill -9` while it sends a thousand letters. LETTERS sets how many."""

import os

import pytest

from tests.post import killing
from tests.post.postbox import open_postbox

pytestmark = pytest.mark.own_process
LETTERS = int(os.environ.get("LETTERS", "1000"))
KILLS = 5


def test_a_thousand_letters_survive_five_kills(tmp_path, capsys):
    with open_postbox() as postbox:
        killing.queue(tmp_path, postbox, LETTERS)
        copies = killing.send_and_kill(tmp_path, postbox, letters=LETTERS, kills=KILLS)
    twice = copies.total() - len(copies)
    with capsys.disabled():
        print(f"\n{KILLS} kills of {killing.SENDERS} senders: {len(copies)} of {LETTERS} letters, and {twice} copies.")
    assert len(copies) == LETTERS
    assert twice <= KILLS * killing.SENDERS
    assert len(set(postbox.raw)) == LETTERS
