"""The app of Django's admin, with our own site."""

from django.contrib.admin.apps import AdminConfig


class OfficeConfig(AdminConfig):
    default_site = "beanpost.admin.site.OfficeSite"
