"""The drawn cards: every variety of every game has a drawing of its own, with a word beside it."""

import re
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import override_settings
from django.utils import translation
from django.utils.html import strip_tags

import games
from beanpost.play.display import scene
from beanpost.play.display.selection import MAX_PIECES, Board
from beanpost.play.display.story import tell_story
from beanpost.play.display.template_functions import draw_card, draw_glyphs
from beanpost.play.display.wording import format_card, quote
from beanpost.play.models import Match
from beanpost.players import accounts
from beanpost.players.models import Player
from games.bohnanza.beans import BEANS
from games.contract.boxes import load_box
from games.pas_de_haricots.deck import DECK
from tests.friends import NOON, seat_friends
from tests.pages.table import asked, press, table_link
from tests.post.gallery import deliver

SVG = "{http://www.w3.org/2000/svg}"
SPRITES = {slug: Path(finders.find(f"games/{slug}/symbols.svg")) for slug in games.GAMES}
SHEET = Path(finders.find("beanpost/tables.css")).read_text()


@pytest.fixture(scope="module")
def drawings():
    return {
        (slug, symbol.get("id")): ElementTree.tostring(symbol)
        for slug, sprite in SPRITES.items()
        for symbol in ElementTree.parse(sprite).iter(f"{SVG}symbol")
    }


def shape(drawing: bytes) -> str:
    """Return a drawing without its colours."""
    return re.sub(r'#[0-9a-f]{3,6}"', '"', drawing.decode().partition(">")[2])


def test_every_variety_has_a_drawing(drawings):
    wanted = {
        "bohnanza": set(BEANS),
        "haricots": {*load_box("haricots")["cards"]},
        "fagioli": {*map(str, load_box("fagioli")["beans"]["values"]), "back"},
        "pas_de_haricots": {f"suit-{card[-1]}" for card in DECK} | {f"rank-{rank}" for rank in "JNQK0"},
        "haricot_magique": {f"die-{face}" for face in load_box("haricot_magique")["faces"]}
        | {f"climb-{card}" for card in load_box("haricot_magique")["cards"]},
    }
    assert {(slug, name) for slug, names in wanted.items() for name in names} == set(drawings)


def test_no_two_drawings_are_alike_even_without_colour(drawings):
    assert len({shape(drawing) for drawing in drawings.values()}) == len(drawings)


def test_the_picture_is_small_and_loads_nothing_else():
    text = "".join(sprite.read_text() for sprite in SPRITES.values())
    assert len(text) < 45_000
    assert not re.search(r"<script|<image|<style|https?://(?!www\.w3\.org/2000/svg)|href=\"[^#]", text)


def test_the_stylesheet_covers_every_numbered_piece():
    assert all(f"#t{number}:checked" in SHEET for number in (1, MAX_PIECES))


@pytest.mark.django_db
@pytest.mark.parametrize("slug", games.GAMES)
def test_every_drawn_card_has_a_text_alternative(slug, client):
    match = seat_friends(slug, games.get(slug).variants[0])
    press(match)
    page = client.get(table_link(match)).content.decode()
    cards = re.findall(r'<span class="card [^"]*drawn[^"]*">(.*?)</span>', page, re.S)
    assert cards
    assert all(re.search(r"</svg><strong>[^<]+", card) for card in cards)


@pytest.mark.django_db
@pytest.mark.parametrize("slug", games.GAMES)
def test_every_piece_that_can_be_tapped_is_on_the_table_and_selects_moves(slug, client):
    match = seat_friends(slug, games.get(slug).variants[0])
    press(match)
    page, board = client.get(table_link(match)).content.decode(), Board(asked(match))
    for number in re.findall(r'id="t(\d+)"', page):
        assert re.search(rf'<button class="[^"]*\bt{number}\b', page)
    if slug in ("haricots", "fagioli", "pas_de_haricots"):
        assert {f'id="t{number}"' in page for number in board.numbers.values()} == {True}


@pytest.mark.django_db
def test_a_suit_is_shown_as_its_symbol_and_read_out_as_a_word(client):
    match = seat_friends("pas_de_haricots", "three")
    line = next(option.line for option in asked(match).question.options)
    page = client.get(table_link(match)).content.decode()
    button = re.findall(rf'value="{line}">(.*?)</button>', page, re.S)[0]
    _, sign, word = games.get("pas_de_haricots").look.glyphs[line.split()[-1]]
    assert f'aria-hidden="true">{sign}' in button
    assert str(word) in button
    assert line[-1] not in strip_tags(button)


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "queen"), [("en", "Q♠"), ("fr", "D♠")])
def test_letters_and_pages_show_cards_with_signs_and_without_notation(language, queen):
    match = seat_friends("pas_de_haricots", "one")
    Player.objects.update(language=language)
    with override_settings(INBOUND_DOMAIN="in.beans.example"):
        deliver()
    letter = match.letters.filter(kind="turn", state="sent").latest("pk")
    with translation.override(language):
        assert format_card("QS", games.get("pas_de_haricots").look) == queen
    for part in (letter.text, strip_tags(letter.html)):
        assert re.search("[0-9JNQKVCDR][♠♥♦♣]", part)
        assert not re.search(r"\b(?:10|[0-9JNQK])[SHDC]\b", re.sub(r"https?://\S+", "", part))


def test_a_name_that_looks_like_a_card_stays_a_name():
    table = SimpleNamespace(rules=games.get("pas_de_haricots"), all_names=["JD", "Bob <7S>", "Cleo", "10", "JD 7S"])
    html = draw_glyphs("“JD” takes JD from “Bob <7S>”.", table)
    assert html == f"“JD” takes {draw_card('JD', 'pas_de_haricots')} from “Bob &lt;7S&gt;”."
    assert draw_glyphs("“JD 7S” plays KH.", table) == f"“JD 7S” plays {draw_card('KH', 'pas_de_haricots')}."
    by_order = draw_glyphs("Played by your order “take 7S”.", table)
    assert by_order == f"Played by your order “take {draw_card('7S', 'pas_de_haricots')}”."


@pytest.mark.django_db
@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
@pytest.mark.parametrize("game", games.GAMES)
def test_a_player_named_like_a_card_is_distinguished_in_every_game(game, language):
    match = seat_friends(game, games.get(game).variants[0])
    for _ in range(12):
        press(match)
    with translation.override(language):
        plain = sentences(match)
        called = {"Ann": "7S", "Bob": "12", "Cleo": "KD"}
        for name, card in called.items():
            match.places.filter(name=name).update(name=card)
        renamed = [re.sub("Ann|Bob|Cleo", lambda found: quote(called[found[0]]), text) for text in plain]
        assert any(text != same for text, same in zip(plain, renamed, strict=True))
        assert sentences(match) == renamed


def sentences(match) -> list[str]:
    """Return the texts of a page: the log for a bystander, the question and the moves for the asked player."""
    shown, own = scene.build_scene(match, None), asked(match)
    texts = [line.text for line in tell_story(shown.match, shown.reader)] + [
        own.question.text,
        own.question.default_clause,
    ]
    texts += [text for option in own.question.options for text in (option.label, option.brief)]
    return [draw_glyphs(text, shown) for text in texts]


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "name"), [("en", "“7S”"), ("fr", "« 7S »")])
def test_a_player_named_like_a_card_is_distinguished_in_letters(language, name):
    match = seat_friends("pas_de_haricots", "three")
    first = asked(match).place
    match.places.filter(pk=first.pk).update(name="7S")
    reader = match.places.exclude(pk=first.pk).first()
    accounts.change(reader.player, language=language)
    press(match)
    deliver()
    letter = match.letters.filter(recipient=reader.player, kind="turn", state="sent").latest("pk")
    assert all(name in body.replace("\xa0", " ") for body in (letter.text, unescape(letter.html)))


@pytest.mark.django_db
def test_the_name_of_a_former_player_stays_a_name_too():
    match = seat_friends("pas_de_haricots", "three")
    press(match)
    place = match.places.get(seat=match.events.filter(seat__gte=0).last().seat)
    match.departures.create(seat=place.seat, player=place.player, name="7S", seq=match.events.count() + 1, left_at=NOON)
    match.places.filter(pk=place.pk).update(card_name=place.name, seated=match.events.count() + 1)
    shown = scene.build_scene(Match.objects.get(pk=match.pk), None)
    named = [line.text for line in tell_story(shown.match, shown.reader) if line.text.startswith("“7S” ")]
    assert named
    assert all(draw_glyphs(text, shown).startswith("“7S” ") for text in named)
