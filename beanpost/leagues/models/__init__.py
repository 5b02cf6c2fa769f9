"""Leagues, their seasons, and who plays whom.

League ── Season ── Division ── Round ── Fixture ── Chair
              └── Entry ────────────────────────────┘
"""

from beanpost.leagues.models.events import LeagueEvent
from beanpost.leagues.models.leagues import League, all_games, check_games
from beanpost.leagues.models.news import News
from beanpost.leagues.models.organisers import OrganiserAccount, SecondFactor
from beanpost.leagues.models.ratings import Rated, Rating
from beanpost.leagues.models.rounds import Bye, Chair, Draw, EarlierMatch, Fixture, Round
from beanpost.leagues.models.seasons import Division, Entry, Season, check_breaks, check_points, usual_breaks
from beanpost.leagues.models.webhooks import Webhook, WebhookCall, new_secret

__all__ = [
    "Bye",
    "Chair",
    "Division",
    "Draw",
    "EarlierMatch",
    "Entry",
    "Fixture",
    "League",
    "LeagueEvent",
    "News",
    "OrganiserAccount",
    "Rated",
    "Rating",
    "Round",
    "Season",
    "SecondFactor",
    "Webhook",
    "WebhookCall",
    "all_games",
    "check_breaks",
    "check_games",
    "check_points",
    "new_secret",
    "usual_breaks",
]
