"""Points, tie-breaks and charts: pure functions."""
