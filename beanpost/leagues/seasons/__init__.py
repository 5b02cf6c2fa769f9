"""The course of a season, from the first entry to the next season."""
