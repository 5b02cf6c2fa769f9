"""The site as hosts set it up: its name, addresses and static files."""
