"""Letters are set in type as Django would write them, to the byte."""

import pytest
import time_machine
from django.template import Engine
from django.utils.safestring import mark_safe

from beanpost.play.models import Place
from beanpost.post import typesetting
from tests.friends import NOON
from tests.in_both_ways import Compared, as_django_writes
from tests.leagues.gallery import write_league
from tests.post.gallery import write_every_game, write_every_kind

pytestmark = pytest.mark.django_db


GALLERIES = [(write_every_kind, "fr"), (write_league, "fr"), (write_every_game, "en")]


@pytest.mark.parametrize(("write", "language"), GALLERIES)
def test_every_letter_in_type_is_as_django_writes_it(write, language, monkeypatch):
    compared = Compared(monkeypatch)
    with time_machine.travel(NOON, tick=False):  # links tell the second in which they were signed
        letters = write(language).values()
    assert compared.wrong == set()
    assert compared.seen >= {
        f"letters/{letter.kind}.{part}" for letter in letters for part in ("subject.txt", "txt", "html")
    }


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """Templates of our own. They have names of their own too: what was set once stays in type."""
    engine = Engine(dirs=[tmp_path], builtins=["django.templatetags.i18n"])
    monkeypatch.setattr(Engine, "get_default", lambda: engine)
    return tmp_path


LAYOUTS = [
    "{{ missing }}|{{ missing.deep|default:'-' }}|{{ name }}|{{ name|upper }}|{{ safe }}|{{ count }}",
    "{{ half }}|{{ none }}|{{ pairs.0.1 }}|{{ about.where }}|{{ about.items|length }}",
    "{% if name == 'Ann <b>' and not missing %}a{% elif count > 2 %}b{% else %}c{% endif %}",
    "{% if missing.deep > 2 or count in items %}a{% else %}b{% endif %}",
    "{% for item in items %}{{ forloop.counter }}{% if not forloop.last %},{% endif %}{% empty %}none{% endfor %}",
    "{% for item in items %}{{ forloop.revcounter }}{{ forloop.revcounter0 }}{{ forloop.first }} {% endfor %}",
    "{% for item in items %}{% if item in items and 9 not in items %}{{ item }}{% endif %}{% endfor %}",
    "{% for item in missing %}{{ item }}{% empty %}none{% endfor %}",
    "{% for item in items reversed %}{{ item }}{% endfor %}",
    "{% for key, value in pairs %}{{ key }}={{ value }}{{ forloop.parentloop.counter }} {% endfor %}{{ key }}",
    "{% with short=name|slice:':3' %}{{ short }}{% endwith %}{{ short }}",
    "{% translate 'So far' as heading %}{{ heading|upper }}{% translate 'So far' %}{% translate name %}",
    "{% blocktranslate with who=name %}Hello, {{ who }}: 5 %{% endblocktranslate %}{{ who }}",
    "{% blocktranslate count n=count asvar told %}one{% plural %}{{ n }} {{ name }}{% endblocktranslate %}{{ told }}",
    "{{ call }}{{ text.upper }}{% filter upper %}{{ name }}{% endfilter %}",
    "{% translate 'a & b'|upper %}{% translate 'a'|add:name %}{% translate 'May' context text %}",
    "{% for item in items %}{% if forloop.first %}{% translate 'So far' as word %}{% endif %}{{ word }}{% endfor %}",
    "{% for key, value in pairs %}{% if forloop.first %}{% translate 'a' as word %}{% endif %}{{ word }}{% endfor %}",
    "{% blocktranslate with n=count count c=n %}one{% plural %}{{ c }} of {{ n }}{% endblocktranslate %}",
    "{% if name|default:missing %}a{% else %}b{% endif %}{{ lost.player }}{% if lost.player %}a{% else %}b{% endif %}",
    "{{ hostile }}|{{ hostile|upper }}|{% blocktranslate %}By {{ hostile }}.{% endblocktranslate %}",
    "{% blocktranslate asvar told %}By {{ hostile }}.{% endblocktranslate %}{{ told }}|{{ told|upper }}",
    "{% autoescape off %}{{ hostile }}{% endautoescape %}|{% autoescape on %}{{ hostile }}{% endautoescape %}",
    "{{ safe|upper }}|{{ safe|lower }}|{{ safe|add:name }}|{{ parts|join:name }}|{{ hostile|linebreaksbr }}",
]  # fmt: skip
SAID = {
    "name": "Ann <b>", "count": 3, "half": 0.5, "none": None, "items": [1, 2, 3], "pairs": [("a", 1), ("b", 2)],
    "about": {"where": "here"}, "call": lambda: "called", "text": "word", "lost": Place(player_id=1),
    "safe": mark_safe("<i>so</i>"), "parts": ["<a>", mark_safe("<br>")], "hostile": "</p>{{ x }} %(a)s %s\n\u202e'\"&",
}  # fmt: skip


@pytest.mark.parametrize("escaped", [True, False])
@pytest.mark.parametrize("number", range(len(LAYOUTS)))
def test_every_tag_in_type_is_as_django_writes_it(number, escaped, shelf):
    (shelf / f"layout-{number}.html").write_text(LAYOUTS[number])
    expected = as_django_writes(f"layout-{number}.html", SAID, escaped=escaped)
    assert typesetting.filled(f"layout-{number}.html", SAID, escaped=escaped) == expected


def test_what_a_block_or_an_included_template_names_is_forgotten_after_it(shelf):
    (shelf / "forms-outer.txt").write_text("{% block a %}outer{% endblock %}[{{ word }}]{% block b %}b{% endblock %}")
    (shelf / "forms-inner.txt").write_text(
        "{% translate 'x' as word %}{{ word }}{{ given }}{% block a %}own{% endblock %}"
    )
    (shelf / "forms.txt").write_text(
        "{% extends 'forms-outer.txt' %}{% block a %}{% include 'forms-inner.txt' with given=name %}"
        "{% include part only %}{{ word }}{{ given }}{% endblock %}"
    )
    said = {**SAID, "part": "forms-inner.txt"}
    assert typesetting.filled("forms.txt", said, escaped=False) == "xAnn <b>ownxown[]b"
    assert as_django_writes("forms.txt", said, escaped=False) == "xAnn <b>ownxown[]b"
