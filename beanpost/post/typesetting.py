"""Letters and pages set in type: their templates made into functions once, not walked node by node each time.

Each is written in Python, line by line, into a galley: what never changes stands there as text, names are looked up in
one dictionary, and what is written goes onto one pile.

What comes out is what Django's own `Template.render` gives, to the byte; tests compare them for letters and pages of
every kind. A tag that is not known here is left to Django, and so is a value that is not found at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from html import escape
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

from django.template import Context, Engine, Node, NodeList, VariableDoesNotExist
from django.template.base import FilterExpression, TextNode, VariableNode, render_value_in_context
from django.template.defaulttags import FilterNode, ForNode, IfNode, WithNode
from django.template.library import SimpleNode
from django.template.loader_tags import BlockNode, ExtendsNode, IncludeNode
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext

from beanpost.post.galley import Galley
from beanpost.post.lookup import Lookup, Names, at

# Writes a template: with what is known there, onto a pile.
Written: TypeAlias = Callable[[Context, Names, Callable[[str], None]], None]


def filled(name: str, said: Mapping[str, Any], *, escaped: bool) -> str:
    """The template of that name, filled with what is said, in the active language."""
    template = Engine.get_default().get_template(name)
    context, pile = Context(autoescape=escaped, use_tz=True), list[str]()
    with context.render_context.push_state(template), context.bind_template(template):
        in_type(name, get_language(), escaped)(context, {**context.dicts[0], **said}, pile.append)
    return "".join(pile)


@cache
def in_type(name: str, language: str | None, escaped: bool) -> Written:
    """A template in one language, which is the active one."""
    nodes, blocks = sheet(name)
    galley = Galley("def write(context, names, add)")
    Setter(galley, blocks, escaped=escaped).row(nodes, Place("names", "add"))
    return galley.function("write", f"{name} in {language}")


def first_in_type(names: str | list[str], language: str | None, escaped: bool) -> Written:
    """The same of the first of several templates that there is."""
    name = names if isinstance(names, str) else Engine.get_default().select_template(names).name
    return in_type(name, language, escaped)


def sheet(name: str) -> tuple[NodeList, dict[str, Any]]:
    """The outermost template that this one extends, and what stands in its blocks."""
    nodes = Engine.get_default().get_template(name).nodelist
    found: list[Any] = nodes.get_nodes_by_type(BlockNode)
    blocks = {block.name: block.nodelist for block in found}
    outer: Any = next((node for node in nodes if isinstance(node, ExtendsNode)), None)
    if outer is None:
        return nodes, blocks
    outermost, in_blocks = sheet(outer.parent_name.var)
    return outermost, in_blocks | blocks


def is_fixed(node: Node) -> bool:
    """Whether it is always the same in a language."""
    match node:
        case TextNode():
            return True
        case TranslateNode(asvar=None):
            return is_text(node)
    return False


def is_text(node: TranslateNode | BlockTranslateNode) -> bool:
    """Whether what is translated stands in the template, and nothing is done to it."""
    if isinstance(node, BlockTranslateNode):
        return not node.message_context
    words = node.filter_expression
    return words.var.lookups is None and not words.filters and not node.message_context


class Place(NamedTuple):
    """A place of the template: what the names are called that are known there, and what puts words onto its pile."""

    names: str
    add: str


class Setter:
    """Sets a template whose blocks are known."""

    def __init__(self, galley: Galley, blocks: Mapping[str, NodeList], *, escaped: bool) -> None:
        self.galley = galley
        self.lookup = Lookup(galley, escaped=escaped)
        self.blocks = blocks
        self.escaped = escaped

    def row(self, nodes: Iterable[Any], place: Place) -> None:
        """One after the other; where texts that never change stand side by side, they are one."""
        for are_fixed, together in groupby(nodes, is_fixed):
            if are_fixed:
                self.galley.line(f"{place.add}({''.join(node.render(Context()) for node in together)!r})")
            else:
                for node in together:
                    self.piece(node, place)

    def piece(self, node: Node, place: Place) -> None:
        match node:
            case VariableNode():
                found = self.lookup.value(node.filter_expression, place.names)
                self.write(f"{self.galley.thing(shown)}({found}, context)", place)
            case IfNode():
                self.choice(node.conditions_nodelists, place)
            case ForNode() if not node.is_reversed:
                self.loop(node, place)
            case BlockNode():
                self.row(self.blocks[node.name], self.inside({}, place))
            case IncludeNode() if not node.isolated_context:
                self.included(node, place)
            case WithNode():
                self.row(node.nodelist, self.inside(node.extra_context, place))
            case FilterNode():
                self.filtered(node, place)
            case TranslateNode() | BlockTranslateNode() if is_text(node):
                self.translated(node, place)
            case SimpleNode() if type(node) is SimpleNode:
                self.tag(node, place)
            case _:
                self.write(f"{self.galley.thing(node.render)}({self.here(place)})", place)

    def write(self, words: str, place: Place) -> None:
        self.galley.line(f"{place.add}({words})")

    def here(self, place: Place) -> str:
        return f"{self.galley.thing(at)}(context, {place.names})"

    def inside(self, more: Mapping[str, FilterExpression], place: Place) -> Place:
        """A place with names that nothing outside knows."""
        names = self.galley.fresh("names")
        self.galley.line(f"{names} = {self.knowing(more, place)}")
        return Place(names, place.add)

    def knowing(self, more: Mapping[str, FilterExpression], place: Place) -> str:
        """All names that are known there, and more. Together, so that each is found at once."""
        found = [f"{name!r}: {self.lookup.value(expression, place.names)}" for name, expression in more.items()]
        return f"{{{', '.join([f'**{place.names}', *found])}}}"

    def choice(self, ways: Sequence[tuple[Any, NodeList]], place: Place) -> None:
        if not ways:
            return
        (condition, nodes), *others = ways
        if condition is None:  # an `{% else %}`
            self.row(nodes, place)
            return
        galley, holds = self.galley, self.galley.fresh("holds")
        with galley.under("try"):
            galley.line(f"{holds} = {self.lookup.truth(condition, place.names)}")
        with galley.under(f"except {galley.thing(VariableDoesNotExist)}"):  # what a filter is to be given
            galley.line(f"{holds} = False")
        with galley.under(f"if {holds}"):
            self.row(nodes, place)
        with galley.under("else"):
            self.choice(others, place)

    def loop(self, node: Any, place: Place) -> None:
        galley = self.galley
        items = galley.put(f"list({self.lookup.value(node.sequence, place.names, missing=None)} or ())")
        with galley.under(f"if {items}"):
            here = self.inside({}, place)
            outer = galley.put(f"{here.names}.get('forloop', {{}})")
            nth, item = galley.fresh("nth"), galley.fresh("item")
            with galley.under(f"for {nth}, {item} in enumerate({items})"):
                galley.line(f"{here.names}['forloop'] = {galley.thing(Turn)}({nth}, len({items}), {outer})")
                if len(node.loopvars) == 1:  # then a turn still knows what the one before has named, as Django has it
                    galley.line(f"{here.names}[{node.loopvars[0]!r}] = {item}")
                    self.row(node.nodelist_loop, here)
                else:
                    several = galley.put(f"dict(zip({node.loopvars!r}, {item}, strict=True))")
                    names = galley.put(f"{{**{here.names}, **{several}}}")
                    self.row(node.nodelist_loop, Place(names, place.add))
        with galley.under("else"):
            self.row(node.nodelist_empty, place)

    def included(self, node: Any, place: Place) -> None:
        galley, name = self.galley, node.template.var
        if isinstance(name, str) and not node.template.filters:
            words = galley.thing(in_type(name, get_language(), self.escaped))
        else:
            found = self.lookup.value(node.template, place.names)
            words = f"{galley.thing(first_in_type)}({found}, {get_language()!r}, {self.escaped})"
        galley.line(f"{words}(context, {self.knowing(node.extra_context, place)}, {place.add})")

    def filtered(self, node: Any, place: Place) -> None:
        """What is written there, changed as a whole."""
        pile = self.galley.put("[]")
        self.row(node.nodelist, Place(place.names, f"{pile}.append"))
        self.write(f"{self.galley.thing(changed(node.filter_expr))}({self.here(place)}, {pile})", place)

    def tag(self, node: Any, place: Place) -> None:
        galley, value = self.galley, self.lookup.value
        given = [value(arg, place.names) for arg in node.args]
        given += [f"{name}={value(arg, place.names)}" for name, arg in node.kwargs.items()]
        if node.takes_context:
            given.insert(0, self.here(place))
        made = galley.put(f"{galley.thing(node.func)}({', '.join(given)})")
        if node.target_var:
            galley.line(f"{place.names}[{node.target_var!r}] = {made}")
        else:
            self.write(f"{galley.thing(escaped_once)}({made})" if self.escaped else f"str({made})", place)

    def translated(self, node: Any, place: Place) -> None:
        if isinstance(node, TranslateNode):
            self.noted(node, place)
        else:
            self.sentence(node, place)

    def noted(self, node: Any, place: Place) -> None:
        """Words under a name that the template gives them."""
        aside = Context()
        node.render(aside)
        self.galley.line(f"{place.names}[{node.asvar!r}] = {self.galley.thing(aside[node.asvar])}")

    def sentence(self, node: Any, place: Place) -> None:
        """A sentence with gaps, translated once; one that counts, for each number anew."""
        galley = self.galley
        one, gaps = node.render_token_list(node.singular)
        many, more_gaps = node.render_token_list(node.plural or [])
        inner = self.inside(node.extra_context, place)
        text = galley.thing(gettext(one))
        if node.counter:
            counted = self.lookup.value(node.counter, inner.names)
            galley.line(f"{inner.names}[{node.countervar!r}] = {counted}")
            text = f"{galley.thing(ngettext)}({one!r}, {many!r}, {counted})"
        show, known = galley.thing(shown), f"{inner.names}.get"
        filled_in = (f"{gap!r}: {show}({known}({gap!r}, ''), context)" for gap in dict.fromkeys([*gaps, *more_gaps]))
        said = galley.put(f"{text} % {{{', '.join(filled_in)}}}")
        if node.asvar:
            galley.line(f"{place.names}[{node.asvar!r}] = {galley.thing(SafeString)}({said})")
        else:
            self.write(said, place)


# ── what the functions call ──


class Turn:
    """One turn of a loop, as templates know it by the name of `forloop`."""

    __slots__ = ("counter0", "parentloop", "turns")

    def __init__(self, nth: int, turns: int, outer: Any) -> None:
        self.counter0, self.turns, self.parentloop = nth, turns, outer

    counter = property(lambda turn: turn.counter0 + 1)
    revcounter = property(lambda turn: turn.turns - turn.counter0)
    revcounter0 = property(lambda turn: turn.turns - turn.counter)
    first = property(lambda turn: turn.counter == 1)
    last = property(lambda turn: turn.counter == turn.turns)


def shown(found: Any, context: Context) -> str:
    """A value as it stands in the text. Most are texts or whole numbers, whose thousands are not set apart."""
    if type(found) is str:
        return escape(found) if context.autoescape else found
    if type(found) is SafeString:
        return found
    return str(found) if type(found) is int else render_value_in_context(found, context)


def escaped_once(written: Any) -> str:
    return escape(written) if type(written) is str else conditional_escape(written)


def changed(expression: FilterExpression) -> Callable[[Context, Iterable[str]], str]:
    def change(context: Context, pile: Iterable[str]) -> str:
        with context.push(var=SafeString("".join(pile))):
            return str(expression.resolve(context))

    return change
