"""Events and the letters they queue."""
