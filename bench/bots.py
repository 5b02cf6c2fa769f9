"""How strong the bots are: the share of games won against seats that say anything they may."""

import games
from bench.figures import effort, figure
from games.bots import strength

GAMES = effort(200)
GOALS = {"haricots": 0.5, "fagioli": 0.45, "pas_de_haricots": 0.45, "bohnanza": 0.6, "haricot_magique": 0.42}


def main() -> None:
    for slug, rules in games.GAMES.items():
        won = strength(slug, 4, None, GAMES)
        figure(f"{rules.title}: won of {GAMES} four-seat games", won, "", at_least=GOALS[slug])


if __name__ == "__main__":
    main()
