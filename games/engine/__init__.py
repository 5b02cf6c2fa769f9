"""Run a game: the table, the dealer, the catalogue and the bots."""
