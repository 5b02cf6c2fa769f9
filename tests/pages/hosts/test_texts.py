"""The host's own site: name, footer, texts, logo, colour and templates."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.http import HttpResponse

from beanpost.post.models import Letter
from beanpost.post.outbox import queue
from beanpost.site import identity, static_files
from tests.friends import NOON, welcome
from tests.post.gallery import deliver
from tools import catalogues

ROOT = Path(__file__).parents[3]
OWN_WORDS = r"""
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\n"

msgid "Privacy"
msgstr "Vos données"
"""
pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path, settings):
    (tmp_path / "texts").mkdir()
    (tmp_path / "static").mkdir()
    settings.SITE_FOLDER = tmp_path
    return tmp_path


def footer(client, language="en"):
    front = client.get("/", headers={"accept-language": language}).content.decode()
    return front.partition('<footer class="foot">')[2]


def test_the_footer_names_the_licence_and_links_the_source(client, settings):
    assert "Free software, AGPL-3.0-or-later" in footer(client)
    settings.SOURCE_URL = "https://code.example/beanpost"
    assert '<a href="https://code.example/beanpost">Source code (AGPL-3.0-or-later)</a>' in footer(client)


def test_the_host_names_the_site(client, settings):
    settings.SITE_NAME, settings.SITE_FOOTER = "Bean & Co", "Card games for <friends>"
    page = client.get("/rules/").content.decode()
    assert re.search(r"<title>.* · Bean &amp; Co</title>", page)
    assert '<span class="word">Bean &amp; Co</span>' in page
    assert "Card games for &lt;friends&gt;" in page
    front = client.get("/").content.decode()
    assert "<title>Card games by email · Bean &amp; Co</title>" in front
    settings.SITE_FOOTER = ""
    assert "<p>Bean &amp; Co: card games by email.</p>" in footer(client)


@pytest.mark.parametrize(
    ("language", "unnamed", "named"),
    [("en", "This site runs Beanpost", "Bean Club runs Beanpost"),
     ("fr", "Ce site fait tourner Beanpost", "Bean Club fait tourner Beanpost")],
)  # fmt: skip
def test_the_about_page_names_the_host_only_if_the_host_has_a_name(language, unnamed, named, client, settings):
    for name, sentence in (("Beanpost", unnamed), ("Bean Club", named)):
        settings.SITE_NAME = name
        assert f"<p>{sentence}" in client.get("/about/", headers={"Accept-Language": language}).content.decode()


def test_the_office_has_the_hosts_name_and_logo(client, admin_client, folder, settings):
    settings.SITE_NAME = "Bean & Co"
    (folder / "static/logo.svg").write_text("<svg/>")
    page = client.get("/admin/login/").content.decode()
    assert "Bean &amp; Co</title>" in page
    assert '<img src="/static/logo.svg"' in page
    assert "bean.svg" not in page
    assert "Beanpost" not in page
    first = admin_client.get("/admin/").content.decode()
    assert re.search(r'<img src="/static/logo.svg"[^>]*> Bean &amp; Co</p>', first)


@pytest.mark.parametrize(
    ("kind", "subject"),
    [
        ("sign_in", "Sign in to Bean & Co"),
        ("settings", "Your details at Bean & Co"),
        ("erase", "Delete your data at Bean & Co"),
    ],
)
def test_subjects_of_letters_name_the_site(settings, kind, subject):
    settings.SITE_NAME = "Bean & Co"
    ann = welcome("Ann")
    queue.queue(ann, kind, "x", {"session": ann.sessions, "visit": ann.visits}, now=NOON)
    deliver()
    assert Letter.objects.get(kind=kind).subject == subject


@pytest.mark.parametrize(
    ("contact", "link"),
    [("olga@beans.example", "mailto:olga@beans.example"), ("https://b.example/", "https://b.example/")],
)
def test_the_footer_links_to_the_contact(client, settings, contact, link):
    assert "Contact" not in footer(client)
    settings.SITE_CONTACT = contact
    assert f'<a href="{link}">Contact</a>' in footer(client)


@pytest.mark.parametrize(("language", "title"), [("en", "Privacy"), ("fr", "Confidentialité")])
def test_the_default_privacy_text_says_what_is_stored(client, language, title):
    page = client.get("/privacy/", headers={"accept-language": language}).content.decode()
    assert f"<h1>{title}</h1>" in page
    assert "<table>" in page
    assert re.search(r"30 (days|jours)", page)
    assert f'href="/privacy/">{title}<' in footer(client, language)


def test_texts_that_nobody_has_written_are_neither_linked_nor_shown(client):
    assert "/imprint/" not in footer(client)
    assert client.get("/imprint/").status_code == 404
    assert client.get("/about/").status_code == 200


def test_the_hosts_texts_are_shown_in_the_readers_language(client, folder):
    (folder / "texts/imprint.fr.md").write_text("Olga, *rue des Haricots*")
    (folder / "texts/imprint.md").write_text("# Who runs this\n\nOlga, <b>Bean Street</b> [x](javascript:alert(1))")
    (folder / "texts/privacy.en.md").write_text("We keep nothing.")
    english = client.get("/imprint/").content.decode()
    assert "<h1>Who runs this</h1>" in english
    assert "&lt;b&gt;Bean Street" in english
    assert 'href="javascript' not in english
    french = client.get("/imprint/", headers={"accept-language": "fr"}).content.decode()
    assert "<h1>Mentions légales</h1>" in french
    assert "<em>rue des Haricots</em>" in french
    assert "We keep nothing." in client.get("/privacy/").content.decode()
    assert "/imprint/" in footer(client)


def test_an_imprint_in_one_language_is_shown_to_everyone(client, folder):
    (folder / "texts/imprint.fr.md").write_text("Olga, rue des Haricots")
    (folder / "texts/privacy.fr.md").write_text("Nous ne gardons rien.")
    assert "rue des Haricots" in client.get("/imprint/").content.decode()
    assert "/imprint/" in footer(client)
    assert "What we store" in client.get("/privacy/").content.decode()  # our own default, in the reader's language


def test_the_hosts_logo_replaces_the_bean(folder):
    assert identity.site().logo == "beanpost/bean.svg"
    (folder / "static/logo.svg").write_text("<svg/>")
    assert identity.site().logo == "logo.svg"


def test_a_logo_that_was_added_after_collectstatic_is_served(folder, rf):
    (folder / "static/logo.svg").write_text("<svg/>")
    storage = static_files.HashedStorage()
    storage.hashed_files = {"beanpost/site.js": "beanpost/site.1f0.js"}
    assert storage.url("logo.svg") == "/static/logo.svg"
    answer = static_files.StaticFilesMiddleware(lambda request: HttpResponse("a page"))(rf.get("/static/logo.svg"))
    assert b"".join(answer.streaming_content) == b"<svg/>"
    answer.close()
    with pytest.raises(ValueError, match="no-such-file"):
        storage.url("beanpost/no-such-file.css")


def test_the_hosts_templates_logo_and_words_are_used(tmp_path):
    """Settings read the folder once, so this takes a process of its own."""
    for name in ("templates/pages", "static", "texts", "locale/fr/LC_MESSAGES"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "templates/pages/rules_shelf.html").write_text("My own shelf")
    (tmp_path / "static/logo.svg").write_text("<svg/>")
    catalogue = tmp_path / "locale/fr/LC_MESSAGES/django.po"
    catalogue.write_text(OWN_WORDS)
    catalogue.with_suffix(".mo").write_bytes(catalogues.compile_catalogue(catalogue))
    code = (
        "import django; django.setup()\n"
        "from django.utils import translation; translation.activate('fr')\n"
        "from django.template.loader import render_to_string\n"
        "from django.contrib.staticfiles import finders\n"
        "print(render_to_string('pages/rules_shelf.html', using='jinja2'), finders.find('logo.svg'))\n"
        "print(translation.gettext('Privacy'), translation.gettext('Imprint'))"
    )
    env = {"SITE_FOLDER": str(tmp_path), "SECRET_KEY": "k" * 50, "BEANPOST_VAR": str(tmp_path / "var")}
    env["DJANGO_SETTINGS_MODULE"] = "beanpost.settings"
    done = subprocess.run([sys.executable, "-c", code], env=env, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == f"My own shelf {tmp_path}/static/logo.svg\nVos données Mentions légales\n"


def test_the_accent_colour_is_a_stylesheet_of_its_own(client, settings):
    assert client.get("/colours.css").status_code == 404
    assert "/colours.css" not in client.get("/").content.decode()
    settings.ACCENT_COLOUR = "#1a4f8a"
    assert '<link rel="stylesheet" href="/colours.css">' in client.get("/").content.decode()
    sheet = client.get("/colours.css")
    assert sheet.headers["Content-Type"] == "text/css; charset=utf-8"
    assert "--leaf:#1a4f8a" in sheet.content.decode()
    tint = identity.lighten_for_dark_pages("#1a4f8a")
    assert identity.measure_contrast(tint, identity.PAPER["dark"]) >= 4.5
    assert f"--leaf:{tint}" in sheet.content.decode()


def test_a_colour_that_white_text_cannot_be_read_on_is_refused(settings):
    settings.ACCENT_COLOUR = "#ffd000"
    with pytest.raises(SystemCheckError, match="ACCENT_COLOUR"):
        call_command("check")


def test_every_text_has_a_label():
    assert set(identity.list_labels()) == set(identity.TEXTS)
