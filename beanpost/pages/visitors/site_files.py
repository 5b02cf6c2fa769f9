"""Files that browsers, phones and search engines look for: robots.txt, the manifest and the icon."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from beanpost.site.identity import site

PAPER, LEAF = "#fbf7ef", "#2f6b3a"  # as in site.css
PRIVATE = ("/admin/", "/my/", "/letters/", "/try/", "/whereabouts/")  # links with tickets are never published anyway
ICON_SIZES = (192, 512)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in PRIVATE)]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain")


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Describe the site to a phone that puts it on its home screen."""
    icons = [
        {"src": static(f"beanpost/icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
        for size in ICON_SIZES
    ]
    fields = {"name": site().name, "short_name": site().name, "icons": icons, "display": "minimal-ui"}
    fields |= {"start_url": reverse("my-games"), "background_color": PAPER, "theme_color": LEAF}
    return JsonResponse(fields, content_type="application/manifest+json")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect browsers that ask for /favicon.ico to our icon."""
    return HttpResponseRedirect(static(f"beanpost/icon-{ICON_SIZES[0]}.png"))
