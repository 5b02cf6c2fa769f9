from importlib.util import find_spec

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from beanpost import logs

urlpatterns: list[URLPattern | URLResolver] = []
if find_spec("beanpost.pages") and find_spec("beanpost.post"):
    urlpatterns += [path("", include("beanpost.pages.urls"))]
logs.learn(urlpatterns)

urlpatterns += [path("admin/", admin.site.urls)]  # carries no tickets
