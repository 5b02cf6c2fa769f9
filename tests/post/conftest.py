"""What the post room's tests lean on: a mail server, and a match with letters on their way."""

import pytest

from tests.friends import seat_friends
from tests.post.postbox import open_postbox, sending_to


@pytest.fixture
def postbox():
    with open_postbox() as box, sending_to(box.port):
        yield box


@pytest.fixture
def match(db):
    """Bob is asked first; Ann and Cleo are told that the match has begun."""
    return seat_friends()
