from django.apps import AppConfig


class BeanpostConfig(AppConfig):
    """The project's own app: no models, only the `serve` command, system checks, admin labels and formats."""

    name = "beanpost"

    def ready(self) -> None:
        # Imported here because these modules need the loaded apps; importing `checks` registers them.
        from beanpost import checks, formats  # noqa: F401, PLC0415
        from beanpost.admin import labels  # noqa: PLC0415

        labels.install()
        formats.install()
