"""Wording in the reader's language: the games' phrases with players' names and signs for cards; lists, quotes, times,
spans and paces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, time, timedelta
from functools import lru_cache

from django.template.defaultfilters import date
from django.utils import timezone
from django.utils.dateformat import time_format
from django.utils.dates import WEEKDAYS
from django.utils.translation import get_language, gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

import games
from beanpost.play.pace import Pace, parse_pace
from games.contract.look import Look
from games.contract.phrases import Phrase, Term, Value, Who
from games.engine import catalogue

PACE_NAMES = {
    "brisk": _("Brisk: twelve hours per move"),
    "daily": _("Daily: one day per move"),
    "relaxed": _("Relaxed: three days per move"),
    "weekly": _("Weekly: seven days per move"),
    "weekend-free": _("Weekdays: one working day per move"),
}
PACE_EXAMPLE = _(
    "For example, 36h bank 2d gain 6h days 12345 quiet 22-7 at 20 means: 36 hours per move; each move made in time "
    "adds 6 hours to the player’s reserve, up to 2 days; only Monday (1) to Friday (5) count; time runs out at 20:00 "
    "only, and never between 22:00 and 7:00. Only the first part is required. Use d for days, h for hours and m for "
    "minutes."
)

CARD_LIKE = re.compile(
    "|".join([r"[\d\s]+", *(game.look.card_names for game in games.GAMES.values() if game.look.card_names)]), re.DOTALL
)


def say(phrase: Phrase, names: Sequence[str]) -> str:
    """Return a phrase as a sentence, in the active language."""
    if isinstance(phrase, Term):
        return pgettext(phrase.context, phrase.text)
    text = phrase.source(ngettext) if hasattr(phrase, "many") else gettext(phrase.text)
    return text.format(**{gap: format_value(value, names) for gap, value in phrase.values.items()})


def format_value(value: Value, names: Sequence[str]) -> str:
    match value:
        case Who(seat):
            return quote_if_card(names[seat])
        case Phrase():
            return say(value, names)
        case int():
            return format_number(value)
        case str():
            return value
        case _:
            return " ".join(format_value(item, names) for item in value)


# ── cards: games write them in notation, and readers see their signs: "QS" is Q♠, in French D♠ ──


def say_with_signs(phrase: Phrase, names: Sequence[str], look: Look) -> str:
    """Return a phrase as a sentence, with signs for its cards."""
    sentence = say(phrase, names)
    return format_cards_in(sentence, look, names) if look.glyphs else sentence


def format_cards_in(sentence: str, look: Look, names: Iterable[str]) -> str:
    """Return a sentence with signs for its cards.

    A player's name that looks like a card is in quotation marks, and stays as it is.
    """
    quoted = [re.escape(quote_if_card(name)) for name in names if quote_if_card(name) != name]
    cards = rf"\b(?P<card>{'|'.join(look.glyphs)})\b"

    def replace_card(found: re.Match[str]) -> str:
        return format_card(found["card"], look) if found["card"] else found[0]

    return re.sub("|".join([*quoted, cards]), replace_card, sentence)


def format_card(card: str, look: Look) -> str:
    """Return a card with its sign, in the active language; a word that is no card stays as it is."""
    glyph = look.glyphs.get(card)
    return f"{format_value(glyph.text, ())}{glyph.sign}" if glyph else card


# ── names, numbers, lists and quotes ──


def name_variant(game: str, variant: str) -> str:
    return say(catalogue.variant_name(game, variant), ())


def format_number(number: int) -> str:
    """Return a number with a proper minus sign.

    >>> format_number(-13), format_number(7)
    ('−13', '7')
    """
    return str(number).replace("-", "−")


def format_times(count: int) -> str:
    """Return a count as an adverb.

    >>> format_times(1), format_times(2), format_times(3), format_times(4)
    ('once', 'twice', 'three times', '4 times')
    """
    words = {1: gettext("once"), 2: gettext("twice"), 3: gettext("three times")}
    return words.get(count) or gettext("%(count)d times") % {"count": count}


def spell_number(count: int) -> str:
    """Return a small number as a word.

    >>> spell_number(2), spell_number(3), spell_number(4)
    ('two', 'three', '4')
    """
    return {2: gettext("two"), 3: gettext("three")}.get(count, str(count))


def join_names(names: Sequence[object]) -> str:
    """Join names for a sentence: "Ann, Bob and Cleo"."""
    *others, last = map(str, names)
    if not others:
        return last
    return gettext("%(names)s and %(last)s") % {"names": ", ".join(others), "last": last}


def add_colon(label: object) -> str:
    """Return a label with a colon: some languages put a space before it."""
    return gettext("%(label)s:") % {"label": label}


def quote(words: str) -> str:
    """Return a quotation, in the quotation marks of the reader's language."""
    return gettext("“%(words)s”") % {"words": words}


def quote_if_card(name: str) -> str:
    """Return a name for a sentence: in quotation marks if it could be taken for a card.

    >>> quote_if_card("7S"), quote_if_card("12"), quote_if_card("Ann 2")
    ('“7S”', '“12”', 'Ann 2')
    """
    return quote(name) if CARD_LIKE.fullmatch(name) else name


def add_full_stop(words: str) -> str:
    """Return a typed text, with a full stop unless it ends with punctuation.

    >>> add_full_stop("It rained"), add_full_stop("It rained.")
    ('It rained.', 'It rained.')
    """
    return words if words.endswith((".", "!", "?", "…")) else f"{words}."


def drop_full_stop(sentence: str) -> str:
    """Return a sentence as a heading: without its full stop. Several sentences keep theirs.

    >>> drop_full_stop("Ann won."), drop_full_stop("Ann won. Bob lost.")
    ('Ann won', 'Ann won. Bob lost.')
    """
    return sentence[:-1] if sentence.endswith(".") and ". " not in sentence else sentence


def format_time(at: datetime, since: datetime | None = None) -> str:
    """Return an exact time in the reader's time zone, with the zone's name, and a year other than that of `since`."""
    return format_time_in(timezone.get_current_timezone_name(), get_language(), at, since)


def format_your_time(at: datetime, since: datetime | None = None) -> str:
    """Return an exact time as "your time". Readers who never told us their time zone read "(UTC)" instead."""
    if timezone.get_current_timezone_name() == "UTC":
        return format_time(at, since)
    return gettext("%(time)s your time") % {"time": format_moment(timezone.localtime(at), since)}


def format_moment(local: datetime, since: datetime | None) -> str:
    """Return a local time, with the zone's abbreviation in the hour that comes twice when clocks go back."""
    has_year = since is not None and timezone.localtime(since).year != local.year
    moment = str(date(local, gettext("D j M Y, H:i") if has_year else gettext("D j M, H:i")))
    return f"{moment} {local:%Z}" if local.utcoffset() != local.replace(fold=1 - local.fold).utcoffset() else moment


@lru_cache(maxsize=512)
def format_time_in(zone: str, language: str | None, at: datetime, since: datetime | None) -> str:
    """Format a time. The active zone and language are arguments for the cache: several letters show one deadline."""
    return gettext("%(time)s (%(zone)s)") % {"time": format_moment(timezone.localtime(at), since), "zone": zone}


def format_day(at: datetime | None) -> str:
    """Return the day of a moment in the reader's time zone; "" for None."""
    return format_day_in(timezone.get_current_timezone_name(), get_language(), at) if at else ""


@lru_cache(maxsize=512)
def format_day_in(zone: str, language: str | None, at: datetime) -> str:
    """Format a day. Arguments as above: the subject of every letter of a match names the same day."""
    return str(date(timezone.localtime(at), gettext("j F")))


def format_span(span: timedelta) -> str:
    """Return a span in words.

    >>> format_span(timedelta(days=3)), format_span(timedelta(hours=12)), format_span(timedelta(minutes=90))
    ('3 days', '12 hours', '90 minutes')
    """
    minutes = round(span.total_seconds() / 60)
    if minutes < 60 or minutes % 60:
        return ngettext("one minute", "%(count)d minutes", minutes) % {"count": minutes}
    hours = minutes // 60
    if hours >= 24 and hours % 24 == 0:
        days = hours // 24
        return ngettext("one day", "%(count)d days", days) % {"count": days}
    return ngettext("one hour", "%(count)d hours", hours) % {"count": hours}


def describe_pace(pace: Pace) -> list[str]:
    """Describe a pace in clauses: the time for a decision, then days, quiet hours and the fixed hour.

    >>> from beanpost.play.pace import parse_pace
    >>> describe_pace(parse_pace("1d days 67 quiet 22-8 at 19"))[1:]
    ['on Saturday and Sunday only;', 'time never runs out between 22:00 and 08:00 your time;', 'time runs out at 19:00']
    """
    parts = [gettext("%(span)s per move") % {"span": format_span(pace.allowance)}]
    if not pace.counts_every_day:
        parts += [gettext("on %(days)s only") % {"days": join_names([WEEKDAYS[int(day) - 1] for day in pace.days])}]
    if pace.quiet:
        first, end = map(format_hour, pace.quiet)
        parts += [gettext("time never runs out between %(first)s and %(end)s your time") % {"first": first, "end": end}]
    if pace.hour is not None:
        parts += [gettext("time runs out at %(hour)s") % {"hour": format_hour(pace.hour)}]
    *others, last = parts
    return [*(gettext("%(clause)s;") % {"clause": clause} for clause in others), last]


def format_hour(hour: int) -> str:
    return time_format(time(hour), gettext("H:i"))


def format_time_left(until: datetime, now: datetime) -> str:
    """Return roughly how much time is left: "less than an hour", "5 hours", "2 days"."""
    hours = int((until - now).total_seconds() // 3600)
    if hours < 1:
        return gettext("less than an hour")
    return format_span(timedelta(days=hours // 24) if hours >= 48 else timedelta(hours=hours))


def name_pace(pace: str) -> str:
    """Return a pace's name, or a description if it is not one of the named paces.

    >>> name_pace("1d at 19")
    'one day per move; time runs out at 19:00'
    """
    return str(PACE_NAMES[pace]) if pace in PACE_NAMES else " ".join(describe_pace(parse_pace(pace)))
