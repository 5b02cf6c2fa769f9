"""Letters set in type: the templates of a letter made into functions once, not walked node by node for every letter.

What comes out is what Django's own `Template.render` gives, to the byte; a test compares them for every kind of letter.
A tag that is not known here is left to Django, and so is a value that is not found at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from html import escape
from itertools import groupby
from typing import Any, TypeAlias

from django.template import Context, Engine, Node, NodeList, VariableDoesNotExist
from django.template.base import FilterExpression, TextNode, VariableNode, render_value_in_context
from django.template.defaulttags import FilterNode, ForNode, IfNode, WithNode
from django.template.library import SimpleNode
from django.template.loader_tags import BlockNode, ExtendsNode, IncludeNode
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext

from beanpost.post.lookup import Value, fixed, truth, value

Piece: TypeAlias = Callable[[Context], str]  # writes a part of the letter


def filled(name: str, said: Mapping[str, Any], *, escaped: bool) -> str:
    """The template of that name, filled with what is said, in the active language."""
    template = Engine.get_default().get_template(name)
    context = Context(autoescape=escaped, use_tz=True)
    know(context, said)
    with context.render_context.push_state(template), context.bind_template(template):
        return in_type(name, get_language())(context)


@cache
def in_type(name: str, language: str | None) -> Piece:
    """A template in one language, which is the active one."""
    nodes, blocks = sheet(name)
    return Setter(blocks).row(nodes)


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
    """Whether it is the same in every letter of a language."""
    match node:
        case TextNode():
            return True
        case TranslateNode(asvar=None):
            return is_text(node)
    return False


def is_text(node: TranslateNode) -> bool:
    """Whether what is translated stands in the template, and nothing is done to it."""
    words = node.filter_expression
    return words.var.lookups is None and not words.filters and not node.message_context


class Setter:
    """Sets a template whose blocks are known."""

    def __init__(self, blocks: Mapping[str, NodeList]) -> None:
        self.blocks = blocks

    def row(self, nodes: Iterable[Any]) -> Piece:
        """One piece after the other; where texts that never change stand side by side, they are one."""
        texts: list[str] = []
        gaps: list[tuple[int, Piece]] = []  # where among the texts each piece stands
        for are_fixed, together in groupby(nodes, is_fixed):
            if are_fixed:
                texts.append("".join(node.render(Context()) for node in together))
            else:
                for node in together:
                    gaps.append((len(texts), self.piece(node)))
                    texts.append("")
        return in_a_row(texts, gaps)

    def piece(self, node: Node) -> Piece:
        match node:
            case VariableNode():
                return printed(value(node.filter_expression))
            case IfNode():
                return self.choice(node)
            case ForNode() if not node.is_reversed:
                return self.loop(node)
            case BlockNode():
                return inside(self.row(self.blocks[node.name]), {})
            case IncludeNode() if not node.isolated_context:
                return included(node)
            case WithNode():
                return inside(self.row(node.nodelist), node.extra_context)
            case FilterNode():
                return filtered(self.row(node.nodelist), node.filter_expr)
            case TranslateNode() | BlockTranslateNode():
                return translated(node)
            case SimpleNode() if type(node) is SimpleNode and not node.target_var:
                return tag(node)
        return node.render

    def choice(self, node: Any) -> Piece:
        ways = [(truth(condition), self.row(nodes)) for condition, nodes in node.conditions_nodelists]

        def choose(context: Context) -> str:
            for holds, piece in ways:
                try:
                    is_so = holds(context)
                except VariableDoesNotExist:  # what a filter is to be given
                    is_so = False
                if is_so:
                    return piece(context)
            return ""

        return choose

    def loop(self, node: Any) -> Piece:
        values, names = value(node.sequence, missing=None), node.loopvars
        piece, otherwise = self.row(node.nodelist_loop), self.row(node.nodelist_empty)

        def repeat(context: Context) -> str:
            items = list(values(context) or ())
            if not items:
                return otherwise(context)
            here, written = know(context, {}), []
            outer = here.get("forloop", {})
            for n, item in enumerate(items):
                here["forloop"] = Turn(n, len(items), outer)
                if len(names) == 1:  # then a turn still knows what the one before has named, as Django has it
                    here[names[0]] = item
                    written.append(piece(context))
                else:
                    know(context, zip(names, item, strict=True))
                    written.append(piece(context))
                    context.dicts.pop()
            context.dicts.pop()
            return "".join(written)

        return repeat


def in_a_row(texts: list[str], gaps: list[tuple[int, Piece]]) -> Piece:
    if not gaps:
        return fixed("".join(texts))
    if len(texts) == 1:
        return gaps[0][1]

    def write(context: Context) -> str:
        written = texts.copy()
        for nth, piece in gaps:
            written[nth] = piece(context)
        return "".join(written)

    return write


class Turn:
    """One turn of a loop, as templates know it by the name of `forloop`."""

    def __init__(self, nth: int, turns: int, outer: Any) -> None:
        self.counter0, self.turns, self.parentloop = nth, turns, outer

    counter = property(lambda turn: turn.counter0 + 1)
    revcounter = property(lambda turn: turn.turns - turn.counter0)
    revcounter0 = property(lambda turn: turn.turns - turn.counter)
    first = property(lambda turn: turn.counter == 1)
    last = property(lambda turn: turn.counter == turn.turns)


def know(context: Context, names: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """From here on these names are known beside the others: all of them together, so that each is found at once."""
    known = {**context.dicts[-1], **dict(names)}
    context.dicts.append(known)
    return known


# ── what is written ──


def printed(found: Value) -> Piece:
    def show(context: Context) -> str:
        return shown(found(context), context)

    return show


def shown(found: Any, context: Context) -> str:
    """A value as it stands in the letter. Most are texts or whole numbers, whose thousands are not set apart."""
    if type(found) is str:
        return escape(found) if context.autoescape else found
    if type(found) is SafeString:
        return found
    return str(found) if type(found) is int else render_value_in_context(found, context)


def inside(piece: Piece, names: Mapping[str, FilterExpression]) -> Piece:
    """With names that nothing outside knows."""
    known = {name: value(expression) for name, expression in names.items()}

    def write(context: Context) -> str:
        know(context, {name: find(context) for name, find in known.items()})
        written = piece(context)
        context.dicts.pop()
        return written

    return write


def filtered(piece: Piece, expression: FilterExpression) -> Piece:
    """What is written there, changed as a whole."""

    def write(context: Context) -> str:
        written = SafeString(piece(context))
        with context.push(var=written):
            return str(expression.resolve(context))

    return write


def included(node: Any) -> Piece:
    if isinstance(node.template.var, str) and not node.template.filters:
        return inside(in_type(node.template.var, get_language()), node.extra_context)
    name = value(node.template)
    return inside(lambda context: in_type(name(context), get_language())(context), node.extra_context)


def tag(node: Any) -> Piece:
    found, named = [value(arg) for arg in node.args], {name: value(arg) for name, arg in node.kwargs.items()}

    def call(context: Context) -> str:
        values = [find(context) for find in found]
        if node.takes_context:
            values.insert(0, context)
        written = node.func(*values, **{name: find(context) for name, find in named.items()})
        if type(written) is str:
            return escape(written) if context.autoescape else written
        return conditional_escape(written) if context.autoescape else written

    return call


def translated(node: Any) -> Piece:
    match node:
        case TranslateNode() if is_text(node):
            return noted(node)
        case BlockTranslateNode() if not node.message_context:
            return sentence(node)
    render: Piece = node.render
    return render


def noted(node: Any) -> Piece:
    """Words under a name that the template gives them."""
    aside = Context()
    node.render(aside)
    words = aside[node.asvar]

    def note(context: Context) -> str:
        context[node.asvar] = words
        return ""

    return note


def sentence(node: Any) -> Piece:
    """A sentence with gaps, translated once; one that counts, for each number anew."""
    one, gaps = node.render_token_list(node.singular)
    many, more_gaps = node.render_token_list(node.plural or [])
    alone, gaps = gettext(one), list(dict.fromkeys([*gaps, *more_gaps]))
    known = {name: value(expression) for name, expression in node.extra_context.items()}
    counted = value(node.counter) if node.counter else None

    def say(context: Context) -> str:
        names = know(context, {name: find(context) for name, find in known.items()})
        if counted:
            names[node.countervar] = counted(context)
        text = ngettext(one, many, names[node.countervar]) if counted else alone
        said = text % {gap: shown(names.get(gap, ""), context) for gap in gaps}
        context.dicts.pop()
        if node.asvar:
            context[node.asvar] = SafeString(said)
            return ""
        return said

    return say
