"""Admin page of the users who may sign in. Their permissions follow from the leagues they organise."""

from __future__ import annotations

from typing import Any

from axes.admin import AccessAttemptAdmin
from axes.models import AccessAttempt
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from beanpost.leagues import organiser_accounts

admin.site.unregister(User)
admin.site.unregister(Group)  # nobody is allowed anything by a group
admin.site.unregister(AccessAttempt)


@admin.register(User)
class OrganiserAdmin(UserAdmin, ModelAdmin):  # type: ignore[type-arg]
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "email", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser")
    search_fields = ("username", "email")
    filter_horizontal = ()
    readonly_fields = ("last_login", "date_joined", "plays_as")
    fieldsets = (
        (None, {"fields": ("username", "password", "email")}),
        (_("Permissions"), {"fields": ("is_active", "is_staff", "is_superuser")}),
        (_("Current state"), {"fields": ("plays_as", "last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"fields": ("username", "email", "password1", "password2")}),)

    @admin.display(description=_("Plays as"))
    def plays_as(self, user: Any) -> str:
        account = organiser_accounts.find_account(user)
        if account and account.player:
            return account.player.name
        return gettext("says: I don’t play here") if account and account.says_no_at else "—"

    def save_model(self, request: HttpRequest, user: Any, form: Any, change: bool) -> None:
        if not change:
            user.is_staff = True  # an account without it would be of no use here
        super().save_model(request, user, form, change)


@admin.register(AccessAttempt)
class GuessAdmin(AccessAttemptAdmin):
    """Guesses at passwords. Axes forgets the expired ones at the next sign-in; its own action for that fails here."""

    actions = ()
