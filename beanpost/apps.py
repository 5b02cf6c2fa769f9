from django.apps import AppConfig


class BeanpostConfig(AppConfig):
    """The house itself: no tables, only the command that serves it and the checks that guard it."""

    name = "beanpost"

    def ready(self) -> None:
        from beanpost import checks, columns  # noqa: F401, PLC0415 (importing registers checks, once apps are loaded)

        columns.put_up()
