"""The site of all admin pages."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from unfold.sites import UnfoldAdminSite


class OfficeSite(UnfoldAdminSite):
    """Unfold's site, with a list of apps that is built once a request. Pages ask for it two or three times."""

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
        kept = vars(request).setdefault("app_lists", {})
        if app_label not in kept:
            kept[app_label] = super().get_app_list(request, app_label)
        return list(kept[app_label])
