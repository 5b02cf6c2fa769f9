"""Beanpost: slow card games, played by post."""

# Whoever imports a task must find this app: without it Celery makes one of its own, which looks for amqp://localhost.
from beanpost.celery import app as celery_app

__all__ = ["celery_app"]
