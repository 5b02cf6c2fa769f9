"""Five bean games in pure Python. No Django, no clock, no randomness.

>>> import games
>>> table = games.open("haricots", seats=3, variant="sprint")
>>> table = table.says(games.DEALER, "start A")
>>> [ask.about for ask in table.asks]
['round 1 shuffle']
"""

from games.contract.asks import Ask, Result
from games.contract.errors import Illegal, NotAsked, RulesError, Unreadable
from games.contract.seats import DEALER, HOUSE
from games.engine.catalogue import GAMES, get, open, replay
from games.engine.dealer import Scripted, Seeded
from games.engine.memory import plain, recall, remember
from games.engine.table import Table

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
