from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from beanpost import logs
from beanpost.leagues.admin.signing_in import set_up, sign_in
from beanpost.pages.health import office
from beanpost.pages.organisers import plays_here
from beanpost.pages.webhooks import webhooks

urlpatterns: list[URLPattern | URLResolver] = [path("", include("beanpost.pages.urls"))]
logs.learn(urlpatterns)
urlpatterns += [  # whose addresses carry no tickets
    path("admin/watching/", office, name="watching"),
    path("admin/login/", sign_in, {"site": admin.site}),
    path("admin/plays-here/", plays_here, name="plays-here"),
    path("admin/second-factor/", admin.site.admin_view(set_up), {"site": admin.site}, name="second-factor"),
    path("admin/", admin.site.urls),
]

# Without a secret anybody could speak in a provider's name: then there is no door.
if settings.ANYMAIL.get("WEBHOOK_SECRET"):
    urlpatterns += webhooks(settings.WEBHOOK_PROVIDERS)
