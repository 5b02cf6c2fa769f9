"""What visitors and players see of leagues: pages, answers to invitations, feeds, and data for other programs."""
