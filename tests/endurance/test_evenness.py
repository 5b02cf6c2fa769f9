"""How evenly people meet, for leagues and tables of every size. The test prints the figures."""

import pytest

from tests.leagues.draw.test_pairing import evenness_line, most_unevenness, share_of_unevenness


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7])
def test_people_meet_nearly_as_evenly_as_possible(size, capsys):
    shares = {people: share_of_unevenness(people, size) for people in (12, 13, 17, 24, 31, 50, 75, 100, 150, 200)}
    with capsys.disabled():
        print(evenness_line(size, shares), end="")
    assert all(share <= most_unevenness(people) for people, share in shares.items())
