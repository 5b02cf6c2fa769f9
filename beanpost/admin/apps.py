"""Which class the admin's site has."""

from django.contrib.admin.apps import AdminConfig


class OfficeConfig(AdminConfig):
    default_site = "beanpost.admin.site.OfficeSite"
