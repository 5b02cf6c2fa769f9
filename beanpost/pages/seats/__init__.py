"""Pages for somebody with a seat at one table."""
