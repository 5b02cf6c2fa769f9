"""All URLs of a site that runs as the demo."""

from beanpost.pages.urls import demo
from beanpost.urls import handler400, handler403, handler404, handler500  # noqa: F401 (Django looks for them here)
from beanpost.urls import urlpatterns as usual

urlpatterns = [*usual, *demo]
