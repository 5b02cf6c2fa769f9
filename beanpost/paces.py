"""What the paces are called, for people to choose one."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from beanpost.play.pace import read
from beanpost.play.telling import tempo

CALLED = {
    "brisk": _("Brisk: twelve hours for each decision"),
    "daily": _("Daily: one day for each decision"),
    "relaxed": _("Relaxed: three days for each decision"),
    "weekly": _("Weekly: seven days for each decision"),
    "weekend-free": _("Weekend-free: one working day for each decision"),
}


def called(pace: str) -> str:
    """A pace by its name; one of somebody's own is told.

    >>> called("1d at 19")
    'one day for each decision; it is up at 19:00'
    """
    return str(CALLED[pace]) if pace in CALLED else " ".join(tempo(read(pace)))
