"""What a letter's template asks for: values by their names, with their filters, and whether conditions hold.

As Django finds them, each worked out as far as it can be before there is a letter; `typesetting.py` writes them down.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, TypeAlias

from django.template import Context, Variable, VariableDoesNotExist
from django.template.base import FilterExpression
from django.utils import timezone
from django.utils.safestring import SafeData, mark_safe

Value: TypeAlias = Callable[[Context], Any]  # finds what is written there

NOT_THERE = object()

JUDGES: Mapping[str, Callable[[Context, Value, Value], Any]] = {
    "and": lambda context, first, second: first(context) and second(context),
    "or": lambda context, first, second: first(context) or second(context),
    "not": lambda context, first, second: not first(context),
    "in": lambda context, first, second: first(context) in second(context),
    "not in": lambda context, first, second: first(context) not in second(context),
    "==": lambda context, first, second: first(context) == second(context),
    "!=": lambda context, first, second: first(context) != second(context),
}


def truth(condition: Any) -> Value:
    """Whether an `{% if %}` or `{% elif %}` holds; an `{% else %}`, which has no condition, always does."""
    if condition is None:
        return lambda context: True
    if condition.id == "literal":
        return value(condition.value, missing=None)
    if condition.id not in JUDGES:
        return condition.eval  # type: ignore[no-any-return]
    judge, first, second = JUDGES[condition.id], truth(condition.first), truth(condition.second)

    def holds(context: Context) -> Any:
        try:
            return judge(context, first, second)
        except Exception:  # as Django has it: what cannot be judged does not hold
            return False

    return holds


def value(expression: FilterExpression, missing: Any = "") -> Value:
    """What an expression stands for, all its filters applied."""
    start = expression.var
    found = looked_up(start, missing) if isinstance(start, Variable) else lambda context: start
    for function, args in expression.filters:
        found = filtered(found, function, args)
    return found


def filtered(found: Value, function: Any, args: list[tuple[bool, Any]]) -> Value:
    given = [looked_up(arg, NOT_THERE) if is_name else fixed(mark_safe(arg)) for is_name, arg in args]  # noqa: S308
    keeps_safe, in_zone = getattr(function, "is_safe", False), getattr(function, "expects_localtime", False)
    escapes = getattr(function, "needs_autoescape", False)

    def apply(context: Context) -> Any:
        before = found(context)
        if in_zone:
            before = timezone.template_localtime(before, context.use_tz)  # type: ignore[attr-defined]
        more = {"autoescape": context.autoescape} if escapes else {}
        after = function(before, *[find(context) for find in given], **more)
        return mark_safe(after) if keeps_safe and isinstance(before, SafeData) else after  # noqa: S308

    return apply


def fixed(found: Any) -> Value:
    return lambda context: found


def looked_up(variable: Variable, missing: Any) -> Value:
    """What a name such as `scene.wait.due_at` stands for, or what stands there when nothing is found.

    All names that are known at a place of the letter stand in the last of the context's dictionaries.
    """
    if variable.lookups is None:
        return fixed(variable.resolve(Context()))
    first, *rest = variable.lookups
    the_long_way = as_django_looks(variable, missing)
    follow: Callable[[Any], Any] = attrgetter(".".join(rest)) if rest else lambda found: found

    def find(context: Context) -> Any:
        names = context.dicts[-1]
        if first not in names:
            return the_long_way(context) if missing is NOT_THERE else missing
        try:
            found = follow(names[first])
        except Exception:  # a key, a number, or nothing: Django knows
            return the_long_way(context)
        return the_long_way(context) if callable(found) else found

    return find


def as_django_looks(variable: Variable, missing: Any) -> Value:
    def find(context: Context) -> Any:
        try:
            return variable.resolve(context)
        except VariableDoesNotExist:
            if missing is NOT_THERE:
                raise
            return missing

    return find
