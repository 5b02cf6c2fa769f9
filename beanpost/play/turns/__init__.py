"""Changes of a match besides moves: lines of the house, standing orders, endings."""
