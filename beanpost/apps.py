from __future__ import annotations

from celery.signals import before_task_publish, task_prerun
from django.apps import AppConfig
from django.conf import settings

from beanpost.monitoring import counters, logs


class BeanpostConfig(AppConfig):
    """The project's own app: no models, only the `serve` command, system checks, admin labels and formats."""

    name = "beanpost"

    def ready(self) -> None:
        # Imported here because these modules need the loaded apps; importing `checks` registers them.
        from beanpost import checks, formats  # noqa: F401, PLC0415
        from beanpost.admin import labels  # noqa: PLC0415
        from beanpost.monitoring import error_reports  # noqa: PLC0415
        from beanpost.play import signals  # noqa: PLC0415

        signals.moved.connect(counters.count_moves, dispatch_uid="count moves")
        before_task_publish.connect(logs.send_request_id)
        task_prerun.connect(logs.take_request_id)
        if settings.SENTRY_DSN:
            error_reports.switch_on(settings.SENTRY_DSN)
        labels.install_labels()
        formats.install()
