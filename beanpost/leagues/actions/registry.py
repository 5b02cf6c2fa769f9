"""All actions, by the kind of row they belong to, in the order in which pages show them.

The admin shows the preview, asks for a reason, runs the action and writes to the people it concerns. It decides
nothing.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Model

from beanpost.leagues.actions.action import Action, find_season
from beanpost.leagues.actions.clock_actions import CLOCK_ACTIONS
from beanpost.leagues.actions.correction_actions import (
    DIVISION_CORRECTIONS,
    ROUND_CORRECTIONS,
    SEASON_CORRECTIONS,
    TABLE_CORRECTIONS,
)
from beanpost.leagues.actions.entry_actions import ENTRY_ACTIONS
from beanpost.leagues.actions.letter_actions import DIVISION_LETTERS, SEASON_LETTERS, TABLE_LETTERS
from beanpost.leagues.actions.round_actions import DIVISION_ACTIONS, ROUND_ACTIONS, WHOLE_SEASON_ACTIONS
from beanpost.leagues.actions.season_actions import SEASON_END_ACTIONS
from beanpost.leagues.actions.sign_up_actions import SIGN_UP_ACTIONS
from beanpost.leagues.actions.table_actions import TABLE_ACTIONS
from beanpost.leagues.models import Division, Entry, Fixture, LeagueEvent, Round, Season
from beanpost.play.models import Match

ACTIONS: dict[type[Model], tuple[Action, ...]] = {
    Season: (
        *SIGN_UP_ACTIONS,
        *WHOLE_SEASON_ACTIONS,
        *CLOCK_ACTIONS,
        *SEASON_LETTERS,
        *SEASON_END_ACTIONS,
        *SEASON_CORRECTIONS,
    ),
    Division: (*DIVISION_ACTIONS, *CLOCK_ACTIONS, *DIVISION_LETTERS, *DIVISION_CORRECTIONS),
    Round: (*ROUND_ACTIONS, *ROUND_CORRECTIONS),
    Fixture: (*TABLE_ACTIONS, *TABLE_LETTERS, *TABLE_CORRECTIONS),
    Entry: ENTRY_ACTIONS,
}


def list_open_actions(row: Model) -> list[Action]:
    """Return the actions that make sense for a row now."""
    return [action for action in ACTIONS[type(row)] if action.is_open(row)]


def find_history_kind(row: Any, action: Action) -> str:
    """Return the kind under which the season's history lists an action."""
    match row, action.group:
        case Fixture(), _:
            return LeagueEvent.Kind.TABLES
        case Entry(), _:
            return LeagueEvent.Kind.PEOPLE
        case Season(), ("people" | "tables" | "letters") as group:
            return LeagueEvent.Kind(group)
    return LeagueEvent.Kind.ROUNDS


def find_page(row: Any) -> dict[str, Any]:
    """Return where people can see more about an action: a table's match, and the season."""
    match row:
        case Fixture(match=Match() as match):
            return {"code": match.code, "season": find_season(row).pk}
    return {"season": find_season(row).pk}
