"""Strength of the bots: the share of games they win against random players, and how often they trade."""

from typing import Any

import games
from games.bohnanza.actions import Accept
from games.contract.asks import Ask
from games.contract.notation import Action
from games.engine.bots import measure_strength, play_to_end
from tools.bench.figures import print_figure, scale_effort

GAMES = scale_effort(500)
MARKETS = scale_effort(40)  # games of four bots
GOALS = {"haricots": 0.5, "fagioli": 0.45, "pas_de_haricots": 0.45, "bohnanza": 0.6, "haricot_magique": 0.42}


def main() -> None:
    for slug, rules in games.GAMES.items():
        won = measure_strength(slug, 4, None, GAMES)
        print_figure(f"{rules.title}: won of {GAMES} four-seat games", won, "", at_least=GOALS[slug])
    print_figure(
        f"Bohnanza: turns with a trade, {MARKETS} games of four bots", measure_trading(MARKETS), "", at_least=0.5
    )


def measure_trading(many: int) -> float:
    """Return the share of Bohnanza turns in which four bots make a deal."""
    turns, deals = 0, set()

    def trader(view: Any, ask: Ask) -> Action | None:
        said = games.get("bohnanza").bot(view, ask)
        if isinstance(said, Accept):
            deals.add((nth, view.turn))
        return said

    for nth in range(many):
        table = play_to_end(games.open("bohnanza", seats=4), games.Seeded(f"trading {nth}".encode()), [trader] * 4)
        turns += table.view(None).turn
    return len(deals) / turns


if __name__ == "__main__":
    main()
