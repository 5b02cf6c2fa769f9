from django.apps import AppConfig


class BeanpostConfig(AppConfig):
    """The house itself: no tables, only the command that serves it and the checks that guard it."""

    name = "beanpost"

    def ready(self) -> None:
        # Once apps are loaded; importing registers the checks.
        from beanpost import checks, columns, formats  # noqa: F401, PLC0415

        columns.put_up()
        formats.put_up()
