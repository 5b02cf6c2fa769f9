from django.apps import AppConfig


class PrivacyConfig(AppConfig):
    """What is stored of a person. It has no tables; Celery finds its task here."""

    name = "beanpost.privacy"
