"""What letters need in their templates."""

from __future__ import annotations

from itertools import groupby

from django import template

from beanpost.play.scene import Option
from beanpost.post.letters import DOZEN
from beanpost.post.links import link

register = template.Library()
register.simple_tag(link)


@register.filter
def by_card(options: list[Option]) -> list[list[Option]]:
    """The moves a letter prints, those with the same card together: "play 6" and "play 6 6" are neighbours."""
    return [list(group) for _, group in groupby(options[:DOZEN], key=lambda option: option.line.split()[:2])]


@register.filter
def are_all_printed(options: list[Option]) -> bool:
    return len(options) <= DOZEN
