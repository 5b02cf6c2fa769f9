"""Letters about time and absence: when each is queued, and what it contains.

kind        values it is queued with    recipient
excused     opened, seq                 a player whose time ran out and who gets a little more
stand_in    —                           a player replaced by a bot for now
still       —                           a player who has been silent for long
away_offer  —                           a player whose mailbox sent an automatic reply
away_seen   seat                        the keeper, when a player's mailbox sent an automatic reply
decide      proposal                    players who have a vote on a proposal
decided     line                        the others, when the table pauses, resumes or takes moves back
takeover    proposal                    a person who is asked to take over a seat
replaced    title, departure            a player whose seat was given to somebody else
handed      departure                   the others at that table
expired     title                       players who waited at a table that never filled
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.dispatch import receiver

from beanpost.play import signals
from beanpost.play.display import deadline_notes
from beanpost.play.models import Departure, Event, Match, Place, Proposal, Wait
from beanpost.play.seats import rewind, votes
from beanpost.play.tickets import TakeoverTicket, sign
from beanpost.play.timekeeping import mail_credits
from beanpost.post import preferences
from beanpost.post.compose.contents import KINDS, Contents, at_table, others, title, turn
from beanpost.post.models import Letter
from beanpost.post.outbox.claims import queue
from games.contract.house_lines import Sit
from games.contract.seats import HOUSE

# ── when they are queued ─────────────────────────────────────────────────────────────────────────


@receiver(signals.excused)
def tell_who_is_excused(match: Match, wait: Wait, place: Place, event: Event, now: datetime, **_: Any) -> None:
    assert place.player is not None
    values = {"opened": wait.opened, "seq": event.seq}
    queue(place.player, "excused", f"m/{match.pk}/{event.seq}", values, now=now, match=match)


@receiver(signals.stood_in)
def tell_who_is_absent(match: Match, place: Place, now: datetime, **_: Any) -> None:
    if place.player:
        queue(place.player, "stand_in", f"m/{match.pk}/{match.length}", now=now, match=match)


@receiver(signals.wondered)
def ask_who_is_silent(match: Match, place: Place, now: datetime, **_: Any) -> None:
    assert place.player is not None
    queue(place.player, "still", f"m/{match.pk}/{now:%y%m%d}", now=now, match=match)


@receiver(signals.seemed_away)
def offer_days_away(match: Match, place: Place, now: datetime, **_: Any) -> None:
    """Offer days away, at most once a week: an absent player's mailbox replies to every letter."""
    assert place.player is not None
    queue(place.player, "away_offer", f"away/{now:%G%V}", now=now, match=match)


@receiver(signals.seemed_away)
def tell_keeper_who_seems_away(match: Match, place: Place, now: datetime, **_: Any) -> None:
    """Tell the keeper that a mailbox replied automatically, but never the text of the reply."""
    if match.keeper_id != place.player_id:
        key = f"m/{match.pk}/{place.seat}/{now:%G%V}"
        queue(match.keeper, "away_seen", key, {"seat": place.seat}, now=now, match=match)


@receiver(signals.proposed)
def ask_for_a_voice(match: Match, proposal: Proposal, voters: list[Place], now: datetime, **_: Any) -> None:
    for voter in voters:
        assert voter.player is not None
        queue(voter.player, "decide", f"p/{proposal.pk}", {"proposal": proposal.pk}, now=now, match=match)


@receiver(signals.decided)
def tell_what_was_decided(match: Match, line: int, last: Place | None, now: datetime, **_: Any) -> None:
    """Tell the players, except those whose turn letter says so too: after a rewind it does."""
    asked_anew = map(preferences.question, match.waits.filter(opened__gte=line))
    told = set(match.letters.filter(kind="turn", key__in=list(asked_anew)).values_list("recipient", flat=True))
    for place in match.places.filter(player__isnull=False, resigned_at=None).select_related("player"):
        if place.player and place.player_id not in told and place != last:
            queue(place.player, "decided", f"m/{match.pk}/{line}", {"line": line}, now=now, match=match)


@receiver(signals.offered)
def ask_newcomer(match: Match, proposal: Proposal, now: datetime, **_: Any) -> None:
    assert proposal.player is not None
    # Queued without the match: the newcomer does not sit at its table yet.
    # The key holds the time because an organiser may ask the same person again.
    queue(proposal.player, "takeover", f"p/{proposal.pk}/{now:%y%m%d%H%M%S}", {"proposal": proposal.pk}, now=now)


@receiver(signals.handed)
def tell_of_newcomer(match: Match, place: Place, departure: Departure, now: datetime, **_: Any) -> None:
    values = {"title": title(match), "departure": departure.pk}
    queue(departure.player, "replaced", f"m/{match.pk}", values, now=now)
    for other in votes.people(match):
        if other.player and other.seat != place.seat:
            queue(other.player, "handed", f"d/{departure.pk}", {"departure": departure.pk}, now=now, match=match)
    if place.player and not match.waits.filter(seat=place.seat).exists():  # otherwise their turn letter says so
        queue(place.player, "started", f"d/{departure.pk}", now=now, match=match)


@receiver(signals.expired)
def tell_who_waited(match: Match, now: datetime, **_: Any) -> None:
    for place in match.places.filter(player__isnull=False, confirmed_at__isnull=False).select_related("player"):
        assert place.player is not None
        queue(place.player, "expired", f"m/{match.pk}", {"title": title(match)}, now=now)


# ── effects of a letter on the clock ─────────────────────────────────────────────────────────────


def letter_went(letter: Letter, now: datetime) -> None:
    """Credit the clock if the letter that first told a question was accepted late. A resent letter credits nothing."""
    if letter.sent_at is None and now - letter.created_at > mail_credits.PROMPT:
        for match, opened in preferences.first_told_by(letter):
            mail_credits.letter_went(match, letter.recipient, opened, promised=letter.created_at, now=now)


def letter_bounced(letter: Letter, now: datetime) -> None:
    """Stop the seat's clock for a while when a letter was permanently refused or bounced."""
    if letter.match:
        mail_credits.letter_bounced(letter.match, letter.recipient, opened=letter.values.get("opened"), now=now)
    for match, opened in preferences.first_told_by(letter) if letter.kind == "digest" else ():
        mail_credits.letter_bounced(match, letter.recipient, opened=opened, now=now)


# ── contents ─────────────────────────────────────────────────────────────────────────────────────


def stand_in(letter: Letter) -> Contents | None:
    """Return nothing once the bot has left the seat."""
    said = running(letter)
    if not said or not said["place"].stand_in or said["place"].resigned_at:
        return None
    sat_down = str(Sit(said["place"].seat, "bot"))
    by = [event.origin for event in said["scene"].log if event.seat == HOUSE and event.line == sat_down]
    return said | {"by_organiser": by[-1:] == [Event.Origin.ORGANISER]}


def still(letter: Letter) -> Contents | None:
    said = running(letter)
    return said if said and said["place"].nudged else None


def away_offer(letter: Letter) -> Contents | None:
    said = running(letter)
    return said if said and said["place"].wants_reminders else None


def running(letter: Letter) -> Contents | None:
    return at_table(letter, Match.Phase.RUNNING)


def decide(letter: Letter) -> Contents | None:
    proposal = Proposal.objects.filter(pk=letter.values["proposal"], closed_at=None, passed_at=None).first()
    said = running(letter) if proposal else None
    if said is None or proposal is None or votes.has_gone_on(proposal):
        return None
    undone = rewind.undone(proposal.match, proposal.line) if proposal.line is not None else []
    said |= {"proposal": proposal, "undone": undone}
    if proposal.about == Proposal.About.GIVE:
        place = said["scene"].places[proposal.seat]
        said |= {"whose": place.name, "played_by": deadline_notes.played_by_bot(place)}
    return said


def decided(letter: Letter) -> Contents | None:
    said = running(letter)
    line = said["scene"].line(letter.values["line"]) if said else None
    return said | {"line": line} if said and line else None


def takeover(letter: Letter) -> Contents | None:
    proposal = Proposal.objects.filter(pk=letter.values["proposal"], closed_at=None).select_related("match").first()
    if proposal is None or proposal.match.phase != Match.Phase.RUNNING:
        return None
    ticket = sign(TakeoverTicket(letter.recipient_id, proposal.pk))
    names = [place.name for place in proposal.match.places.all() if place.seat != proposal.seat]
    return {"ticket": ticket, "title": title(proposal.match), "others": names, "table": proposal.match}


def handed(letter: Letter) -> Contents | None:
    said, left = running(letter), Departure.objects.filter(pk=letter.values["departure"]).first()
    if said is None or left is None:
        return None
    return said | {"former": left.name, "newcomer": said["names"][left.seat]}


def replaced(letter: Letter) -> Contents:
    """Contents without a match: the former player no longer sits at its table."""
    left = Departure.objects.filter(pk=letter.values.get("departure")).select_related("match").first()
    if left is None:
        return told_before(letter) | {"others": [], "by_organiser": False}
    others = [place.name for place in left.match.places.all() if place.seat != left.seat]
    by = left.match.events.get(seq=left.seq).origin
    return told_before(letter) | {"others": others, "by_organiser": by == Event.Origin.ORGANISER}


def away_seen(letter: Letter) -> Contents | None:
    match = letter.match
    if match is None or match.phase != Match.Phase.RUNNING:
        return None
    name = match.places.get(seat=letter.values["seat"]).name
    return {"title": title(match), "others": others(letter), "name": name}


def told_before(letter: Letter) -> Contents:
    return {"title": letter.values["title"]}


KINDS |= {
    "excused": turn,
    "stand_in": stand_in,
    "still": still,
    "away_offer": away_offer,
    "away_seen": away_seen,
    "decide": decide,
    "decided": decided,
    "takeover": takeover,
    "handed": handed,
    "replaced": replaced,
    "expired": told_before,
}
