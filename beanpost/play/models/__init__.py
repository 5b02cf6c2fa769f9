"""Models of matches: seats, the log, open questions, proposals, the sweep's heartbeat."""

from beanpost.play.models.heartbeat import Outage, Pulse
from beanpost.play.models.log import Event, LogIsFinal, Note
from beanpost.play.models.matches import Departure, Match, Place, Vault, build_card
from beanpost.play.models.proposals import Proposal, Voice
from beanpost.play.models.waits import Order, Wait

__all__ = [
    "Departure",
    "Event",
    "LogIsFinal",
    "Match",
    "Note",
    "Order",
    "Outage",
    "Place",
    "Proposal",
    "Pulse",
    "Vault",
    "Voice",
    "Wait",
    "build_card",
]
