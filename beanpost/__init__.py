"""Beanpost: card games by email, with friends or in a league, over days or weeks."""

# Import the app here so that shared tasks find it. Otherwise Celery makes a default app and tries amqp://localhost.
from beanpost.celery import app as celery_app
from beanpost.version import __version__

__all__ = ["__version__", "celery_app"]
