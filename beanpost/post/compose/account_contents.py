"""Contents of the letters about a player's account: sign-in, settings, deletion, address and the end of letters."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from beanpost.play.tickets import (
    EraseTicket,
    SettingsTicket,
    SignInTicket,
    SilenceTicket,
    StopAddressTicket,
    WayBackTicket,
    sign,
)
from beanpost.players import address_changes
from beanpost.post.compose.contents import Contents
from beanpost.post.kinds import Kind
from beanpost.post.models import Letter


def build_settings(letter: Letter) -> Contents:
    # Signed when the letter is composed, not when it was requested: the ticket lasts only an hour.
    return {"ticket": sign(SettingsTicket(letter.recipient_id, letter.recipient.sessions))}


def build_erase(letter: Letter) -> Contents | None:
    """Return nothing once the reader has signed out everywhere, which voids a letter they did not request."""
    session = letter.recipient.sessions
    return {"ticket": sign(EraseTicket(letter.recipient_id, session))} if session == letter.values["session"] else None


def build_sign_in(letter: Letter) -> Contents | None:
    """Return nothing once the player has signed in by another letter, or has voided them all."""
    visit = letter.recipient.visits
    if visit != letter.values["visit"]:
        return None
    return {"ticket": sign(SignInTicket(letter.recipient_id, visit))}


def build_address(letter: Letter) -> Contents:
    """Ask the new address for its consent. `later`: the old one could not be asked, so the change is delayed."""
    later = letter.values.get("later", False)
    return {"ticket": letter.values["ticket"], "new": letter.values["to"], "later": later}


def build_moved_address(letter: Letter) -> Contents:
    """Tell the old address, with a link that undoes a change the player did not want."""
    back = WayBackTicket(letter.recipient_id, old=letter.values["new"], new=letter.values["to"])
    return {"ticket": sign(back), "old": letter.values["to"]}


def build_moving_address(letter: Letter) -> Contents | None:
    """Tell the old address, while a link there can still stop the change."""
    change = address_changes.find_pending().filter(pk=letter.values["change"]).first()
    if change is None:
        return None
    return {"ticket": sign(StopAddressTicket(letter.recipient_id, change.pk)), "change": change}


def build_never(letter: Letter) -> Contents:
    return {"ticket": sign(SilenceTicket(letter.recipient_id, letter.recipient.sessions))}


KINDS = (
    Kind("settings", _("Your details"), build_settings, proves_mailbox=True),
    Kind("erase", _("Delete your data"), build_erase, proves_mailbox=True, asked_for=True),
    Kind("sign_in", _("Sign in"), build_sign_in, proves_mailbox=True, asked_for=True),
    Kind("address", _("Your new address"), build_address, proves_mailbox=True),  # to the new one
    Kind("moved_address", _("Your address has changed"), build_moved_address, proves_mailbox=True),  # to the old one
    Kind("moving_address", _("Your address is about to change"), build_moving_address, proves_mailbox=True),  # the same
    Kind("never", _("To get no more letters"), build_never, proves_mailbox=True),
)
