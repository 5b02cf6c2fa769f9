"""The tables of the post app: letters, their bodies, reports on them, and replies."""

from __future__ import annotations

import zlib
from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from beanpost.play.models import Match
from beanpost.players.models import Player
from beanpost.post import kinds, mime

LONGEST_SUBJECT = 400  # characters: enough for seven long names


class Fate(models.TextChoices):
    """The last known state of a sent letter, by its mail server or provider. Later values outweigh earlier ones."""

    DEFERRED = "deferred", _("delayed")
    DELIVERED = "delivered", _("delivered")
    FAILED = "failed", _("couldn’t be sent")
    REJECTED = "rejected", _("refused")
    BOUNCED = "bounced", _("bounced")
    COMPLAINED = "complained", _("marked as spam")

    @property
    def weight(self) -> int:
        return list(Fate).index(self)

    @property
    def is_return(self) -> bool:
        return self in (Fate.FAILED, Fate.REJECTED, Fate.BOUNCED)


class Letter(models.Model):
    """A letter in the outbox: queued in the transaction of the move that causes it, composed and sent by the worker.

    Its contents are for the recipient alone: bodies, links and options appear neither in the admin, nor in logs, nor in
    the text that represents a letter.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting to be sent")
        INFLIGHT = "inflight", _("being sent")
        RETRY = "retry", _("will be retried")
        SENT = "sent", _("sent")
        FAILED = "failed", _("given up")
        DROPPED = "dropped", _("no longer needed")
        WITHHELD = "withheld", _("not sent: this address has not answered our letters yet")

    ON_THE_WAY = (State.QUEUED, State.INFLIGHT, State.RETRY)

    was_due_at: datetime  # set on claimed letters only

    # the envelope
    recipient = models.ForeignKey(Player, models.PROTECT, db_index=False, related_name="letters")
    address = models.EmailField(blank=True)  # the address it was sent to; empty until it is composed
    match = models.ForeignKey(Match, models.PROTECT, null=True, blank=True, db_index=False, related_name="letters")
    kind = models.CharField(max_length=16)
    key = models.CharField(max_length=80)  # identifies the news, so that it is sent once
    about_model = models.CharField(max_length=16, blank=True)  # a row of a package above, such as "entry",
    about_id = models.PositiveBigIntegerField(null=True, blank=True)  # by its model's name and its primary key
    replaces = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="replacements")
    state = models.CharField(max_length=8, choices=State, default=State.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()  # earliest time to send; while it is in flight: when the sender's lease ends
    claimed_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=80, blank=True)  # the class of the last error, never its message
    fate = models.CharField(max_length=12, choices=Fate, blank=True)  # after sending, as far as we know
    returned_at = models.DateTimeField(null=True, blank=True)  # when its bounce was reported
    refused_replies = models.PositiveIntegerField(default=0)  # emails refused because it had got too many (inbox.py)

    # the contents
    values = models.JSONField(default=dict, blank=True)  # what composing needs beyond the match
    subject = models.CharField(max_length=LONGEST_SUBJECT, blank=True)
    options = models.JSONField(default=list, blank=True)  # the moves as printed, with their marks
    asked = models.JSONField(default=dict, blank=True)  # the question that a reply answers: a MoveTicket's fields
    is_erased = models.BooleanField(default=False, editable=False)  # its contents and those of its replies are

    class Meta:
        constraints = (models.UniqueConstraint(fields=("recipient", "kind", "key"), name="one_letter_per_news"),)
        indexes = (
            models.Index(fields=("state", "due_at"), name="letter_state_due"),
            models.Index(fields=("match", "recipient", "kind"), name="letter_thread"),
            models.Index(fields=("is_erased", "created_at"), name="letter_alone", condition=Q(match=None)),
            models.Index(fields=("about_id", "kind"), name="letter_about", condition=Q(about_id__isnull=False)),
            models.Index(fields=("refused_replies",), name="letter_refused", condition=Q(refused_replies__gt=0)),
        )

    def __str__(self) -> str:
        return gettext("%(kind)s, letter %(number)s") % {"kind": kinds.name_kind(self.kind), "number": self.pk}

    def __repr__(self) -> str:
        return f"{self.kind} letter {self.pk}"

    @property
    def is_written(self) -> bool:
        """Whether the letter is composed and its body is not erased."""
        return hasattr(self, "body")

    @property
    def target_address(self) -> str:
        """The address to send to: the one in its values, or the recipient's current one."""
        return str(self.values.get("to") or self.recipient.address)

    @property
    def source(self) -> bytes:
        """The exact bytes that are sent, the same for every attempt."""
        return mime.restore_pictures(self.stored_source)

    @property
    def stored_source(self) -> bytes:
        """The same bytes, with names in place of the pictures that all letters share."""
        return self.body.source if self.is_written else b""

    @property
    def parts(self) -> mime.Parts:
        """Text, HTML and calendar. Parsing takes some milliseconds: if you need two of them, read this once."""
        return mime.split_parts(self.stored_source)

    @property
    def text(self) -> str:
        return self.parts.text

    @property
    def html(self) -> str:
        return self.parts.html


class Body(models.Model):
    """A letter's bytes, in a row of their own: they never change, while the letter's row changes with every step.

    Pictures that letters share are in files of their own; the bytes hold their names. They are compressed to a sixth of
    their size: a league's season is some twenty thousand letters.
    """

    letter = models.OneToOneField(Letter, models.CASCADE, primary_key=True, related_name="body")
    packed = models.BinaryField()

    class Meta:
        verbose_name_plural = "bodies"

    def __str__(self) -> str:
        return f"the body of letter {self.letter_id}"

    __repr__ = __str__

    @classmethod
    def from_source(cls, letter: Letter, source: bytes) -> Body:
        body = cls(letter=letter, packed=zlib.compress(source))
        body.source = source
        return body

    @cached_property
    def source(self) -> bytes:
        return zlib.decompress(self.packed)


class Report(models.Model):
    """A provider's or mail server's report on a letter: stored once, as it comes in, and processed afterwards."""

    letter = models.ForeignKey(Letter, models.PROTECT, related_name="reports")
    kind = models.CharField(max_length=16)  # anymail's word for it
    number = models.CharField(max_length=120, blank=True)  # the provider's own, if it has one
    proven = models.BooleanField(default=True)  # the provider sent it, or it contains the letter
    by_mail = models.BooleanField(default=False)  # it came by mail: anybody with the letter's source can forge it
    soft = models.BooleanField(default=False)  # it bounced for a temporary reason, such as a full mailbox
    told_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("letter", "kind", "number"), name="one_report_per_event"),)
        indexes = (models.Index(fields=("id",), name="report_unread", condition=Q(read_at=None)),)

    def __str__(self) -> str:
        return f"{self.kind} report on letter {self.letter_id}"


class Meter(models.Model):
    """The state of the rate limit: one row, which every sender locks before it claims letters."""

    taken = models.JSONField(default=list)  # [Unix time, letters] for the last minute

    def __str__(self) -> str:
        return "the meter"


class OutboxPause(models.Model):
    """The relay's last refusal, until it accepts a letter: one row. With `began_at`, the outbox pauses."""

    letter = models.ForeignKey(Letter, models.CASCADE, related_name="+")  # the first that it refused
    error = models.CharField(max_length=80)  # as in the letter's row
    began_at = models.DateTimeField(null=True)
    next_try_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.error


class VisitorHour(models.Model):
    """The number of letters to typed addresses that one visitor has requested in one hour (visitor_limits.py).

    For a larger network, in one day.
    """

    visitor = models.CharField(max_length=32, unique=True)  # a fingerprint of the network address and the hour
    letters = models.PositiveSmallIntegerField(default=0)
    began_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"an hour of visitor {self.visitor[:6]}"


class LetterRequest(models.Model):
    """A typed address, known or not, to which somebody asked for a letter. The sender looks it up within moments."""

    address = models.EmailField()
    kind = models.CharField(max_length=16)
    asked_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"request {self.pk} for a letter"


class Reply(models.Model):
    """A reply to a letter: stored as it came in, and read afterwards.

    Its contents, like a letter's, are for one person alone and are shown to nobody else.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting to be read")
        PLAYED = "played", _("made a move")
        ANSWERED = "answered", _("answered by letter")
        LEFT = "left", _("not answered")

    class Finding(models.TextChoices):
        """The result of reading a reply."""

        MOVE = "move", _("a move")
        UNREAD = "unread", _("no move we could read")
        UNCLEAR = "unclear", _("more than one move")
        COSTLY = "costly", _("a costly move, to be confirmed")
        REFUSED = "refused", _("a move that isn’t allowed")
        REPEATED = "repeated", _("a move already made")
        LATE = "late", _("too late: the question was closed")
        OVER = "over", _("too late: the match isn’t in progress")
        VOID = "void", _("a reply to an old letter")
        LINKS_ONLY = "links", _("a reply to a letter without a question")
        UNSIGNED = "unsigned", _("a reply to our sender address")  # known, unlike others, when it comes in
        AWAY = "away", _("an automatic reply: the player seems to be away")
        AUTOMATIC = "automatic", _("an automatic email")
        FAULT = "fault", _("an email we failed to process")
        REPORT = "report", _("a mail server’s report")

    # the envelope
    letter = models.ForeignKey(Letter, models.CASCADE, related_name="replies")  # the letter it answers
    fingerprint = models.CharField(max_length=64)  # of its Message-ID, so that the same email is stored once
    sender = models.CharField(max_length=254, blank=True)  # envelope sender, only a hint; "<>": none; "": unknown
    is_returned = models.BooleanField(default=False)  # it came to the letter's return address, where servers report
    received_at = models.DateTimeField()
    due_at = models.DateTimeField()  # earliest time to read it
    attempts = models.PositiveSmallIntegerField(default=0)
    read_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    finding = models.CharField(max_length=9, choices=Finding, blank=True)
    error = models.CharField(max_length=80, blank=True)  # the class of the last error, never its message

    # the contents
    source = models.BinaryField(default=bytes, blank=True)  # the email as it came in, or its beginning

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
