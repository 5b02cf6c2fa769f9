"""When time runs out."""
