from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from beanpost.leagues.admin.sign_in import set_up_second_factor, sign_in
from beanpost.monitoring import logs
from beanpost.pages.errors import show_error
from beanpost.pages.hosts.erasing import erase_person
from beanpost.pages.hosts.health import office
from beanpost.pages.hosts.webhooks import list_webhooks
from beanpost.pages.players.organisers import link_organiser

urlpatterns: list[URLPattern | URLResolver] = [path("", include("beanpost.pages.urls"))]
logs.learn_routes(urlpatterns)
urlpatterns += [  # added after `learn_routes`: these paths hold no tickets, so the log shows them in full
    path("admin/watching/", office, name="watching"),
    path("admin/erase/<int:pk>/", erase_person, name="erase-person"),
    path("admin/login/", sign_in, {"site": admin.site}),
    path("admin/plays-here/", link_organiser, name="plays-here"),
    path(
        "admin/second-factor/", admin.site.admin_view(set_up_second_factor), {"site": admin.site}, name="second-factor"
    ),
    path("admin/", admin.site.urls),
]

# Not Django's, which check the CSRF token first, and so read a form that could not be read.
handler400, handler403, handler404, handler500 = (show_error(status) for status in (400, 403, 404, 500))

# Without a secret anybody could forge a provider's report, so there are no webhooks at all.
if settings.ANYMAIL.get("WEBHOOK_SECRET"):
    urlpatterns += list_webhooks(settings.WEBHOOK_PROVIDERS)
