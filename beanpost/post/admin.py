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
from beanpost.post.models import Letter

INSIDE = ("values", "subject", "text", "html", "source", "options", "message_id")
ENVELOPE = ("recipient", "address", "kind", "match", "state", "attempts", "error")
TIMES = ("created_at", "due_at", "claimed_at", "sent_at")


@admin.register(Letter)
class LetterAdmin(LookOnly):
    list_display = ("recipient", "kind", "state", "created_at", "sent_at", "attempts", "error")
    list_filter = ("state", "kind")
    search_fields = ("recipient__name", "recipient__address")
    list_select_related = ("recipient",)
    date_hierarchy = "created_at"
    ordering = ("-pk",)
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
