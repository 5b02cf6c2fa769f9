"""Inline the stylesheet of a letter: mail programs drop <style>. Rules that only a stylesheet can hold stay there."""

from __future__ import annotations

import css_inline

INLINER = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)


def inlined(html: str) -> str:
    # A new line before each style keeps every line below the 998 characters that mail allows.
    return INLINER.inline(html.rstrip()).replace(' style="', '\nstyle="')
