"""The read-only JSON API: what bystanders may see, for other programs."""
