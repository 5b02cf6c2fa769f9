"""Two lists for everybody: tables with a free seat, and matches to watch."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from beanpost.pages.access import page
from beanpost.pages.forms.start import TableFilterForm
from beanpost.pages.sessions import for_anybody
from beanpost.play.display import table_lists
from beanpost.play.display.wording import PACE_NAMES
from beanpost.play.models import Match

A_PAGE = 20


@require_safe
@for_anybody
def open_tables(request: HttpRequest) -> HttpResponse:
    """Show the open tables, by game, pace and language."""
    form = TableFilterForm(request.GET or None)
    wanted = form.cleaned_data if form.is_valid() else {}  # a filter that we do not know hides nothing
    found = table_lists.find_open_tables(**wanted, named=tuple(PACE_NAMES))
    shown = page(request, "open_tables", form=form, filtered=any(wanted.values()), **paged(request, found))
    return kept_fresh(shown)


@require_safe
@for_anybody
def watch(request: HttpRequest) -> HttpResponse:
    """Show the running matches whose players let others watch. Each leads to its page for bystanders."""
    return kept_fresh(page(request, "watch", **paged(request, table_lists.find_watchable_matches())))


def kept_fresh(response: HttpResponse) -> HttpResponse:
    """Keep a list of people out of caches and search engines: a player who withdraws is gone at once."""
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def paged(request: HttpRequest, found: QuerySet[Match]) -> dict[str, Any]:
    """Return one page of a list, and the address of the list without its page number."""
    shown = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    return {"tables": shown, "query": query.urlencode()}
