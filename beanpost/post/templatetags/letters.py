"""What letters need in their templates."""

from __future__ import annotations

from itertools import groupby

from django import template
from django.utils.safestring import mark_safe

from beanpost.play.pieces import Option
from beanpost.play.scene import Scene
from beanpost.post.letters import DOZEN
from beanpost.post.links import link

register = template.Library()
register.simple_tag(link)


@register.simple_tag
def blank() -> str:
    """Fills up the line that mail programs show beside the subject, where the letter's first words would follow."""
    return mark_safe("&zwnj;&nbsp;" * 60)  # noqa: S308 (a constant)


@register.filter
def by_card(options: list[Option]) -> list[list[Option]]:
    """The moves a letter prints, those with the same card together: "play 6" and "play 6 6" are neighbours."""
    return [list(group) for _, group in groupby(options[:DOZEN], key=lambda option: option.line.split()[:2])]


@register.filter
def has_notes_of_others(scene: Scene) -> bool:
    return any(line.note and line.seat != scene.reader for line in scene.news)


@register.filter
def are_all_printed(options: list[Option]) -> bool:
    return len(options) <= DOZEN
