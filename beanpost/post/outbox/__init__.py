"""Letters as rows."""
