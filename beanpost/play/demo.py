"""Demo data: a few players, an organiser, and matches to play (seeds/demo.toml)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction

from beanpost.play import load, moves
from beanpost.play.automatic_players import AutomaticPlayers
from beanpost.play.log.storage import NewLine
from beanpost.play.models import Event, Match
from beanpost.play.seats import joining, opening
from beanpost.players import accounts
from beanpost.players.models import Player
from games.contract.boxes import load_box
from games.engine.table import Table

DEMO = load_box("demo")
TABLES: list[dict[str, Any]] = DEMO["matches"]
ORGANISER: tuple[str, str] = (DEMO["organiser"]["name"], DEMO["organiser"]["password"])


@transaction.atomic
def plant(now: datetime, tables: Sequence[dict[str, Any]] = TABLES) -> list[Match]:
    """Create what is missing of the organiser, the players and the running matches. Return the new matches."""
    people = get_user_model().objects
    if not people.filter(username=ORGANISER[0]).exists():
        people.create_superuser(ORGANISER[0], DEMO["organiser"]["address"], ORGANISER[1])
    players = [
        accounts.get_or_create_player(guest["address"], name=guest["name"], now=now) for guest in DEMO["players"]
    ]
    return [open_demo_match(table, players, now) for table in tables if not is_running(table)]


def is_running(table: dict[str, Any]) -> bool:
    running = Match.objects.filter(phase=Match.Phase.RUNNING, keeper__address=DEMO["players"][0]["address"])
    return running.filter(game=table["game"], variant=table["variant"]).exists()


def open_demo_match(table: dict[str, Any], players: list[Player], now: datetime) -> Match:
    """Open a match among the demo's players and confirm all of them, so that it begins."""
    keeper, *guests = players[: table["seats"]]
    planned = opening.plan(keeper, **table, open_to_all=False, bots=0, addresses=[guest.address for guest in guests])
    words = [guest["word"] for guest in DEMO["players"]]
    match = opening.open_match(planned, keeper, now=now)
    joining.set_word(match.places.get(player=keeper), words[0])
    for guest, word in zip(guests, words[1:], strict=False):
        joining.accept_invitation(match.places.get(player=guest), name=guest.name, word=word, now=now)
    return match


@transaction.atomic
def play_out(match: Match, now: datetime) -> None:
    """Play a match to its end in one step: everybody plays as the game's bot would, in their own name."""
    loaded = load.load_match(match.pk, lock=True)
    table, automatic = loaded.table, AutomaticPlayers(loaded, log_length=loaded.match.length)
    lines: list[NewLine] = []
    while table.result is None:
        line = automatic.answer(table) or play_as_bot(table)
        table = table.says(line.seat, line.line)
        lines.append(line)
    moves.follow_up(loaded, table, lines, now=now)


def play_as_bot(table: Table[Any, Any]) -> NewLine:
    """Return the bot's line for the first seat that the table waits for."""
    ask = next(ask for ask in table.asks if ask.default)
    return NewLine(ask.seat, str(table.rules.bot(table.view(ask.seat), ask) or ask.default), Event.Origin.PLAYER)
