"""The letters of leagues."""
