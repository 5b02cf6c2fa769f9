"""Many at once: all divisions of a season, and long work that a Celery task does."""
