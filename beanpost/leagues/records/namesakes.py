"""Names in a league: people who are called alike get a number, “Ann (1)” and “Ann (2)”, in the order they entered.

At a table their seats tell them apart; in standings and on players' pages there are no seats.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from beanpost.leagues.models import Chair, Entry, League
from beanpost.players.models import Player
from beanpost.players.names import build_shape, fold_name

ACCEPTED = (Entry.State.ENTERED, Entry.State.WAITING, Entry.State.SUBSTITUTE)


@dataclass(frozen=True)
class Names:
    """The names of everybody in a league."""

    numbers: Mapping[int, int]  # by player, of those who have namesakes
    public: bool = False  # as each player wants to be shown on public pages

    def name_player(self, player: Player) -> str:
        name, number = player.public_name if self.public else player.name, self.numbers.get(player.pk)
        return f"{name} ({number})" if number else name

    def name_sitter(self, chair: Chair) -> str:
        if chair.sitter_id in self.numbers:
            return self.name_player(chair.sitter)
        return chair.public_sitter_name if self.public else chair.sitter_name

    def name_entry(self, chair: Chair) -> str:
        if chair.entry.player_id in self.numbers:
            return self.name_player(chair.entry.player)
        return chair.public_entry_name if self.public else chair.entry_name


def load_names(league: League) -> Names:
    """Return the whole names in a league, for its organisers."""
    return Names(number_namesakes(find_accepted_entries(league).values_list("player_id", "player__name")))


def load_public_names(league: League) -> Names:
    """Return the names in a league as players want them shown: two people may both be “Ann L.”."""
    return Names(
        number_namesakes((entry.player_id, entry.player.public_name) for entry in find_accepted_entries(league)),
        public=True,
    )


def find_accepted_entries(league: League) -> QuerySet[Entry]:
    """Return the entries of a league. People who never accepted an invitation are left out: nobody learns of them."""
    came = Q(state__in=ACCEPTED) | Q(state=Entry.State.LEFT, answered_at__isnull=False)
    shown = ("player__name", "player__name_shown", "player__nickname")
    return (
        Entry.objects.filter(came, season__league=league)
        .select_related("player")
        .only("player_id", *shown)
        .order_by("pk")
    )


def number_namesakes(people: Iterable[tuple[int, str]]) -> dict[int, int]:
    """Return the number of everybody who shares a name with somebody before or after them.

    >>> number_namesakes([(7, "Ann"), (8, "Bob"), (9, "ANN"), (7, "Ann"), (5, "Аnn")])
    {7: 1, 9: 2, 5: 3}
    """
    groups: dict[str, int] = {}
    members: dict[int, dict[int, None]] = defaultdict(dict)
    for player, name in people:
        keys = (f"folded {fold_name(name)}", f"shape {build_shape(name)}")
        group = next((groups[key] for key in keys if key in groups), player)
        for key in keys:
            groups.setdefault(key, group)
        members[group].setdefault(player)
    shared = [alike for alike in members.values() if len(alike) > 1]
    return {player: number for alike in shared for number, player in enumerate(alike, 1)}
