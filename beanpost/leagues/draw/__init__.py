"""Who plays whom: pure functions."""
