from django.apps import AppConfig


class PrivacyConfig(AppConfig):
    """Export and erasure of personal data. The app has no tables; Celery finds its task here."""

    name = "beanpost.privacy"
