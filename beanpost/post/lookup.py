"""What a template asks for: values by their names, with their filters, and whether conditions hold.

As Django finds them, each written into a galley as far as it is known before it is filled; `typesetting.py` has
them written down. All names that are known at a place of it stand in one dictionary.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from django.template import Context, Variable, VariableDoesNotExist
from django.template.base import FilterExpression
from django.utils import timezone
from django.utils.safestring import SafeData, mark_safe

from beanpost.post.galley import Galley

Names: TypeAlias = dict[str, Any]

NOT_THERE = object()
JUDGED = {"==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"}  # by Django as by Python


def at(context: Context, names: Names) -> Context:
    """The context as it is at a place of the template, for what Django does itself."""
    context.dicts[-1] = names
    return context


class Lookup:
    """Finds things in a galley; `escaped` says whether filters are to escape what they make."""

    def __init__(self, galley: Galley, *, escaped: bool) -> None:
        self.galley = galley
        self.escaped = escaped

    def truth(self, condition: Any, names: str) -> str:
        """Where it is found whether an `{% if %}` holds. As Django has it, what cannot be judged does not."""
        if condition.id == "literal":
            return self.value(condition.value, names, missing=None)
        galley, holds = self.galley, self.galley.fresh("holds")
        with galley.under("try"):
            self.judge(condition, names, holds)
        with galley.under("except Exception"):
            galley.line(f"{holds} = False")
        return holds

    def judge(self, condition: Any, names: str, holds: str) -> None:
        galley = self.galley
        if condition.id in ("and", "or"):
            galley.line(f"{holds} = {self.truth(condition.first, names)}")
            with galley.under(f"if {holds}" if condition.id == "and" else f"if not {holds}"):
                galley.line(f"{holds} = {self.truth(condition.second, names)}")
        elif condition.id == "not":
            galley.line(f"{holds} = not {self.truth(condition.first, names)}")
        elif condition.id in JUDGED:
            first, second = self.truth(condition.first, names), self.truth(condition.second, names)
            galley.line(f"{holds} = {first} {condition.id} {second}")
        else:
            galley.line(f"{holds} = {galley.thing(condition.eval)}({galley.thing(at)}(context, {names}))")

    def value(self, expression: FilterExpression, names: str, missing: Any = "") -> str:
        """Where it is found what an expression stands for, all its filters applied."""
        start = expression.var
        found = self.looked_up(start, names, missing) if isinstance(start, Variable) else self.galley.thing(start)
        for function, args in expression.filters:
            found = self.filtered(found, function, args, names)
        return found

    def filtered(self, before: str, function: Any, args: list[tuple[bool, Any]], names: str) -> str:
        galley = self.galley
        given = [
            self.looked_up(arg, names, NOT_THERE) if is_name else galley.thing(mark_safe(arg))  # noqa: S308
            for is_name, arg in args
        ]
        if getattr(function, "expects_localtime", False):
            before = galley.put(f"{galley.thing(timezone.template_localtime)}({before}, context.use_tz)")  # type: ignore[attr-defined]
        if getattr(function, "needs_autoescape", False):
            given.append(f"autoescape={self.escaped}")
        after = galley.put(f"{galley.thing(function)}({', '.join([before, *given])})")
        if getattr(function, "is_safe", False):
            with galley.under(f"if isinstance({before}, {galley.thing(SafeData)})"):
                galley.line(f"{after} = {galley.thing(mark_safe)}({after})")
        return after

    def looked_up(self, variable: Variable, names: str, missing: Any) -> str:
        """What a name such as `scene.wait.due_at` stands for, or what stands there when nothing is found."""
        galley = self.galley
        if variable.lookups is None:
            return galley.thing(variable.resolve(Context()))
        first, *rest = variable.lookups
        found = galley.fresh()
        the_long_way = f"{found} = {galley.thing(as_django_looks(variable, missing))}(context, {names})"
        if not all(map(str.isidentifier, rest)):
            galley.line(the_long_way)
            return found
        if not rest and missing is not NOT_THERE:
            galley.line(f"{found} = {names}.get({first!r}, {galley.thing(missing)})")
        else:
            with galley.under("try"):
                galley.line(f"{found} = {'.'.join([f'{names}[{first!r}]', *rest])}")
            with galley.under("except Exception"):  # a key, a number, or nothing: Django knows
                galley.line(the_long_way)
        with galley.under(f"if callable({found})"):
            galley.line(the_long_way)
        return found


def as_django_looks(variable: Variable, missing: Any) -> Callable[[Context, Names], Any]:
    def find(context: Context, names: Names) -> Any:
        try:
            return variable.resolve(at(context, names))
        except VariableDoesNotExist:
            if missing is NOT_THERE:
                raise
            return missing

    return find
