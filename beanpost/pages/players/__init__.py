"""Pages for players, wherever they sit."""
