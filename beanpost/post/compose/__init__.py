"""From the row of a letter to a message."""
