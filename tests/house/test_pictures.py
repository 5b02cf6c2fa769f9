"""The pictures of letters show every kind there is."""

import pytest

from beanpost.post.contents import KINDS
from tools import letters


@pytest.mark.django_db
def test_every_kind_of_letter_has_its_picture():
    assert set(letters.every_kind("fr")) == set(KINDS)
    assert {kind.partition("-")[0] for kind in letters.BEST} <= set(KINDS)
