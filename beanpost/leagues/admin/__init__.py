"""The Django admin for organisers. Every page shows rows of the organiser's own leagues and nothing else."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from beanpost.leagues.admin import entries, leagues, organisers, rounds, scoped_pages, seasons
from beanpost.leagues.admin.sign_in import SignInForm

__all__ = ["entries", "leagues", "organisers", "rounds", "scoped_pages", "seasons"]

admin.site.index_title = _("The organisers’ office")

# Not by Unfold's setting: that is read while the site is being built and would import these pages too early.
admin.site.login_form = SignInForm
