from django.apps import AppConfig


class PostConfig(AppConfig):
    name = "beanpost.post"

    def ready(self) -> None:
        from beanpost.post import absences, receivers  # noqa: F401, PLC0415 (importing connects them, once apps are loaded)
