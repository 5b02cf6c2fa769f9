"""Fixtures for the tests of the letters: a mail server, and a match with queued letters."""

import pytest

from tests.friends import seat_friends
from tests.post.postbox import open_postbox, sending_to


@pytest.fixture
def postbox():
    with open_postbox() as box, sending_to(box.port):
        yield box


@pytest.fixture
def match(db):
    """A match in which Bob is asked first; Ann and Cleo are told that it has started."""
    return seat_friends()
