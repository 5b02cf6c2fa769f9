"""Signing in to the admin with a second factor, and the page that sets it up."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from axes.handlers.proxy import AxesProxyHandler
from django import forms
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_login_failed
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.forms import AuthenticationForm
from unfold.sites import UnfoldAdminSite
from unfold.widgets import UnfoldAdminTextInputWidget

from beanpost.leagues import organiser_accounts
from beanpost.leagues.admin import second_factor
from beanpost.play import clock

DIGITS_ATTRS = {"inputmode": "numeric", "autocomplete": "one-time-code"}


def say_wrong_digits() -> str:
    return _("Those aren’t the digits your app is showing now. Wait for the next ones.")


def count_guess(request: HttpRequest | None, user: Any) -> None:
    """Count a wrong code like a wrong password, so that axes locks out guessing."""
    credentials = {"username": user.get_username()}
    user_login_failed.send(sender=__name__, credentials=credentials, request=request)


class SignInForm(AuthenticationForm):
    """Username, password and, if a second factor is set up, its six digits. One error for all: it confirms none."""

    code = forms.CharField(
        label=gettext_lazy("Six digits from your app, if you’ve set it up"),
        required=False,
        max_length=20,
        widget=UnfoldAdminTextInputWidget(attrs=DIGITS_ATTRS),
    )

    def get_invalid_login_error(self) -> ValidationError:
        return ValidationError(_("We can’t sign you in. Check your name, your password and the digits in your app."))

    def confirm_login_allowed(self, user: User) -> None:
        code = self.cleaned_data.get("code") or ""
        if user.is_active and user.is_staff and second_factor.may_sign_in(user, code, clock.now()):
            organiser_accounts.link_or_ask(user, now=clock.now())
            return
        count_guess(self.request, user)
        raise self.get_invalid_login_error()


def sign_in(request: HttpRequest, site: UnfoldAdminSite) -> HttpResponse:
    """Sign in. First ask organisers whether they play here, unless we know."""
    response = site.login(request)
    if (
        response.status_code == 302
        and request.user.is_authenticated
        and not organiser_accounts.has_answered(request.user)
    ):
        return redirect("plays-here")
    return response


class CodeForm(forms.Form):
    code = forms.CharField(
        label=gettext_lazy("Six digits from your app"),
        max_length=20,
        widget=UnfoldAdminTextInputWidget(attrs=DIGITS_ATTRS),
    )


def set_up_second_factor(request: HttpRequest, site: UnfoldAdminSite) -> HttpResponse:
    """Show the key until a first code confirms it; remove the second factor when given a valid code."""
    if "begin" in request.POST:
        second_factor.find_or_create(request.user)
    form, wrong = CodeForm(request.POST if "code" in request.POST else None), ""
    if form.is_valid() and not confirm_or_remove(request, form.cleaned_data["code"]):
        count_guess(request, request.user)
        wrong = say_wrong_digits()
    factor = second_factor.find(request.user)
    address = second_factor.build_otpauth_url(factor) if factor and not factor.confirmed_at else ""
    context: dict[str, Any] = {
        **site.each_context(request),
        "title": _("Second factor"),
        "form": form,
        "wrong": wrong,
        "factor": factor,
        "address": address,
        "qr_code": second_factor.draw_qr_code(address) if address else "",
    }
    return TemplateResponse(request, "admin/second_factor.html", context, status=400 if wrong or form.errors else 200)


def confirm_or_remove(request: HttpRequest, code: str) -> bool:
    now = clock.now()
    if not AxesProxyHandler.is_allowed(request, {"username": request.user.get_username()}):
        return False
    if "remove" in request.POST:
        return second_factor.may_sign_in(request.user, code, now) and second_factor.remove(request.user)
    if not second_factor.confirm(request.user, code, now):
        return False
    end_other_sessions(request, now)
    return True


def end_other_sessions(request: HttpRequest, now: datetime) -> None:
    """End the user's other sessions: they were opened without a second factor."""
    for session in Session.objects.filter(expire_date__gt=now).exclude(pk=request.session.session_key).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(request.user.pk):
            session.delete()
