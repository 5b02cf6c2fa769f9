"""Give seats to people, and take them back."""
