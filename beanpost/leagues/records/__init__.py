"""What the rows of a season add up to."""
