"""Names of a season's points schemes and tie-breaks."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from beanpost.leagues.standings.points import Scheme

TIE_BREAKS = {
    "direct": _("head-to-head results"),
    "wins": _("wins"),
    "opponents": _("opponents’ points"),
    "average": _("average points"),
    "forfeits": _("forfeits"),
    "lot": _("drawing lots"),
}


def describe_points(scheme: str) -> str:
    places = Scheme.read(scheme).places
    if not places:
        return gettext("twelve for beating everyone at the table, a proportional share otherwise")
    return gettext("%(points)s for first, second and so on") % {"points": ", ".join(map(str, places))}


def describe_tie_breaks(names: Iterable[str]) -> str:
    """List tie-breaks in the order in which they decide. Points always come first and are not listed."""
    return ", ".join(str(TIE_BREAKS[name]) for name in names if name in TIE_BREAKS) or "—"
