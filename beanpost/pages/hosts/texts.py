"""The host's texts: about, imprint, privacy and terms, and the stylesheet with the host's colour."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.template import TemplateDoesNotExist
from django.template.loader import select_template
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt

from beanpost.pages.access import render_page
from beanpost.privacy import storage_limits
from beanpost.site import identity

SECONDS_A_DAY = 24 * 3600
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


@require_safe
def text(request: HttpRequest, name: str) -> HttpResponse:
    """Show one of the host's texts, or ours if the host has written none."""
    label = identity.list_labels()[name]
    written = load_text(name)
    if not written.lstrip().startswith("# "):
        written = f"# {label}\n\n{written}"
    return render_page(
        request, "text", label=label, text=SafeString(MARKDOWN.render(written))
    )  # raw HTML is switched off


def load_text(name: str) -> str:
    """Return a text as Markdown. Ours is a template; the host's is taken as it is."""
    if file := identity.find_text_file(name):
        return file.read_text(encoding="utf-8")
    try:
        ours = select_template(
            [f"site/{name}.{language}.md" for language in (get_language(), identity.ENGLISH)], using="jinja2"
        )
    except TemplateDoesNotExist:
        raise Http404 from None
    return str(ours.render({"site": identity.site(), "limits": storage_limits.list_limits()}))


@require_safe
def colours(request: HttpRequest) -> HttpResponse:
    """Return the stylesheet with the host's accent colour. Inline styles would need a looser content policy."""
    accent = settings.ACCENT_COLOUR
    if not accent:
        raise Http404
    light = f":root{{--leaf:{accent};--leaf-deep:{accent};--leaf-print:{accent};--on-leaf:#ffffff}}"
    tint = identity.lighten_for_dark_pages(accent)
    dark = f":root{{--leaf:{tint};--leaf-deep:{tint};--on-leaf:{identity.PAPER['dark']}}}"
    sheet = f"{light}\n@media (prefers-color-scheme: dark){{{dark}}}\n"
    response = HttpResponse(sheet, content_type="text/css; charset=utf-8")
    response.headers["Cache-Control"] = f"public, max-age={SECONDS_A_DAY}"
    return response
