"""Pages for hosts and their mail providers."""
