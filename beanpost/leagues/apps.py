from django.apps import AppConfig


class LeaguesConfig(AppConfig):
    name = "beanpost.leagues"

    def ready(self) -> None:
        # Here and not above: receivers and letters need every app's models to be there.
        from beanpost.leagues import letters, receivers  # noqa: F401, PLC0415
