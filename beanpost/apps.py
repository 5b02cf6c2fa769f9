from django.apps import AppConfig


class BeanpostConfig(AppConfig):
    """The house itself: no tables, only the command that serves it and the checks that guard it."""

    name = "beanpost"

    def ready(self) -> None:
        from beanpost import checks  # noqa: F401, PLC0415 (importing registers them, once apps are loaded)
