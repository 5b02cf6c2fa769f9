"""Logs, counters and error reports of a running site, for its host."""
