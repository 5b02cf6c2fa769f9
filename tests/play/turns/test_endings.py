"""Beanpost can end a running match; the last log line says so, and the revealed log can be verified."""

import pytest
from django.core.exceptions import ValidationError

from beanpost.play.display import scene
from beanpost.play.log import audit
from beanpost.play.log.export import export_match
from beanpost.play.models import Event
from beanpost.play.timekeeping import sweep
from beanpost.play.turns import endings
from beanpost.post.compose.letter import compose
from beanpost.post.mime import split_parts
from beanpost.post.models import Letter
from games.verification.verify import verify
from tests.friends import NOON, seat_friends

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    return seat_friends()


def test_an_adjudicated_match_has_places_without_points_and_can_be_verified(match):
    endings.adjudicate(match, [2, 0, 1], Event.Origin.ORGANISER, NOON)
    match.refresh_from_db()
    assert (match.phase, match.ending, match.waits.count()) == ("ended", "adjudicated", 0)
    exported = export_match(match, None)
    assert exported["result"] == {"scores": None, "ranks": [2, 3, 1]}
    assert "The organiser decided the result." in str(verify(exported))
    assert list(audit.find_differences(match)) == []
    assert [row.place.name for row in scene.build_scene(match, None).standings] == ["Cleo", "Ann", "Bob"]


def test_an_annulled_match_has_no_result_and_can_be_verified(match):
    endings.annul(match, Event.Origin.ORGANISER, NOON)
    match.refresh_from_db()
    exported = export_match(match, None)
    assert (match.ending, exported["result"]) == ("annulled", None)
    assert exported["secret"]
    assert "The match was annulled." in str(verify(exported))
    assert list(audit.find_differences(match)) == []


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (
            lambda match: endings.adjudicate(match, [2, 0, 1], "organiser", NOON),
            "The organiser decided the match: Cleo comes first",
        ),
        (lambda match: endings.annul(match, "organiser", NOON), "The match ended without a result"),
    ],
)
def test_every_player_gets_a_letter_with_the_secret(match, end, words):
    end(match)
    letters = Letter.objects.filter(kind="finished")
    assert letters.count() == 3
    written = compose(letters.get(recipient__name="Ann"), NOON)
    text, html = split_parts(written.source)[:2]
    for body in (text, html):
        assert words in body
        assert "None" not in body
    assert f">{words}</h1>" in html
    secret = export_match(match, None)["secret"]
    assert secret in text
    assert secret not in html  # it has 64 digits; the page that checks the deal shows it


def test_a_match_ends_once_and_asks_no_question_after_its_end(match):
    endings.annul(match, Event.Origin.ORGANISER, NOON)
    sweep.sweep(NOON.replace(year=2027))
    match.refresh_from_db()
    assert match.events.last().line == "annul"
    with pytest.raises(ValidationError, match="isn’t in progress"):
        endings.annul(match, Event.Origin.ORGANISER, NOON)


def test_an_adjudication_names_every_player_once(match):
    with pytest.raises(ValidationError, match="everyone at the table exactly once"):
        endings.adjudicate(match, [0, 0, 1], Event.Origin.ORGANISER, NOON)
    assert match.phase == "running"
