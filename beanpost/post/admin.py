"""Letters in the admin: envelopes only, for superusers too. Resending a letter does not need its contents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from unfold.paginator import InfinitePaginator

from beanpost.admin.base import ReadOnlyAdmin
from beanpost.play import clock
from beanpost.post import kinds
from beanpost.post.models import Letter, Reply
from beanpost.post.outbox import claims, retention

INSIDE = ("values", "subject", "options", "asked")
ENVELOPE = ("recipient", "address", "called", "match", "state", "fate", "attempts", "error")
TIMES = ("created_at", "due_at", "claimed_at", "sent_at", "returned_at")


class KindFilter(admin.ChoicesFieldListFilter):
    """Filter letters by the name of their kind; kinds with the same name are one choice."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        everything = changelist.get_query_string(remove=[self.lookup_kwarg])
        yield {"selected": self.lookup_val is None, "query_string": everything, "display": _("All")}
        alike: dict[str, list[str]] = defaultdict(list)
        for kind in kinds.load().values():
            alike[str(kind.title)].append(kind.name)
        for name, stored in alike.items():
            yield {
                "selected": stored[0] in (self.lookup_val or ()),
                "query_string": changelist.get_query_string({self.lookup_kwarg: stored}),
                "display": name,
            }


@admin.register(Letter)
class LetterAdmin(ReadOnlyAdmin):
    list_display = ("recipient", "called", "state", "fate", "created_at", "sent_at", "attempts", "error")
    list_filter = ("state", "fate", ("kind", KindFilter))
    search_fields = ("recipient__name", "recipient__address")
    list_select_related = ("recipient",)
    ordering = ("-pk",)  # newest first, by the primary key's index; date_hierarchy would scan every row
    show_full_result_count = False
    paginator = InfinitePaginator  # without page numbers, for which it would count every letter
    list_disable_select_all = True
    fields = readonly_fields = ENVELOPE + TIMES
    actions = ("resend",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Letter]:
        letters: QuerySet[Letter] = super().get_queryset(request)
        return letters.defer(*INSIDE)

    @admin.display(description=_("kind"), ordering="kind")
    def called(self, letter: Letter) -> str:
        return kinds.name_kind(letter.kind)

    @admin.action(description=_("Send again"), permissions=["view"])
    def resend(self, request: HttpRequest, letters: QuerySet[Letter]) -> None:
        now = clock.now()
        if lost := retention.filter_unsendable(letters, now).count():
            message = ngettext(
                "One letter can’t be sent again: its contents have been deleted.",
                "%(count)d letters can’t be sent again: their contents have been deleted.",
                lost,
            )
            self.message_user(request, message % {"count": lost}, messages.WARNING)
        count = claims.resend(letters, now)
        if count or not lost:
            message = ngettext("One letter has been sent again.", "%(count)d letters have been sent again.", count)
            self.message_user(request, message % {"count": count}, messages.SUCCESS)


@admin.register(Reply)
class ReplyAdmin(ReadOnlyAdmin):
    """Replies: sender, time and what each turned out to be. An automatic reply shows which player may be away."""

    list_display = ("recipient", "state", "finding", "received_at", "read_at", "error")
    list_filter = ("state", "finding")
    search_fields = ("letter__recipient__name", "letter__recipient__address")
    list_select_related = ("letter__recipient",)
    ordering = ("-pk",)
    show_full_result_count = False
    paginator = InfinitePaginator
    list_disable_select_all = True
    fields = readonly_fields = ("recipient", "match", "sender", "state", "finding", "received_at", "read_at", "error")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Reply]:
        replies: QuerySet[Reply] = super().get_queryset(request)
        return replies.defer("source", "fingerprint", *(f"letter__{name}" for name in INSIDE))

    @admin.display(description=_("recipient"))
    def recipient(self, reply: Reply) -> str:
        return str(reply.letter.recipient)

    @admin.display(description=_("match"))
    def match(self, reply: Reply) -> str:
        return str(reply.letter.match or "")
