"""The texts of Bohnanza: what happened, questions, labels."""
