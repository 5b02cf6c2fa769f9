"""Templates set in type and, beside that, as Django writes them: to see that both are the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.template import Context, Engine

from beanpost.post import typesetting


class Compared:
    """What was written since it was asked to look on, and what of it Django would have written otherwise."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.seen: set[str] = set()
        self.wrong: set[str] = set()
        self.in_type = typesetting.filled
        patch.setattr(typesetting, "filled", self.filled)

    def filled(self, name: str, said: Mapping[str, Any], *, escaped: bool) -> str:
        before = as_django_writes(name, said, escaped=escaped)
        written = self.in_type(name, said, escaped=escaped)
        self.seen.add(name)
        if written != before:
            self.wrong.add(name)
        return written


def as_django_writes(name: str, said: Mapping[str, Any], *, escaped: bool) -> str:
    template = Engine.get_default().get_template(name)
    return str(template.render(Context(dict(said), autoescape=escaped, use_tz=True)))
