"""Store and load the log of a match."""
