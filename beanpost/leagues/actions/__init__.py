"""The buttons of the admin."""
