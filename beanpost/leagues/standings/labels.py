"""Names of a season's points schemes and tie-breaks."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from beanpost.leagues.standings.scoring import Scheme

TIE_BREAKS = {
    "direct": _("results when they met"),
    "wins": _("number of wins"),
    "opponents": _("points of opponents"),
    "average": _("average points"),
    "forfeits": _("seats given up"),
    "lot": _("the lot"),
}


def points_called(scheme: str) -> str:
    places = Scheme.read(scheme).places
    if not places:
        return gettext("twelve for beating everybody at the table, in proportion otherwise")
    return gettext("%(points)s for first, second and so on") % {"points": ", ".join(map(str, places))}


def breaks_called(names: Iterable[str]) -> str:
    """List tie-breaks in the order in which they decide. Points always come first and are not listed."""
    return ", ".join(str(TIE_BREAKS[name]) for name in names if name in TIE_BREAKS) or "—"
