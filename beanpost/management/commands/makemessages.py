"""Django's makemessages, which also finds the phrases of the games."""

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    xgettext_options = [
        *makemessages.Command.xgettext_options,
        "--keyword=Phrase:1",
        "--keyword=Plural:1,2",
        *(f"--keyword={error}:1" for error in ("RulesError", "Unreadable", "NotAsked", "Illegal")),
    ]
