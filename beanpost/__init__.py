"""Beanpost: slow card games, played by post."""

# Import the app here so that shared tasks find it. Otherwise Celery makes a default app and tries amqp://localhost.
from beanpost.celery import app as celery_app
from beanpost.version import __version__

__all__ = ["__version__", "celery_app"]
