"""Error pages. They read nothing of the request but its language, since reading it may be what failed."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation


def show_error(status: int) -> Callable[..., HttpResponse]:
    def view(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
        with translation.override(translation.get_language_from_request(request)):
            return HttpResponse(render_to_string(f"{status}.html", using="jinja2"), status=status)

    return view
