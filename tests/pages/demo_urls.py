"""All URLs of a site that runs as the demo."""

from beanpost.pages.urls import demo
from beanpost.urls import urlpatterns as usual

urlpatterns = [*usual, *demo]
