"""Two lists for everybody: tables with a free seat, and matches to watch."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from beanpost.pages.access import render_page
from beanpost.pages.forms.start import TableFilterForm
from beanpost.pages.sessions import shown_to_anybody
from beanpost.play.display.lists import table_lists
from beanpost.play.display.wording import PACE_NAMES
from beanpost.play.models import Match

TABLES_PER_PAGE = 20


@require_safe
@shown_to_anybody
def open_tables(request: HttpRequest) -> HttpResponse:
    """Show the open tables, by game, pace and language."""
    form = TableFilterForm(request.GET or None)
    wanted = form.cleaned_data if form.is_valid() else {}  # ignore filters that we don't know
    found = table_lists.find_open_tables(**wanted, named_paces=tuple(PACE_NAMES))
    shown = render_page(request, "open_tables", form=form, filtered=any(wanted.values()), **paginate(request, found))
    return keep_out_of_caches(shown)


@require_safe
@shown_to_anybody
def watch(request: HttpRequest) -> HttpResponse:
    """Show the running matches whose players let others watch. Each leads to its page for bystanders."""
    return keep_out_of_caches(render_page(request, "watch", **paginate(request, table_lists.find_watchable_matches())))


def keep_out_of_caches(response: HttpResponse) -> HttpResponse:
    """Keep a list of people out of caches and search engines: a player who withdraws is gone at once."""
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def paginate(request: HttpRequest, found: QuerySet[Match]) -> dict[str, Any]:
    """Return one page of a list, and the address of the list without its page number."""
    shown = Paginator(found, TABLES_PER_PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    return {"tables": shown, "query": query.urlencode()}
