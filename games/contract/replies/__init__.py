"""Replies by mail: the words that players use, and how they are compared."""
