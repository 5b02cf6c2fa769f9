"""The address that receives answers to a league's letters.

An organiser types it. It is used once its owner has confirmed it by letter: otherwise a typing error would send
players' answers to a stranger.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from beanpost.leagues.models import League
from beanpost.play.tickets import TicketForSession, sign
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.compose import contents
from beanpost.post.kinds import Kind
from beanpost.post.models import Letter
from beanpost.post.outbox import queue

KIND = "contact"


@dataclass(frozen=True)
class ContactTicket(TicketForSession):
    """Confirms that answers may go to this player's address, or declines."""

    purpose = "contact"
    league: int


@transaction.atomic
def ask_for_confirmation(league: League, address: str, *, now: datetime) -> None:
    """Ask by letter whether answers may go to this address. The present one stays in use until then."""
    address = accounts.tidy_address(address) if address else ""
    lock_league(league)
    if not address:
        set_contact(league, "")
    elif address == league.contact:
        set_contact(league, address)
    else:
        league.asked_contact = address
        league.save(update_fields=["asked_contact"])
        player = accounts.get_or_create_player(address, language=league.language, now=now)
        if not is_asked_as_keeper(league, player):
            # At most one letter per address and league, so that nobody is nagged.
            queue.queue(player, KIND, f"league/{league.pk}/contact", {"league": league.pk}, now=now)


def is_asked_as_keeper(league: League, player: Player) -> bool:
    """Whether the letter that asks this player to be the keeper also asks them to receive the answers."""
    asked = Letter.objects.filter(recipient=player, kind="keeper", values__league=league.pk, values__asks_contact=True)
    return league.asked_keeper_id == player.pk and asked.exists()


@transaction.atomic
def confirm(league: League, player: Player) -> bool:
    """Use a player's address from now on. Return False if the organisers have typed another one since."""
    lock_league(league)
    if league.asked_contact != player.address:
        return league.contact == player.address
    set_contact(league, player.address)
    return True


@transaction.atomic
def decline(league: League, player: Player) -> None:
    """Decline, or stop answers from going to this address."""
    lock_league(league)
    if league.asked_contact == player.address:
        set_contact(league, league.contact)
    if league.contact == player.address:
        set_contact(league, "")


def set_contact(league: League, address: str) -> None:
    """Use this address from now on, and forget the one that was asked."""
    league.contact, league.asked_contact = address, ""
    league.save(update_fields=["contact", "asked_contact"])


def lock_league(league: League) -> None:
    League.objects.select_for_update(no_key=True).get(pk=league.pk)
    league.refresh_from_db(fields=["contact", "asked_contact", "asked_keeper"])


def explain_no_contact(league: League) -> str:
    """Say why answers can't reach the organisers yet; "" if they can."""
    if league.contact:
        return ""
    if league.asked_contact:
        sentence = _("Answers can’t reach you yet: press the link in our letter to %(address)s first.")
        return sentence % {"address": league.asked_contact}
    return _("Answers can’t reach you yet: first enter the address that they go to on the league’s page.")


def explain_unconfirmed_contact(league: League) -> str:
    """Say where answers go until a new address is confirmed."""
    sentence = _("Not confirmed yet: press the link in our letter to %(address)s.") % {"address": league.asked_contact}
    if not league.contact:
        return sentence
    until_then = _("Until then, answers go to %(address)s.") % {"address": league.contact}
    return f"{sentence} {until_then}"


def check_has_contact(league: League) -> None:
    if problem := explain_no_contact(league):
        raise ValidationError(problem)


def build_contact_letter(letter: Letter) -> contents.Contents | None:
    league = League.objects.filter(pk=letter.values["league"], asked_contact=letter.recipient.address).first()
    if league is None:
        return None
    return {"league": league, "ticket": sign(ContactTicket(letter.recipient_id, letter.recipient.sessions, league.pk))}


KINDS = (Kind(KIND, _l("Where a league’s answers go"), build_contact_letter),)
