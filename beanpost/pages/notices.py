"""Pages that say one thing and link to one page: pages/notice.html."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    from beanpost.play.models import Match


class Notice(NamedTuple):
    """What such a page says, and the page it links to: the front page or, if a match is given, the match."""

    title: _StrPromise
    text: _StrPromise | str
    anchor: str = ""  # on the front page
    match: Match | None = None


ADDRESS_CHANGED = Notice(
    _("Your address has changed"),
    _("From now on we’ll write to %(address)s. We’ve let the old address know."),
)
ERASED = Notice(
    _("Your data has been deleted"),
    _("We don’t know you any more. If you ever come back, you’ll start afresh."),
)
FORGOTTEN = Notice(
    _("We don’t know you any more"),
    _(
        "We’ve since deleted the address this letter was sent to, so its link no longer does anything. If anyone asks "
        "us to write to you again, that letter will have a link to stop us for good."
    ),
)
UNREADABLE = Notice(
    _("We can’t read this link"),
    _(
        "Your mail program may have cut it in two. Open the letter again and use the link from there, or ask for a new "
        "letter on the front page."
    ),
    anchor="#lost",
)
NOT_INSTALLED = Notice(
    _("This match is on hold"),
    _(
        "Its game isn’t installed here at the moment. Nothing is lost, and the clock is stopped. The match continues "
        "as soon as the host has installed the game again."
    ),
)
NOT_OVER = Notice(
    _("This match isn’t over yet"),
    _("Once it’s over, you can ask for a rematch with the same players."),
)
NOT_BEGUN = Notice(
    _("There’s nothing to play yet"),
    _("The match starts as soon as everyone is ready. We’ll write to you then."),
)
CALLED_OFF = Notice(
    _("There’s nothing to play yet"),
    _("This match was called off before it started."),
)
ERRORS = {
    400: Notice(
        _("We couldn’t read that request"),
        _("Something in it doesn’t make sense to us. Nothing has changed. Please go back and try again."),
    ),
    403: Notice(
        _("You don’t have access to this page"),
        _("If you followed a link in a letter, open the letter again and use the link from there."),
    ),
    404: Notice(
        _("Page not found"),
        _(
            "There’s no page at this address. If you followed a link in a letter, the link may have been cut in two: "
            "open the letter again and use the link from there, or ask for a new letter on the front page."
        ),
    ),
    500: Notice(
        _("Something went wrong on our side"),
        _(
            "It isn’t your fault. Moves are made completely or not at all, never halfway. Please go back and try again "
            "in a few minutes."
        ),
    ),
    503: Notice(
        _("We couldn’t store that"),
        _(
            "We can’t store anything at the moment. What you sent wasn’t stored, and nothing has changed. Please try "
            "again in ten minutes: your link still works. If it fails again, tell the host of this site."
        ),
    ),
}


def explain_not_begun(match: Match) -> Notice:
    return (CALLED_OFF if match.phase == match.Phase.CALLED_OFF else NOT_BEGUN)._replace(match=match)
