"""One look at everything that time brings about. Safe to repeat, and on several machines at once."""

from __future__ import annotations

from datetime import datetime

from beanpost.play import absence, faults, house, late, opening, reach, stumbling, together


def sweep(now: datetime) -> int:
    """Note that the house is awake, then do what is due; how many things were done."""
    faults.beat(now)  # first: what an outage cost must be known before anybody's time is up
    late.try_again(now)
    errands = (
        reach.stand_still,  # before anybody's time is up
        late.remind,
        late.time_out,
        house.end_long_pauses,
        absence.wonder,
        opening.expire,
        together.decide_without_absent,
    )
    return sum(stumbling.done(errand.__name__, errand, now) for errand in errands)
