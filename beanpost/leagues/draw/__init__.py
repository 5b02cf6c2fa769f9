"""Draw the opponents of a round, as pure functions."""
