"""The parts a game is made of."""
