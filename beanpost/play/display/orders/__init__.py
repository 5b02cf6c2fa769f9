"""Standing orders on offer: plans, sentences to complete, and the orders most like a text."""
