"""Admin pages of leagues, with the webhooks of each."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.admin import TabularInline

from beanpost.leagues.admin.base import HistoryAdmin, format_link
from beanpost.leagues.admin.forms import LeagueForm, WebhookForm
from beanpost.leagues.mail import contacts
from beanpost.leagues.models import League, Webhook, WebhookCall
from beanpost.leagues.seasons import keepers
from beanpost.play import clock, random_codes
from beanpost.play.display import wording

WEBHOOK_ERRORS = {  # the names that calls store; an answer's status is shown as it is
    "gaierror": _("no server has this name"),
    "PrivateAddress": _("this address isn’t public"),
    "TimeoutError": _("the server didn’t answer in time"),
    "ConnectionRefusedError": _("the server refused the connection"),
    "SSLCertVerificationError": _("the server’s certificate isn’t valid"),
}


class WebhookInline(TabularInline):
    """Chats that get the league's news."""

    model = Webhook
    form = WebhookForm
    fields = ("url", "format", "results", "rounds", "standings", "active", "how_it_goes", "signed_with")
    readonly_fields = ("how_it_goes", "signed_with")
    extra = 0
    max_num = 5

    def get_formset(self, request: HttpRequest, obj: Any = None, **options: Any) -> Any:
        return super().get_formset(request, obj, validate_max=True, **options)  # else a forged form could add more

    @admin.display(description=_("secret"))
    def signed_with(self, webhook: Webhook) -> str:
        """Show the secret of a saved webhook only: a new one gets another when it is saved."""
        return webhook.secret if webhook.pk else "—"

    @admin.display(description=_("state"))
    def how_it_goes(self, webhook: Webhook) -> str:
        """Say what became of the last call."""
        last = webhook.calls.order_by("-pk").first() if webhook.pk else None
        if last is None:
            return gettext("no news sent yet")
        if last.state == WebhookCall.State.SENT:
            return gettext("the last news was sent")
        error = WEBHOOK_ERRORS.get(last.error, last.error or "—")
        return gettext("the last news could not be sent: %(error)s") % {"error": error}


@admin.register(League)
class LeagueAdmin(HistoryAdmin):
    list_display = ("name", "kept_by", "at_pace", "absence", "sign_up", "weekly", "seasons_there")
    search_fields = ("name",)
    list_select_related = ("keeper",)
    autocomplete_fields = ("organisers",)
    form = LeagueForm
    fieldsets = (
        (
            None,
            {
                "fields": (
                    "name",
                    "slug",
                    "about",
                    "organisers",
                    "keeper_address",
                    ("run_by", "contact_address"),
                    "language",
                )
            },
        ),
        (_("Games and pace"), {"fields": ("games", "pace", "own_pace", "absence")}),
        (_("Members and news"), {"fields": (("visibility", "join_code"), "sign_up", "weekly")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[League]:
        return super().get_queryset(request).annotate(season_count=Count("seasons"))

    def get_inlines(self, request: HttpRequest, obj: League | None) -> list[Any]:
        return [WebhookInline] if settings.OUTGOING_WEBHOOKS else []

    def get_readonly_fields(self, request: HttpRequest, obj: League | None = None) -> tuple[str, ...]:
        """Let only the host appoint organisers and change the slug."""
        return () if request.user.is_superuser else ("organisers", "slug")

    def get_prepopulated_fields(self, request: HttpRequest, obj: League | None = None) -> Any:
        return {} if obj or not request.user.is_superuser else {"slug": ("name",)}

    def view_on_site(self, league: League) -> str:
        return reverse("league", args=[league.slug])

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if obj.visibility == League.Visibility.MEMBERS and not obj.join_code:
            obj.join_code = random_codes.make_code()
        super().save_model(request, obj, form, change)
        keeper, contact = form.cleaned_data["keeper_address"], form.cleaned_data["contact_address"]
        keepers.ask_to_keep(obj, keeper, contact=contact, now=clock.now())
        contacts.ask_for_confirmation(obj, contact, now=clock.now())

    @admin.display(description=_("keeper"))
    def kept_by(self, league: League) -> str:
        if not league.typed_keeper:
            return str(league.keeper or "—")
        return gettext("%(address)s, not answered yet") % {"address": league.typed_keeper}

    @admin.display(description=_("pace"), ordering="pace")
    def at_pace(self, league: League) -> str:
        return wording.name_pace(league.pace)

    @admin.display(description=_("Seasons"))
    def seasons_there(self, league: Any) -> SafeString:
        url = reverse("admin:leagues_season_changelist") + f"?league__id__exact={league.pk}"
        return format_link(url, str(league.season_count))
