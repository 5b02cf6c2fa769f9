"""What a line leads to."""
