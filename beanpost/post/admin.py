"""Letters in the office: the envelope only, to superusers too. Sending one again needs no look inside."""

from __future__ import annotations

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from beanpost.admin import LookOnly
from beanpost.play import clock
from beanpost.post import outbox
from beanpost.post.models import Letter, Reply

INSIDE = ("values", "subject", "options", "asked")
ENVELOPE = ("recipient", "address", "kind", "match", "state", "fate", "attempts", "error")
TIMES = ("created_at", "due_at", "claimed_at", "sent_at", "returned_at")


@admin.register(Letter)
class LetterAdmin(LookOnly):
    list_display = ("recipient", "kind", "state", "fate", "created_at", "sent_at", "attempts", "error")
    list_filter = ("state", "fate", "kind")
    search_fields = ("recipient__name", "recipient__address")
    list_select_related = ("recipient",)
    ordering = ("-pk",)  # the newest first, by the index there is; days to leaf through would be looked up in every row
    show_full_result_count = False
    fields = readonly_fields = ENVELOPE + TIMES
    actions = ("resend",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Letter]:
        letters: QuerySet[Letter] = super().get_queryset(request)
        return letters.defer(*INSIDE)

    @admin.action(description=_("Send again"), permissions=["view"])
    def resend(self, request: HttpRequest, letters: QuerySet[Letter]) -> None:
        count = outbox.resend(letters, clock.now())
        told = ngettext("One letter is on its way again.", "%(count)d letters are on their way again.", count)
        self.message_user(request, told % {"count": count}, messages.SUCCESS)


@admin.register(Reply)
class ReplyAdmin(LookOnly):
    """What came back: from whom, when, and what it turned out to be. An automatic answer shows who seems to be away."""

    list_display = ("recipient", "state", "finding", "received_at", "read_at", "error")
    list_filter = ("state", "finding")
    search_fields = ("letter__recipient__name", "letter__recipient__address")
    list_select_related = ("letter__recipient",)
    ordering = ("-pk",)
    show_full_result_count = False
    fields = readonly_fields = ("recipient", "match", "sender", "state", "finding", "received_at", "read_at", "error")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Reply]:
        replies: QuerySet[Reply] = super().get_queryset(request)
        return replies.defer("source", "fingerprint", *(f"letter__{name}" for name in INSIDE))

    @admin.display(description=_("who was written to"))
    def recipient(self, reply: Reply) -> str:
        return str(reply.letter.recipient)

    @admin.display(description=_("match"))
    def match(self, reply: Reply) -> str:
        return str(reply.letter.match or "")
