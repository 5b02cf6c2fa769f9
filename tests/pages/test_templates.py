"""Templates of letters and pages: strict about undefined names, escaped by extension, separate from the admin's."""

import re
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings
from django.template import TemplateDoesNotExist, engines
from django.template.loader import get_template, render_to_string
from django.urls import reverse
from django.utils.translation import override
from jinja2 import UndefinedError, nodes
from whitenoise.storage import CompressedManifestStaticFilesStorage

from beanpost.i18n.translations import functions
from beanpost.leagues.models import League, Season
from beanpost.play.models import Match, Note, Place
from beanpost.players.models import Player
from beanpost.post.compose import plain_text
from beanpost.site import links
from beanpost.site.static_files import HashedStorage
from tests import friends
from tests.browser import Browser
from tests.friends import NOON
from tests.leagues.gallery import write_league
from tests.pages import gallery
from tests.post.gallery import write_every_game, write_every_kind

NAMED = "O'Neil <b>&"
ESCAPED = "O&#39;Neil &lt;b&gt;&amp;"
TWICE = re.compile(r"&amp;(?:amp|lt|gt|#39|#34);")
LINK = re.compile(r"^https?://\S+$", re.MULTILINE)
HOME = {f"{settings.SITE_URL}/"}  # the letterhead in HTML
IN_A_MAIL = re.compile(r"&(?:amp|lt|gt|#\d+);")


def environment():
    return engines["jinja2"].env


def tree(name):
    return environment().parse(environment().loader.get_source(environment(), name)[0], name)


NAMES = environment().list_templates()
STATE = {"loaded", "events", "vault", "memory", "steps"}  # attributes that lead to hidden cards


def test_no_template_asks_for_the_state_of_a_match():
    asked = [(name, node.attr) for name in NAMES for node in tree(name).find_all(nodes.Getattr) if node.attr in STATE]
    assert asked == []


def test_every_template_compiles():
    assert "letters/turn.html" in NAMES
    assert [environment().get_template(name).name for name in NAMES] == NAMES


@pytest.mark.parametrize(
    ("name", "is_escaped"),
    [("a.html", True), ("a.svg", True), ("a.txt", False), ("a.unknown", True)],
)
def test_the_extension_decides_whether_values_are_escaped(name, is_escaped):
    assert environment().autoescape(name) is is_escaped


def test_an_undefined_name_fails_instead_of_printing_nothing():
    template = environment().from_string("{{ scene.qestion }}")
    with pytest.raises(UndefinedError):
        template.render(scene=object())
    with pytest.raises(UndefinedError):
        environment().from_string("{% if reedy %}x{% endif %}").render()


def test_no_template_switches_escaping_off():
    unsafe = {name for name in NAMES for node in tree(name).find_all(nodes.Filter) if node.name == "safe"}
    unsafe |= {name for name in NAMES for _ in tree(name).find_all(nodes.ScopedEvalContextModifier)}
    assert unsafe == set()


def test_a_text_included_in_html_is_escaped_as_a_whole():
    """An included .txt escapes nothing itself."""
    bare = [name for name in NAMES if not name.endswith((".txt", ".css")) for _ in included_bare(tree(name))]
    assert bare == []


def included_bare(node, escaped=False):
    """Return the texts that are included in a tree, but not within `{% filter forceescape %}`."""
    if isinstance(node, nodes.Include) and not escaped and str(getattr(node.template, "value", "")).endswith(".txt"):
        yield node
    escaped = escaped or (isinstance(node, nodes.FilterBlock) and node.filter.name == "forceescape")
    for child in node.iter_child_nodes():
        yield from included_bare(child, escaped)


def test_the_two_engines_share_no_folder():
    _, django = settings.TEMPLATES
    assert "DIRS" not in django
    folders = [Path(folder) for folder in environment().loader.searchpath]  # Django's are called templates, in an app
    assert folders[0] == settings.BASE_DIR / "templates"
    assert {folder.name for folder in folders[1:]} == {"jinja2"}
    assert not [name for name in NAMES if name.startswith("admin/")]
    with pytest.raises(TemplateDoesNotExist):
        get_template("pages/home.html", using="django")
    assert get_template("admin/login.html").backend.name == "django"


def test_texts_are_translated_into_the_language_of_each_rendering():
    shown = {}
    for language in ("en", "fr", "en"):
        with override(language):
            shown[language] = render_to_string("games/haricots/table.txt", table() | functions(), using="jinja2")
    assert "The table is empty." in shown["en"]
    assert "Il n’y a pas de cartes sur la table." in shown["fr"]


def table():
    view = {"rounds": 1, "seats": [], "lying": (), "phase": "playing", "hand": ()}
    return {"view": view, "names": []}


@pytest.mark.parametrize(("name", "args"), [("home", ()), ("move", ("a:b-c",)), ("season", ("beans", 3))])
def test_a_cached_path_is_the_one_django_reverses(name, args):
    assert links.path(name, *args) == links.path(name, *args) == reverse(name, args=args)


def test_the_url_of_a_static_file_is_looked_up_once(monkeypatch):
    asked = []
    monkeypatch.setattr(
        CompressedManifestStaticFilesStorage, "url", lambda self, name, force: asked.append(name) or "/x"
    )
    names = HashedStorage()
    assert [names.url("beanpost/bean.svg") for _ in range(3)] == ["/x"] * 3
    assert asked == ["beanpost/bean.svg"]


# ── a hostile name ──


@pytest.fixture
def hostile_names(monkeypatch):
    for name in friends.NAMES:
        monkeypatch.setitem(friends.CALLED, name, f"{NAMED} {name[0]}")


@pytest.mark.django_db
@pytest.mark.usefixtures("hostile_names")
@pytest.mark.time_machine(NOON, tick=False)  # so that a link is signed alike in both parts
@pytest.mark.parametrize("write", [write_every_kind, write_league, write_every_game])
def test_every_letter_has_all_words_and_links_in_both_parts_even_with_hostile_names(write, monkeypatch):
    rendered = []
    read = plain_text.read_text
    monkeypatch.setattr(plain_text, "read_text", lambda source: rendered.append((source, text := read(source))) or text)
    letters = write("en").values()
    named = [letter for letter in letters if NAMED in " ".join(letter.text.split())]
    assert len(named) > len(letters) / 4
    for letter in letters:
        assert not IN_A_MAIL.search(letter.subject + letter.text), letter.kind
        assert "O'Neil <b>" not in letter.html, letter.kind
        assert not TWICE.search(letter.html), letter.kind
        assert find_links(letter.html) == {*LINK.findall(letter.text)} | HOME, letter.kind
    for letter in named:
        assert NAMED in unescape(letter.html), letter.kind
    for source, text in rendered:
        assert list_words(text) == list_words(strip_tags(source))


def find_links(html):
    return {unescape(link) for link in re.findall(r'href="([^"]+)"', html)} | HOME


def strip_tags(source):
    """Return the words of a rendered letter, without those that only its HTML has: the letterhead and what is drawn."""
    body = plain_text.HTML_ONLY.sub("", source.partition("<body>")[2])
    return unescape(re.sub(r"<[^>]+>", " ", body))


def list_words(text):
    """Return the words of a text without its links, and without signs such as the colon before them."""
    return re.sub(r"https?://\S+|[-:·]+(?=\s|$)", " ", text.casefold()).split()


@pytest.mark.django_db
@pytest.mark.usefixtures("hostile_names")
@pytest.mark.parametrize("write", [write_every_kind, write_league])
def test_every_letter_to_a_players_own_address_has_one_link_for_letters_forwarded_by_mistake(write):
    for kind, letter in write("en").items():
        counts = [sum(map(content.count, ("/renew/", "/renew-all/"))) for content in (letter.text, letter.html)]
        assert counts == ([0, 0] if "to" in letter.values else [1, 1]), kind


@pytest.mark.django_db
@pytest.mark.urls("tests.pages.demo_urls")
@pytest.mark.usefixtures("demo")
@pytest.mark.time_machine(NOON, tick=False)
def test_a_hostile_name_is_escaped_on_every_page():
    pages = gallery.every_page() | gallery.tables_of_every_game() | gallery.ends_of_every_game()
    pages |= gallery.every_letter_page(Match.objects.filter(phase="running").latest("pk"))
    pages |= gallery.in_a_league() | gallery.list_signed_in_pages()
    Season.objects.filter(name="Autumn").update(name=NAMED)  # the other one needs a name of its own
    for model, field in [(Player, "name"), (Place, "name"), (Place, "word"), (Note, "text"), (League, "name"),
                         (League, "about")]:  # fmt: skip
        model.objects.update(**{field: NAMED})
    visitor = Browser()
    cookie = gallery.signed_in(Player.objects.get(address="ann@example.org"), "")
    visitor.cookies[settings.SESSION_COOKIE_NAME] = cookie["value"]
    named = set()
    for title, address in pages.items():
        answer = visitor.get(address)
        if not answer.headers["Content-Type"].startswith("text/html"):
            continue
        page = answer.content.decode()
        assert "O'Neil <b>" not in page, title
        assert not TWICE.search(page), title
        assert "&lt;p&gt;" not in page, title
        named |= {title} if ESCAPED in page else set()
    assert named >= {"one move", "all moves", "running match", "notes", "league", "season", "my games"}
