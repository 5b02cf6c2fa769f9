"""Beanpost: slow card games, played by post."""

# Import the app here so that shared tasks find it. Otherwise Celery makes a default app and tries amqp://localhost.
from beanpost.celery import app as celery_app

__version__ = "0.1.0"
__all__ = ["celery_app"]
