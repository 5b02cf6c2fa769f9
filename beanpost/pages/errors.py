"""Error pages. They read nothing of the request but its language, since reading it may be what failed."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation

from beanpost.pages.notices import ERRORS


def show_error(status: int) -> Callable[..., HttpResponse]:
    def view(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
        with translation.override(translation.get_language_from_request(request)):
            page = render_to_string("pages/notice.html", {"notice": ERRORS[status]}, using="jinja2")
        return HttpResponse(page, status=status)

    return view
