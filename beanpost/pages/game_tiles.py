"""The games to choose from before a match, one tile for each kind of table."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import HttpRequest
from django.utils.translation import gettext as _

import games
from beanpost.play.display.durations import choose_variant, describe_duration, summarise_duration
from beanpost.play.display.wording import name_variant, say
from games.contract.game import Game, TableKind

USUAL_SEATS = 3


class Tile(NamedTuple):
    rules: Game[Any, Any]
    kind: TableKind

    @property
    def key(self) -> str:
        """The tile's name in addresses: `?game=bohnanza-duel`."""
        return f"{self.rules.slug}-{self.kind.key}" if self.kind.key else self.rules.slug

    @property
    def title(self) -> str:
        return say(self.kind.name, ()) if self.kind.name else self.rules.title

    @property
    def seats(self) -> range:
        return self.kind.seats or self.rules.seats

    @property
    def usual_seats(self) -> int:
        return min(max(USUAL_SEATS, self.seats[0]), self.seats[-1])

    @property
    def variants(self) -> list[tuple[str, str]]:
        """The choices of the form's field `game`."""
        slug = self.rules.slug
        return [(f"{slug}/{variant}", self.variant_label(variant)) for variant in self.rules.variants]

    def variant_label(self, variant: str) -> str:
        """Return a variant's name and how long it takes: "advanced (6 to 35 days)"."""
        name, days = (
            name_variant(self.rules.slug, variant),
            summarise_duration(self.rules.slug, variant, self.usual_seats),
        )
        return f"{name} ({days})" if days else name

    @property
    def proposed(self) -> str:
        """The choice that fits the daily pace, which the form proposes."""
        return f"{self.rules.slug}/{choose_variant(self.rules.slug, 'daily')}"

    @property
    def takes(self) -> str:
        """How long a match takes, in a sentence; "" for a game that was not measured."""
        days = describe_duration(self.rules.slug, choose_variant(self.rules.slug, "daily"), self.usual_seats)
        return _("At one day per move a match takes %(days)s.") % {"days": days} if days else ""


def list_tiles() -> list[Tile]:
    return [Tile(rules, kind) for rules in games.GAMES.values() for kind in rules.tables]


def find_chosen_tile(request: HttpRequest) -> Tile | None:
    """Return the tile that the address names, `?game=fagioli`, or else the one that fits the form that was sent."""
    offered = list_tiles()
    if key := request.GET.get("game"):
        return next((tile for tile in offered if tile.key == key), None)
    slug, seats = request.POST.get("game", "").partition("/")[0], request.POST.get("seats", "")
    of_game = [tile for tile in offered if tile.rules.slug == slug]
    return next((tile for tile in of_game if seats in map(str, tile.seats)), of_game[0] if of_game else None)
