"""Calls of `caveat`, `caveat_if` and `has_caveat`: Spark does not know them, so what is wrong with one is said here."""

from __future__ import annotations

from sqlglot import exp

from trailbook.algebra.bind.problems import problem
from trailbook.algebra.bind.stars import is_star
from trailbook.algebra.datatypes import BOOLEAN, UNKNOWN, VOID

CALLS = {
    "caveat": ("value, message[, id]", 2, 3),
    "caveat_if": ("value, condition, message[, id]", 3, 4),
    "has_caveat": ("value", 1, 1),
}
"""How each is called, and with how many arguments."""


def check_doubt_call(name: str, node: exp.Anonymous) -> None:
    """Refuse a call that does not say what it is about, or why."""
    if name not in CALLS:
        return
    arguments, least, most = CALLS[name]
    if any(map(is_star, node.expressions)):
        raise problem(f"{name} is about one value, and * is more. Write {name}({arguments}).", node)
    if not least <= len(node.expressions) <= most:
        raise problem(f"{name} can't be called with {_counted(len(node.expressions))}: {name}({arguments}).", node)


def check_condition(kind: str, node: exp.Anonymous) -> None:
    """Refuse a caveat_if whose condition, of this type, is neither true nor false."""
    if kind not in (BOOLEAN, VOID, UNKNOWN):
        message = f"The condition of caveat_if is of type {kind}; it must be boolean. Compare it with something."
        raise problem(message, node.expressions[1])


def _counted(arguments: int) -> str:
    return f"{arguments or 'no'} argument{'' if arguments == 1 else 's'}"
