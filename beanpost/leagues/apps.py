from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LeaguesConfig(AppConfig):
    name = "beanpost.leagues"
    verbose_name = _("Leagues")

    def ready(self) -> None:
        # Here and not above: receivers and letters need every app's models to be there.
        from beanpost.leagues import letters, receivers  # noqa: F401, PLC0415
