from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PostConfig(AppConfig):
    name = "beanpost.post"
    verbose_name = _("Post")

    def ready(self) -> None:
        # Importing connects the signal receivers.
        from beanpost.post.deliver import reports  # noqa: F401, PLC0415
        from beanpost.post.notify import absence_letters, match_letters  # noqa: F401, PLC0415
        from beanpost.post.receive import inbox  # noqa: F401, PLC0415
