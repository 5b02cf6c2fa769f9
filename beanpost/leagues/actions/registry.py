"""All actions, by the kind of row they belong to, in the order in which pages show them.

The admin shows the preview, asks for a reason, runs the action and writes to the people it concerns. It decides
nothing.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Model

from beanpost.leagues.actions.action import Action, season_of
from beanpost.leagues.actions.clock_actions import CLOCKS
from beanpost.leagues.actions.correction_actions import OF_DIVISIONS, OF_ROUNDS, OF_SEASONS, OF_TABLES
from beanpost.leagues.actions.entry_actions import TO_PEOPLE
from beanpost.leagues.actions.letter_actions import TO_DIVISIONS, TO_SEASONS, TO_TABLES
from beanpost.leagues.actions.round_actions import DRAW, ROUND
from beanpost.leagues.actions.season_actions import AT_THE_END
from beanpost.leagues.actions.sign_up_actions import SIGN_UP
from beanpost.leagues.actions.table_actions import AT_TABLES
from beanpost.leagues.actions.whole_season_actions import FOR_ALL_DIVISIONS
from beanpost.leagues.models import Division, Entry, Event, Fixture, Round, Season
from beanpost.play.models import Match

ACTIONS: dict[type[Model], tuple[Action, ...]] = {
    Season: (*SIGN_UP, *FOR_ALL_DIVISIONS, *CLOCKS, *TO_SEASONS, *AT_THE_END, *OF_SEASONS),
    Division: (*DRAW, *CLOCKS, *TO_DIVISIONS, *OF_DIVISIONS),
    Round: (*ROUND, *OF_ROUNDS),
    Fixture: (*AT_TABLES, *TO_TABLES, *OF_TABLES),
    Entry: TO_PEOPLE,
}


def open_to(row: Model) -> list[Action]:
    """Return the actions that make sense for a row now."""
    return [action for action in ACTIONS[type(row)] if action.is_open(row)]


def kind_of(row: Any, action: Action) -> str:
    """Return the kind under which the season's history lists an action."""
    match row, action.group:
        case Fixture(), _:
            return Event.Kind.TABLES
        case Entry(), _:
            return Event.Kind.PEOPLE
        case Season(), ("people" | "tables" | "letters") as group:
            return Event.Kind(group)
    return Event.Kind.ROUNDS


def page_of(row: Any) -> dict[str, Any]:
    """Return where people can see more about an action: a table's match, and the season."""
    match row:
        case Fixture(match=Match() as match):
            return {"code": match.code, "season": season_of(row).pk}
    return {"season": season_of(row).pk}
