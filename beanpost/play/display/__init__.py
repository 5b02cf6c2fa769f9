"""A match as one reader may see it."""
