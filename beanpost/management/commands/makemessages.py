"""Django's makemessages, which also finds the phrases of the games, and the labels of the organisers' verbs."""

from django.core.management.commands import makemessages

PHRASES = ("Phrase:1", "Plural:1,2", "RulesError:1", "Unreadable:1", "NotAsked:1", "Illegal:1")
DOUBTS = ("Doubtful:1", "Misshapen:1", "Broken:1", "Unruly:1")
VERBS = ("_l:1",)
KEYWORDS = (*PHRASES, *DOUBTS, *VERBS)
NO_GUESSES = ["--no-fuzzy-matching"]  # a new text gets no translation from one that looks alike


class Command(makemessages.Command):
    xgettext_options = makemessages.Command.xgettext_options + [f"--keyword={word}" for word in KEYWORDS]
    msgmerge_options = makemessages.Command.msgmerge_options + NO_GUESSES
