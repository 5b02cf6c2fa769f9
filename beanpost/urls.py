from django.contrib import admin
from django.urls import include, path

from beanpost import logs

urlpatterns = [path("", include("beanpost.pages.urls"))]
logs.learn(urlpatterns)
urlpatterns += [path("admin/", admin.site.urls)]  # whose addresses carry no tickets
