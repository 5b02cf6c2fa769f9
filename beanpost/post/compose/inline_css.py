"""Inline the stylesheet of a letter: mail programs drop <style>. At-rules, which cannot be inlined, stay there."""

from __future__ import annotations

import css_inline

INLINER = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)


def inline_styles(html: str) -> str:
    # A line break before each style keeps lines below the 998 characters that email allows.
    return INLINER.inline(html.rstrip()).replace(' style="', '\nstyle="')
