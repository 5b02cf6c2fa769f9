"""Django's makemessages, which also finds the phrases of the games."""

from typing import ClassVar

from django.core.management.commands import makemessages

PHRASES = ("Phrase:1", "Plural:1,2", "RulesError:1", "Unreadable:1", "NotAsked:1", "Illegal:1")


class Command(makemessages.Command):
    xgettext_options = makemessages.Command.xgettext_options + [f"--keyword={phrase}" for phrase in PHRASES]
    # A new text is translated by a person, not by the translation of one that looks alike.
    msgmerge_options: ClassVar[list[str]] = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]
