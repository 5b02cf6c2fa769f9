"""What the templates of single games may call."""
