"""The front page's sample letter: a real letter about a fixed game, between people who do not exist."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any

from django.utils import timezone, translation
from django.utils.html import format_html
from django.utils.safestring import SafeString

from beanpost.play.display.template_functions import find_sprite
from beanpost.play.load import LoadedMatch
from beanpost.play.models import Event, Match, Place, Vault, Wait
from beanpost.play.pace import parse_pace
from beanpost.players.models import Player
from beanpost.post.compose import letter as compose
from beanpost.post.compose import plain_text
from beanpost.post.compose.album import SIZE, TILE, Album
from beanpost.post.compose.contents import build_contents
from beanpost.post.models import Letter
from games.contract.seats import DEALER
from games.engine import bots, catalogue
from games.engine.dealer import Seeded
from games.engine.table import Table

GAME, VARIANT, NAMES = "haricots", "sprint", ("Ann", "Bob", "Cleo")
SECRET = b"pinto"
LINES = 7  # then it is Ann's turn
PACE = "daily"


def render_sample(today: date) -> str:
    """Return the letter in the active language and time zone, for a frame of the front page."""
    return render_in_language(translation.get_language() or "en", timezone.get_current_timezone_name(), today)


@lru_cache(maxsize=64)
def render_in_language(language: str, zone: str, today: date) -> str:
    """Render the letter once a day for each language and zone, which must be the active ones."""
    asked_at = datetime.combine(today, time(8), UTC)
    reader = Player(0, name=NAMES[0], language=language, zone=zone)
    match = build_match(reader, asked_at)
    values = {"opened": match.length, "since": match.length}
    letter = Letter(compose.NO_ROW, recipient=reader, match=match, kind="turn", values=values, due_at=asked_at)
    context = build_contents(letter)
    assert context is not None
    context = {**context, "first": True, "sent_count": 0, "fewer_ticket": "", "answerable": False}
    return plain_text.keep_html(compose.render(letter, {**context, "album": SymbolsOfPages()}))


class SymbolsOfPages(Album):
    """An album of the symbols that the front page loads anyway. With PNGs the page would be half as large again."""

    def add_picture(self, game: str, *words: object, size: int = SIZE) -> SafeString:
        symbol = "-".join(map(str, words))
        image = '<svg class="picture" style="background: {}" width="{}" height="{}"><use href="{}#{}"/></svg>'
        return format_html(image, TILE, size, size, find_sprite(game), symbol)


def build_match(reader: Player, asked_at: datetime) -> Match:
    """Return the match with its rows, as `load.load_matches` would load them. Nothing is stored."""
    table = play_table()
    match = Match(0, code="sample", game=GAME, edition=table.rules.edition, variant=VARIANT, seats=len(NAMES))
    match.pace, match.allowance, match.keeper = PACE, parse_pace(PACE).allowance, reader
    match.phase, match.length, match.started_at = Match.Phase.RUNNING, len(table.lines), asked_at
    rows = LoadedMatch(match)
    rows.orders, rows.notes, rows.proposals, rows.absences = [], [], [], []
    rows.vault = Vault(match=match, secret=b"")
    rows.places = [Place(seat=seat, match=match, name=name) for seat, name in enumerate(NAMES)]
    rows.places[0].player = reader
    rows.events = [
        Event(
            match=match,
            seq=seq,
            seat=entry.seat,
            line=entry.line,
            origin=Event.Origin.DEALER if entry.seat == DEALER else Event.Origin.PLAYER,
            said_at=asked_at,
        )
        for seq, entry in enumerate(table.lines, 1)
    ]
    due = {"due_at": asked_at + timedelta(days=1), "since": asked_at, "asked_at": asked_at}
    rows.waits = {0: Wait(match=match, seat=0, about="", opened=match.length, **due)}
    match.loaded = rows
    return match


def play_table() -> Table[Any, Any]:
    """Return the table after the moves of the sample game."""
    table = catalogue.open(GAME, seats=len(NAMES), variant=VARIANT)
    return bots.play_to_end(table, Seeded(SECRET), [table.rules.bot] * len(NAMES), most=LINES)
