"""Build the Jinja2 environment for letters and pages. The admin keeps Django's own templates.

`settings.TEMPLATES` names `build_environment()`; Django's Jinja2 backend calls it once a process.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.template import defaultfilters
from django.templatetags.static import static
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext, ngettext, npgettext, pgettext
from jinja2 import Environment, StrictUndefined, select_autoescape
from jinja2.ext import Extension
from jinja2.lexer import TOKEN_DATA, Token, TokenStream

from beanpost.pages import template_functions as pages
from beanpost.play.display import template_functions as tables
from beanpost.post.compose import template_functions as letters
from beanpost.site.links import path

INDENTATION = re.compile(r"[ \t]*\n[ \t\n]*|[ \t]{2,}")


class Dedenting(Extension):
    """Leaves the indentation of templates out of pages, which would be a tenth longer, but not out of letters: some of
    their lines are plain text.
    """

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        is_page = (stream.name or "").endswith(".html") and not (stream.name or "").startswith("letters/")
        for token in stream:
            if is_page and token.type == TOKEN_DATA:
                folded = INDENTATION.sub(lambda found: "\n" if "\n" in found[0] else " ", token.value)
                yield Token(token.lineno, token.type, folded)
            else:
                yield token


def build_environment(**options: Any) -> Environment:
    options |= {
        "autoescape": select_autoescape(["html", "svg"], disabled_extensions=["txt"], default=True),
        "extensions": ["jinja2.ext.i18n", Dedenting],
        "trim_blocks": True,  # a line that holds only a block tag prints nothing; `+%}` keeps its newline
        "lstrip_blocks": True,
        "keep_trailing_newline": True,  # text letters are assembled from parts that end with one
        "undefined": StrictUndefined,  # a misspelt name fails instead of printing nothing
    }
    made = Environment(**options)  # noqa: S701 (escaped by extension)
    made.install_gettext_callables(gettext, ngettext, pgettext=pgettext, npgettext=npgettext)  # type: ignore[attr-defined]
    for module in (tables, letters, pages):
        made.filters.update(module.FILTERS)
    for functions in (tables.FUNCTIONS, letters.FUNCTIONS, pages.FUNCTIONS):
        made.globals.update(functions)
    made.filters.update(
        capfirst=capfirst,
        floatformat=defaultfilters.floatformat,
        linebreaks=defaultfilters.linebreaks_filter,
        urlize=defaultfilters.urlize,
    )
    made.globals.update(language=get_language, languages=lambda: settings.LANGUAGES, static=static, url=path)
    made.globals.update(zone=timezone.get_current_timezone_name)
    return made
