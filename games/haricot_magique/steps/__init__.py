"""The rules of each part of a turn. `turn` lists the steps."""
