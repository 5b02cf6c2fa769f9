"""The post room's shelf: letters on their way, and as they went; what people wrote back."""

from __future__ import annotations

import zlib
from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from beanpost import letter_kinds
from beanpost.play.models import Match
from beanpost.players.models import Player
from beanpost.post import mime

LONGEST_SUBJECT = 400  # characters: seven long names have room in it
QUICKLY = 2  # of nine: the best takes three times as long for a tenth of the room


class Fate(models.TextChoices):
    """What a mail server or provider says about a letter it took. The later ones outweigh the earlier."""

    DEFERRED = "deferred", _("not yet taken")
    DELIVERED = "delivered", _("delivered")
    FAILED = "failed", _("not sent on")
    REJECTED = "rejected", _("refused")
    BOUNCED = "bounced", _("came back")
    COMPLAINED = "complained", _("called unwanted")

    @property
    def weight(self) -> int:
        return list(Fate).index(self)

    @property
    def is_return(self) -> bool:
        return self in (Fate.FAILED, Fate.REJECTED, Fate.BOUNCED)


class Letter(models.Model):
    """A letter in the outbox: a row of the move that caused it, written and sent by the worker.

    What stands in it is for its recipient alone: bodies, links and options are kept out of the admin, of logs and of
    every text that names a letter.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting to be written")
        INFLIGHT = "inflight", _("being sent")
        RETRY = "retry", _("to be tried again")
        SENT = "sent", _("sent")
        FAILED = "failed", _("given up")
        DROPPED = "dropped", _("no longer needed")
        WITHHELD = "withheld", _("not sent: this address has not answered our letters yet")

    ON_THE_WAY = (State.QUEUED, State.INFLIGHT, State.RETRY)

    was_due_at: datetime  # known of one that was claimed

    # the envelope
    recipient = models.ForeignKey(Player, models.PROTECT, db_index=False, related_name="letters")
    address = models.EmailField(blank=True)  # where it went; known once it is written
    match = models.ForeignKey(Match, models.PROTECT, null=True, blank=True, db_index=False, related_name="letters")
    kind = models.CharField(max_length=16)
    key = models.CharField(max_length=80)  # what it is about: the same news is written once
    state = models.CharField(max_length=8, choices=State, default=State.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()  # not before; while it is being sent: when we take the sender for dead
    claimed_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=80, blank=True)  # the kind of the last trouble, never its words
    fate = models.CharField(max_length=12, choices=Fate, blank=True)  # at the other end, as far as we know
    returned_at = models.DateTimeField(null=True, blank=True)  # when we heard that it came back

    # what is in it
    values = models.JSONField(default=dict, blank=True)  # what its writer needs to know beside the match
    subject = models.CharField(max_length=LONGEST_SUBJECT, blank=True)
    options = models.JSONField(default=list, blank=True)  # the numbered moves as printed
    asked = models.JSONField(default=dict, blank=True)  # the question it can be answered to, as a MoveTicket says it

    class Meta:
        constraints = (models.UniqueConstraint(fields=("recipient", "kind", "key"), name="one_letter_per_news"),)
        indexes = (
            models.Index(fields=("state", "due_at"), name="letter_state_due"),
            models.Index(fields=("match", "recipient", "kind"), name="letter_thread"),
        )

    def __str__(self) -> str:
        return gettext("%(kind)s, letter %(number)s") % {"kind": letter_kinds.called(self.kind), "number": self.pk}

    def __repr__(self) -> str:
        return f"{self.kind} letter {self.pk}"

    @property
    def is_written(self) -> bool:
        """And was not forgotten since."""
        return hasattr(self, "body")

    @property
    def goes_to(self) -> str:
        """Where it is to be sent: to a named address, or to wherever its recipient is written to by now."""
        return str(self.values.get("to") or self.recipient.address)

    @property
    def source(self) -> bytes:
        """Exactly as sent, and as it is sent again."""
        return self.body.source if self.is_written else b""

    @property
    def text(self) -> str:
        return mime.parts(self.source).text

    @property
    def html(self) -> str:
        return mime.parts(self.source).html


class Body(models.Model):
    """A letter's bytes. Beside the letter, since they never change: its own row does with every step on its way.

    They are kept packed, which takes a sixth of the room: a league's season is some twenty thousand letters.
    """

    letter = models.OneToOneField(Letter, models.CASCADE, primary_key=True, related_name="body")
    packed = models.BinaryField()

    class Meta:
        verbose_name_plural = "bodies"

    def __str__(self) -> str:
        return f"the body of letter {self.letter_id}"

    __repr__ = __str__

    @classmethod
    def of(cls, letter: Letter, source: bytes) -> Body:
        body = cls(letter=letter, packed=zlib.compress(source, QUICKLY))
        body.source = source
        return body

    @cached_property
    def source(self) -> bytes:
        return zlib.decompress(self.packed)


class Report(models.Model):
    """A report of a provider or a mail server about a letter: stored as it comes in, and once; read afterwards."""

    letter = models.ForeignKey(Letter, models.PROTECT, related_name="reports")
    kind = models.CharField(max_length=16)  # anymail's word for it
    number = models.CharField(max_length=120, blank=True)  # the provider's own, if it has one
    proven = models.BooleanField(default=True)  # by the provider, or by the letter itself, which is in the report
    soft = models.BooleanField(default=False)  # it came back for a reason that may pass, as a full mailbox
    told_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("letter", "kind", "number"), name="one_report_per_event"),)
        indexes = (models.Index(fields=("id",), name="report_unread", condition=Q(read_at=None)),)

    def __str__(self) -> str:
        return f"{self.kind} report on letter {self.letter_id}"


class Meter(models.Model):
    """How many letters were taken out lately: one row, which every sender looks at before it takes more."""

    taken = models.JSONField(default=list)  # [seconds since 1970, letters] of the last minute

    def __str__(self) -> str:
        return "the meter"


class VisitorHour(models.Model):
    """How many letters to typed addresses one visitor has asked for in one hour (visitors.py)."""

    visitor = models.CharField(max_length=32, unique=True)  # a fingerprint of the network address and the hour
    letters = models.PositiveSmallIntegerField(default=0)
    began_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"an hour of visitor {self.visitor[:6]}"


class Reply(models.Model):
    """What somebody wrote back to a letter: stored as it came, read afterwards.

    Like a letter it is for one person alone. Of what stands in it nothing is shown to anybody else.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting to be read")
        PLAYED = "played", _("made a move")
        ANSWERED = "answered", _("answered with a letter")
        LEFT = "left", _("left unanswered")

    class Finding(models.TextChoices):
        """What it turned out to be."""

        MOVE = "move", _("a move")
        UNREAD = "unread", _("no move that could be read")
        UNCLEAR = "unclear", _("more than one move")
        REFUSED = "refused", _("a move that cannot be made")
        REPEATED = "repeated", _("a move that was made before")
        LATE = "late", _("too late: the question had closed")
        OVER = "over", _("too late: the match is not being played")
        VOID = "void", _("an answer to a letter that is void")
        AWAY = "away", _("an automatic answer: they seem to be away")
        AUTOMATIC = "automatic", _("an automatic mail")
        FAULT = "fault", _("a mail that the house stumbled over")

    # the envelope
    letter = models.ForeignKey(Letter, models.CASCADE, related_name="replies")  # which it answers
    fingerprint = models.CharField(max_length=64)  # of its Message-ID: the same mail is stored once
    sender = models.CharField(max_length=254, blank=True)  # of the envelope, a hint only; "<>": nobody; "": not told
    received_at = models.DateTimeField()
    due_at = models.DateTimeField()  # not to be read before
    attempts = models.PositiveSmallIntegerField(default=0)
    read_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    finding = models.CharField(max_length=9, choices=Finding, blank=True)
    error = models.CharField(max_length=80, blank=True)  # the kind of the last trouble, never its words

    # what is in it
    source = models.BinaryField(default=bytes, blank=True)  # as it came, or its beginning

    class Meta:
        verbose_name_plural = "replies"
        constraints = (models.UniqueConstraint(fields=("letter", "fingerprint"), name="one_reply_per_mail"),)
        indexes = (
            models.Index(fields=("due_at",), name="reply_due", condition=Q(state="waiting")),
            models.Index(fields=("finding", "received_at"), name="reply_set_aside"),
        )

    def __str__(self) -> str:
        return f"reply {self.pk} to letter {self.letter_id}"

    __repr__ = __str__
