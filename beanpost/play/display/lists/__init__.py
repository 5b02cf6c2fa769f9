"""Lists of matches: of one player, of everybody, and deadlines as a calendar."""
