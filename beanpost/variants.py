"""Names of the games' variants, shown beside the game's title."""

from django.utils.translation import gettext, gettext_noop

CALLED = {
    "advanced": gettext_noop("advanced"),
    "base": gettext_noop("base"),
    "basic": gettext_noop("basic"),
    "expert": gettext_noop("expert"),
    "one": gettext_noop("one round"),
    "sprint": gettext_noop("sprint"),
    "standard": gettext_noop("standard"),
    "three": gettext_noop("three rounds"),
}


def variant(name: str) -> str:
    return gettext(CALLED[name]) if name in CALLED else name
