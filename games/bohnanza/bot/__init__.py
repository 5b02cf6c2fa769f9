"""The bot of Bohnanza."""
