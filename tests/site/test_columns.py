"""Every column of the admin has a name in every language."""

import pytest
from django.contrib import admin
from django.contrib.admin.utils import flatten_fieldsets, label_for_field
from django.core.exceptions import FieldDoesNotExist
from django.utils import translation

from beanpost.admin import labels
from beanpost.leagues.models import League

OURS = {model: page for model, page in admin.site._registry.items() if model in set(labels.list_own_models())}


def shown(page, request):
    """Return (model, name) for every column of a list, a form and its inlines."""
    inside = flatten_fieldsets(page.get_fieldsets(request))
    names = {*page.get_list_display(request), *inside}
    inlines = {(inline.model, name) for inline in page.inlines for name in inline.fields}
    return sorted({(page.model, name) for name in names} | inlines, key=str)


def is_column(model, name):
    try:
        return bool(model._meta.get_field(name))
    except FieldDoesNotExist:
        return False


@pytest.mark.parametrize("model", OURS, ids=lambda model: model._meta.label)
def test_every_model_has_a_name(model):
    assert model._meta.model_name in labels.ROWS


@pytest.mark.parametrize("model", OURS, ids=lambda model: model._meta.label)
def test_every_column_that_is_shown_has_a_name(model, rf, django_user_model):
    request = rf.get("/admin/")
    request.user = django_user_model(is_superuser=True, is_staff=True, is_active=True)
    found = [model._meta.get_field(name) for model, name in shown(OURS[model], request) if is_column(model, name)]
    assert [column for column in found if column.verbose_name not in labels.COLUMNS.values()] == []


def test_a_column_is_named_in_the_readers_language():
    with translation.override("fr"):
        assert label_for_field("weekly", League) == "lettre de la semaine"
        assert str(League._meta.verbose_name_plural) == "ligues"
    assert label_for_field("weekly", League) == "weekly letter"
