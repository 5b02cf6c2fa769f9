"""Correct what an organiser typed about a person, as long as that person has not accepted.

Only the entry changes, never the player: the address may belong to somebody who plays elsewhere under another name.
"""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from beanpost.leagues.locks import check_not_over, lock_row
from beanpost.leagues.mail import invitations
from beanpost.leagues.models import Entry, Season
from beanpost.leagues.people import entries
from beanpost.leagues.seasons import phases, substitutes
from beanpost.players import accounts


def can_correct(entry: Entry) -> bool:
    """Whether an organiser may still correct an entry: its person has not answered, and is known only as typed."""
    return entry.is_hidden and entry.state == Entry.State.INVITED and entry.season.phase != Season.Phase.ENDED


@transaction.atomic
def correct_entry(entry: Entry, name: str, address: str, *, now: datetime) -> Entry:
    """Correct a name; for another address, withdraw the entry and put the new address on the list in its place.

    Withdrawing voids the link of an invitation. If the old address was invited, the new one is. Return the entry.
    """
    lock_row(entry.season, entry)
    check_not_over(entry.season)
    if not can_correct(entry):
        raise ValidationError(_("%(name)s has answered, so you can’t change this any more.") % {"name": entry.called})
    name = accounts.tidy_name(name) if name.strip() else ""
    address = accounts.tidy_address(address)
    if address == entry.typed_address:
        return rename(entry, name)
    fresh = entries.add_entry(entry.season, address, name=name, now=now)
    fresh.rung, fresh.on_acceptance = entry.rung, entry.on_acceptance
    fresh.save(update_fields=["rung", "on_acceptance"])
    if entry.division:
        phases.set_division(fresh, entry.division)
    substitutes.withdraw(entry)
    if entry.invited_at:
        fresh.invited_at = now
        fresh.save(update_fields=["invited_at"])
        invitations.queue_invitation(fresh, now=now)
    return fresh


def rename(entry: Entry, name: str) -> Entry:
    entry.typed_name = name
    entry.save(update_fields=["typed_name"])
    return entry
