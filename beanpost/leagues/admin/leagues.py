"""Admin pages of leagues, with the webhooks of each."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.admin import StackedInline

from beanpost.leagues import organiser_accounts
from beanpost.leagues.admin.base import HistoryAdmin, format_link
from beanpost.leagues.admin.forms import LeagueForm, WebhookForm
from beanpost.leagues.mail import contacts
from beanpost.leagues.models import League, Webhook, WebhookCall
from beanpost.leagues.records import history
from beanpost.leagues.seasons import keepers
from beanpost.leagues.webhooks import calls, https
from beanpost.play import clock, random_codes
from beanpost.play.display import wording

WEBHOOK_ERRORS = {  # the names that calls store; an answer's status is shown as it is
    "ConnectionError": _("the server can’t be reached"),
    "SSLError": _("the server’s certificate isn’t valid"),
    **dict.fromkeys(("ConnectTimeout", "ReadTimeout", "SoftTimeLimitExceeded"), _("the server didn’t answer in time")),
}


class WebhookInline(StackedInline):
    """Chats that get the league's news."""

    model = Webhook
    form = WebhookForm
    fields = (
        "url",
        "format",
        ("results", "rounds", "standings"),
        ("active", "try_it"),
        ("how_it_goes", "signed_with"),
    )
    readonly_fields = ("how_it_goes", "signed_with")
    extra = 0
    max_num = 5

    def get_formset(self, request: HttpRequest, obj: Any = None, **options: Any) -> Any:
        # Else a forged form could add more, and Django builds up to a thousand rows to refuse them.
        return super().get_formset(request, obj, validate_max=True, absolute_max=2 * self.max_num, **options)

    @admin.display(description=_("secret"))
    def signed_with(self, webhook: Webhook) -> str:
        """Show the secret of a saved webhook only: a new one gets another when it is saved."""
        return webhook.secret if webhook.pk else "—"

    @admin.display(description=_("state"))
    def how_it_goes(self, webhook: Webhook) -> str:
        """Say what became of the last call, or why there is none."""
        if webhook.pk and not https.is_listed(webhook.url):
            return gettext("It rests: this site sends no news to this service. Ask the host of this site to add it.")
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
                    ("keeps_it", "keeper_address"),
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

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Record which organisers were appointed or dismissed."""
        organisers = form.instance.organisers.order_by("pk").values_list("pk", flat=True)
        before = list(organisers)
        super().save_related(request, form, formsets, change)
        after = list(organisers.all())
        if after != before:
            changes = {"organisers": [before, after]}
            history.record(form.instance, history.Kind.SETTINGS, "", changes=changes, by=request.user, now=clock.now())

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        super().save_formset(request, form, formset, change)
        for row in formset.forms:
            if row.cleaned_data.get("try_it") and row.instance.pk and calls.queue_test(row.instance, clock.now()):
                messages.success(
                    request, gettext("We’ll make a test call within two minutes. This page then says how it went.")
                )

    def view_on_site(self, league: League) -> str:
        return reverse("league", args=[league.slug])

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if obj.visibility == League.Visibility.MEMBERS and not obj.join_code:
            obj.join_code = random_codes.make_code()
        super().save_model(request, obj, form, change)
        keeper, contact = form.cleaned_data["keeper_address"], form.cleaned_data["contact_address"]
        is_newly_named = bool(keeper) and "keeper_address" in form.changed_data  # the box is ticked to begin with
        if form.cleaned_data["keeps_it"] and not is_newly_named:
            self.message_user(request, keepers.ask_organiser(obj, request.user, now=clock.now()))
        elif keeper:
            keepers.ask_to_keep(obj, keeper, contact=contact, now=clock.now())
        contacts.ask_for_confirmation(obj, contact, now=clock.now())

    # ── the keeper ──

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(self.choose_keeper)
        return [path("<int:pk>/keeper/", page, name="leagues_league_keeper"), *super().get_urls()]

    def choose_keeper(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show who decides in a league's matches. Ask them again, or let the organiser do it.

        The button that starts a round leads here, with the way back, until the organiser's own address is confirmed.
        """
        league, user, now = get_object_or_404(self.get_queryset(request), pk=pk), request.user, clock.now()
        player, back = organiser_accounts.find_confirmed_player(user), request.GET.get("next", "")
        back = back if back.startswith(reverse("admin:index")) else ""
        if back and player:
            return HttpResponseRedirect(back)
        if request.method == "POST":
            again = "again" in request.POST
            told = (
                keepers.ask_again(league, now=now) if again else keepers.ask_organiser(league, user, back=back, now=now)
            )
            self.message_user(request, told)
            return HttpResponseRedirect(request.get_full_path())
        context = self.admin_site.each_context(request) | {
            "title": _("Who decides in this league’s matches?"),
            "league": league,
            "back": back,
            "said": [said for said, _act in keepers.describe_keeper(league)],
            "addresses": organiser_accounts.collect_addresses(user),
            "player": player,
        }
        return TemplateResponse(request, "admin/leagues/keeper.html", context)

    @admin.display(description=_("decides in its matches"))
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
