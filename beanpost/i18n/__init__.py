"""Languages and time zones of readers."""
