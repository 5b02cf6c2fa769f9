"""What is stored of a person: to be handed over, or to be erased."""
