"""The letter gallery shows every kind of letter."""

import pytest

from beanpost.post.compose.contents import KINDS
from tools import letters


@pytest.mark.django_db
def test_every_kind_of_letter_is_in_the_gallery():
    assert set(letters.write_every_kind("fr")) == set(KINDS)
    assert {kind.partition("-")[0] for kind in letters.BEST} <= set(KINDS)
