"""Names of the kinds of letters. All letters of a match share a subject; the kind's name tells them apart."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

CALLED = {
    "invitation": _("An invitation"),
    "declined": _("Somebody declined"),
    "called_off": _("The match was called off"),
    "started": _("The match has begun"),
    "turn": _("Your turn"),
    "digest": _("Your daily letter"),
    "reminder": _("A reminder"),
    "late": _("Your time was up"),
    "excused": _("Your time was up"),
    "stand_in": _("A bot sits in for you"),
    "still": _("Are you still playing?"),
    "away_offer": _("Are you away?"),
    "away_seen": _("Somebody seems to be away"),
    "decide": _("The table asks you"),
    "decided": _("The table has decided"),
    "takeover": _("A seat for you"),
    "handed": _("Somebody new at the table"),
    "replaced": _("Your seat was given away"),
    "expired": _("The table did not fill"),
    "answer": _("About your answer"),
    "unheard": _("About your answer"),
    "which": _("About your answer"),
    "finished": _("The result"),
    "reported": _("A note was reported"),
    "league_invite": _("A season to play in"),
    "keeper": _("A league to look after"),
    "announcement": _("News of a league"),
    "weekly": _("The week in a league"),
    "open": _("To open a match"),
    "join": _("To join a table"),
    "lost": _("What waits for you"),
    "settings": _("Your own page"),
    "erase": _("To have one’s data erased"),
    "sign_in": _("To sign in"),
    "address": _("Your new address"),
    "moved_address": _("Your address was changed"),
    "moving_address": _("Your address is about to change"),
    "never": _("To get no more letters"),
}


def called(kind: str) -> str:
    return str(CALLED.get(kind, kind))
