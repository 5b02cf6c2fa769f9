"""The texts of Le Haricot Magique: what happened, questions, labels."""
