"""Deadlines: the seats a match waits for, and until when."""
