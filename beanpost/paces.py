"""Names of the paces, for people to choose from."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from beanpost.play.display.wording import tempo
from beanpost.play.pace import read

CALLED = {
    "brisk": _("Brisk: twelve hours for each decision"),
    "daily": _("Daily: one day for each decision"),
    "relaxed": _("Relaxed: three days for each decision"),
    "weekly": _("Weekly: seven days for each decision"),
    "weekend-free": _("Weekend-free: one working day for each decision"),
}

EXPLAINED = _(
    "For example: 36h bank 2d gain 6h days 12345 quiet 22-7 at 20. That is 36 hours for each decision; who answers in "
    "time saves 6 hours, 2 days at most; only Monday (1) to Friday (5) count; time is up at 20:00 only, never between "
    "22:00 and 7:00. All but the first may be left out. A day is written d, an hour h, a minute m."
)


def called(pace: str) -> str:
    """Return a pace's name, or a description if it is not one of the named paces.

    >>> called("1d at 19")
    'one day for each decision; it is up at 19:00'
    """
    return str(CALLED[pace]) if pace in CALLED else " ".join(tempo(read(pace)))
