"""Names of the kinds of letters. All letters of a match share a subject; the kind's name tells them apart."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

PLAYED = "played"  # acknowledges a move made by reply

KIND_NAMES = {
    "invitation": _("Invitation"),
    "declined": _("A player declined"),
    "called_off": _("The match was called off"),
    "started": _("The match has started"),
    "turn": _("Your turn"),
    "digest": _("Your daily letter"),
    "reminder": _("Reminder"),
    "late": _("Your time ran out"),
    "excused": _("Your time ran out"),
    "stand_in": _("A bot is playing for you"),
    "still": _("Are you still playing?"),
    "away_offer": _("Are you away?"),
    "away_seen": _("A player seems to be away"),
    "decide": _("The table has a question"),
    "decided": _("The table has decided"),
    "takeover": _("A seat for you"),
    "veto": _("Someone may take your seat"),
    "handed": _("A new player at the table"),
    "replaced": _("Your seat was given to someone else"),
    "expired": _("The table didn’t fill up"),
    PLAYED: _("Your move by reply"),
    "answer": _("About your reply"),
    "unheard": _("About your reply"),
    "which": _("About your reply"),
    "links_only": _("About your reply"),
    "finished": _("Result"),
    "reported": _("A note was reported"),
    "league_invite": _("An invitation to a season"),
    "keeper": _("A league to look after"),
    "contact": _("Where a league’s answers go"),
    "announcement": _("League news"),
    "league_news": _("A letter from the organiser"),
    "weekly": _("This week in your league"),
    "open": _("Open a match"),
    "join": _("Join a table"),
    "lost": _("Waiting for you"),
    "settings": _("Your details"),
    "erase": _("Delete your data"),
    "sign_in": _("Sign in"),
    "address": _("Your new address"),
    "moved_address": _("Your address has changed"),
    "moving_address": _("Your address is about to change"),
    "never": _("To get no more letters"),
}

# A player asks for these on the spot, so they go even to players who want no letters, a few a day.
ASKED_FOR = frozenset({"sign_in", "erase"})


def name_kind(kind: str) -> str:
    return str(KIND_NAMES.get(kind, kind))
