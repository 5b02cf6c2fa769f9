"""Five bean games in pure Python. No Django, no clock, no randomness.

>>> import games
>>> table = games.open("haricots", seats=3, variant="sprint")
>>> table = table.says(games.DEALER, "start A")
>>> [ask.about for ask in table.asks]
['round 1 shuffle']
"""

from games.chairs import DEALER, HOUSE
from games.chance import Scripted, Seeded
from games.errors import Illegal, NotAsked, RulesError, Unreadable
from games.memory import plain, recall, remember
from games.rules import Ask, Result, Table
from games.shelf import GAMES, get, open, replay

__all__ = [
    "DEALER",
    "GAMES",
    "HOUSE",
    "Ask",
    "Illegal",
    "NotAsked",
    "Result",
    "RulesError",
    "Scripted",
    "Seeded",
    "Table",
    "Unreadable",
    "get",
    "open",
    "plain",
    "recall",
    "remember",
    "replay",
]
