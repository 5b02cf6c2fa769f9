"""How long a match takes by post, in words, from the days on the game's card (`durations`).

`make pace` measures them at the daily pace and prints where its figures differ. Other paces are taken to need as many
times more days as they give time for a move. Invitations, rules and the start page say them.
"""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import games
from beanpost.play import pace
from beanpost.play.display.wording import PACE_NAMES, name_variant
from games.contract.game import Days

ROUGHLY = 1.25  # variants that differ by less take equally long
LONG_ENOUGH = 21  # days: a match should end while its players remember how it began


def find_duration(slug: str, variant: str, seats: int) -> tuple[int, Days] | None:
    """Return the days of a match, and the number of seats they were measured with: this one, or the nearest."""
    days = games.GAMES[slug].durations if slug in games.GAMES else {}  # a match whose game was removed has pages too
    known = [count for kind, count in days if kind == variant]
    if not known:
        return None
    nearest = min(known, key=lambda count: abs(count - seats))
    return nearest, days[variant, nearest]


def describe_duration(slug: str, variant: str, seats: int, chosen_pace: str = "daily") -> str:
    """Return how long a match takes, in words; "" for a game that was not measured."""
    found = find_duration(slug, variant, seats)
    if found is None:
        return ""
    count, days = found
    quick, slow = round_days(days, chosen_pace)
    players = ngettext("%(count)d player", "%(count)d players", count) % {"count": count}
    quickly = ngettext("about %(count)d day", "about %(count)d days", quick) % {"count": quick}
    if slow == quick:
        return _("%(days)s with %(players)s") % {"days": quickly, "players": players}
    slowly = ngettext("about %(count)d day", "about %(count)d days", slow) % {"count": slow}
    return _("%(slowly)s with %(players)s, or %(quickly)s if everyone plans ahead") % {
        "slowly": slowly,
        "players": players,
        "quickly": quickly,
    }


def summarise_duration(slug: str, variant: str, seats: int) -> str:
    """Return the days of a match in a few words: "6 to 35 days"; "" for a game that was not measured."""
    found = find_duration(slug, variant, seats)
    if found is None:
        return ""
    quick, slow = round_days(found[1])
    if slow == quick:
        return ngettext("%(count)d day", "%(count)d days", quick) % {"count": quick}
    return _("%(quick)d to %(slow)d days") % {"quick": quick, "slow": slow}


def round_days(days: Days, chosen_pace: str = "daily") -> tuple[int, int]:
    """Return the days of a match at this pace in which everyone plans ahead, and of one in which nobody does."""
    quick = max(1, round(days.planned))
    slow = quick if days.plain is None else max(quick, round(days.plain))
    slower = compare_with_daily(chosen_pace)
    return max(1, round(quick * slower)), max(1, round(slow * slower))


def compare_with_daily(chosen_pace: str) -> float:
    """Return how many times more time for a move a pace gives than the daily one.

    >>> compare_with_daily("daily"), compare_with_daily("weekly")
    (1.0, 7.0)
    """
    return pace.parse_pace(chosen_pace).allowance / pace.PACES["daily"].allowance


def choose_variant(slug: str, chosen_pace: str) -> str:
    """Return the variant that fits a pace: the game's first that takes at most three weeks, or else the shortest.

    >>> [choose_variant("haricots", name) for name in ("daily", "weekly")]
    ['advanced', 'sprint']
    """
    variants = games.get(slug).variants
    slower = compare_with_daily(chosen_pace)
    days = {variant: found[1].planned * slower for variant in variants if (found := find_duration(slug, variant, 4))}
    if not days:
        return variants[0]
    shortest = min(days.values())
    fits = [variant for variant, count in days.items() if count <= max(LONG_ENOUGH, shortest * ROUGHLY)]
    return fits[0]


def suggest_variants(slug: str) -> str:
    """Return, in words, which variants fit slower or quicker paces than the daily one; "" if all have the same."""
    usual = choose_variant(slug, "daily")
    others = {name: variant for name in pace.PACES if (variant := choose_variant(slug, name)) != usual}
    return " ".join(
        _("For “%(pace)s” we suggest: %(variant)s.")
        % {"pace": PACE_NAMES[name], "variant": name_variant(slug, variant)}
        for name, variant in others.items()
    )
