"""Standing orders in words: sentences to complete, and the orders most like a text."""
