from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LeaguesConfig(AppConfig):
    name = "beanpost.leagues"
    verbose_name = _("Leagues")

    def ready(self) -> None:
        # Not at the top: receivers and letters import models, which are not loaded yet.
        from beanpost.leagues import receivers  # noqa: F401, PLC0415
        from beanpost.leagues.mail import letters, organiser_letters  # noqa: F401, PLC0415
        from beanpost.leagues.seasons import dealing  # noqa: F401, PLC0415
