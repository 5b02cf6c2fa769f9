"""The names of a game's templates. A list is tried in order; a single template may be missing, so include it with
`ignore missing`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class GameTemplates:
    slug: str

    @property
    def table(self) -> list[str]:
        return [f"games/{self.slug}/table.html", "games/default/table.html"]

    @property
    def table_text(self) -> list[str]:
        return [f"games/{self.slug}/table.txt", "games/default/table.txt"]

    @property
    def hand(self) -> str:
        """The reader's hand alone: in letters it stands above the moves."""
        return f"games/{self.slug}/hand.html"

    @property
    def hand_text(self) -> str:
        return f"games/{self.slug}/hand.txt"

    @property
    def progress(self) -> str:
        """A few words about how far the game is: "turn 9"."""
        return f"games/{self.slug}/when.txt"

    @property
    def page_table(self) -> list[str]:
        """The table on a page: a game may have a template with drawn cards for it."""
        return [f"games/{self.slug}/page.html", *self.table]

    @property
    def page_hand(self) -> str:
        """The reader's hand on a page. A game without this template shows the hand with the table."""
        return f"games/{self.slug}/page_hand.html"

    @property
    def card(self) -> list[str]:
        return [f"games/{self.slug}/card.html", "games/default/card.html"]

    @property
    def picture(self) -> str:
        """The picture of a line of the story, if the game draws any."""
        return f"games/{self.slug}/happened.html"
