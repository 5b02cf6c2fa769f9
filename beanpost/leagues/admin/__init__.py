"""The organisers' office in the Django admin. Every page shows what belongs to one's own leagues, and nothing else."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from beanpost.leagues.admin import leagues, organisers, rounds, tables
from beanpost.leagues.admin.signing_in import SignIn

__all__ = ["leagues", "organisers", "rounds", "tables"]

admin.site.index_title = _("The organisers’ office")

# Not by the setting: that is read while the site is being made, and would load these pages before it is there.
admin.site.login_form = SignIn
