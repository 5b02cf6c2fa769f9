"""Rules stand on what they are for, as css_inline writes them."""

import re

import pytest

from beanpost.post import styling
from tests.leagues.gallery import write_league
from tests.post.gallery import write_every_game, write_every_kind

GALLERIES = [(write_every_kind, "fr"), (write_league, "en"), (write_every_game, "fr")]
PAGE = "<!DOCTYPE html><html><head><style>{}</style></head><body>{}</body></html>"


def as_a_whole(html):
    """As css_inline writes it. What stands after the end it would move."""
    return in_order(styling.INLINER.inline(html.rstrip()).replace(' style="', '\nstyle="'))


def in_order(html):
    """With what each tag has in the order of the alphabet; css_inline puts it in any. Nor does it leave entities."""
    return re.sub(r'(?:\s[\w-]+="[^"]*")+', lambda has: "".join(sorted(re.findall(r'\s[\w-]+="[^"]*"', has[0]))), html)


@pytest.mark.django_db
@pytest.mark.parametrize(("write", "language"), GALLERIES)
def test_every_letter_is_styled_as_css_inline_would_do_it(write, language, monkeypatch):
    remembered, styled = styling.inlined, []

    def in_both_ways(html):
        written = remembered(html)
        styled.append(in_order(written.rstrip().replace("\xa0", "&nbsp;")) == as_a_whole(html))
        return written

    monkeypatch.setattr(styling, "inlined", in_both_ways)
    write(language)
    assert styled
    assert all(styled)


RULES = "a { color: green } .panel p { margin: 0 } .me td { color: red } @media print { a { color: black } }"
BODIES = [
    '<p>1</p><div class="panel"><p>2<br>3</p></div><p>4</p>',
    '<table role="presentation"><tbody><tr class="me"><td width="3">1</td></tr><tr><td>2</td></tr></tbody></table>',
    '<p><a class="b" href="/x/?a=1&amp;b=2">1</a> <a href="/y/">2</a></p><div class="panel"><a href="/z/">3</a></div>',
]


@pytest.mark.parametrize("body", BODIES)
def test_a_rule_stands_where_it_is_for_and_nowhere_else(body):
    html = PAGE.format(RULES, body)
    assert in_order(styling.inlined(html)) == as_a_whole(html)
    assert in_order(styling.inlined(html)) == as_a_whole(html)  # from memory


def test_what_is_each_letters_own_is_not_remembered():
    def written(number):
        return styling.inlined(PAGE.format(RULES, f'<a class="b" href="/m/{number}/" aria-label="Play {number}">1</a>'))

    assert 'class="b" href="/m/7/" aria-label="Play 7"\nstyle="color: green;">' in written(7)
    place = styling.read(RULES).page["body"][0]
    known = set(place)
    assert 'href="/m/8/"' in written(8)
    assert set(place) == known
