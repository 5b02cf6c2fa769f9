"""The office's page on which the host erases a person who asked for it."""

from __future__ import annotations

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from beanpost.play import clock
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.privacy import erasure


@admin.site.admin_view
@require_http_methods(["GET", "HEAD", "POST"])
def erase_person(request: HttpRequest, pk: int) -> HttpResponse:
    """Say what will happen, and do it once the host has typed the person's address."""
    if not request.user.is_superuser:
        raise PermissionDenied
    player, wrong = get_object_or_404(Player.objects.exclude(address__endswith=accounts.ERASED), pk=pk), ""
    if request.method == "POST":
        try:
            if request.POST.get("address", "").strip().lower() != player.address:
                raise ValidationError(_("Type the address exactly as it stands above."))
            erasure.erase_for_host(player, now=clock.now())
            messages.success(request, _("The person’s data is deleted."))
            return redirect("admin:players_player_changelist")
        except ValidationError as refusal:
            wrong = refusal.messages[0]
    context = {"title": _("Delete a person’s data"), "player": player, "wrong": wrong}
    context |= {"steps": erasure.describe_steps(player), **admin.site.each_context(request)}
    return TemplateResponse(request, "admin/erase_person.html", context, status=400 if wrong else 200)
