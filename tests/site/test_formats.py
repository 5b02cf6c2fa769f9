"""Dates and times as people write them, in Django's formats or ours."""

from datetime import UTC, date, datetime

import pytest
from django.template import Context, Template
from django.utils import translation
from django.utils.formats import localize

from beanpost.play.display import wording

FIRST, SECOND = datetime(2027, 5, 1, 8, tzinfo=UTC), datetime(2027, 5, 2, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("fr", ("1er mai 2027", "2 mai 2027", "1er mai", "samedi 1er mai à 8\u00a0h\u00a000 (UTC)", "1er mai")),
        ("en", ("1 May 2027", "2 May 2027", "1 May", "Sat 1 May, 08:00 (UTC)", "1 May")),
    ],
)
def test_the_first_of_a_month_is_an_ordinal_in_french(language, expected):
    with translation.override(language):
        page = Template('{{ at|date:"j F" }}').render(Context({"at": date(2027, 5, 1)}))
        by_us = (wording.format_day(FIRST), wording.format_time(FIRST), page)
        assert (localize(FIRST.date()), localize(SECOND.date()), *by_us) == expected


def test_short_dates_in_the_office_do_not_begin_with_the_month():
    short = Template('{{ at|date:"SHORT_DATE_FORMAT" }} · {{ at|date:"SHORT_DATETIME_FORMAT" }}')
    texts = {}
    for language in ("en", "fr"):
        with translation.override(language):
            texts[language] = short.render(Context({"at": SECOND}))
    assert texts == {"en": "2 May 2027 · 2 May 2027, 08:00", "fr": "02/05/2027 · 02/05/2027 08:00"}
