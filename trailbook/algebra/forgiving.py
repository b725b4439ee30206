"""Calls that give NULL where the user's would raise an error over a text that can't be read."""

from __future__ import annotations

from sqlglot import exp

from trailbook.algebra.expressions import NULL, Expr, call, is_null, negated, number, text, when
from trailbook.algebra.functions import lookup

TIMESTAMP_PATTERN = "yyyy-MM-dd HH:mm:ss"
"""That unix_timestamp reads if it is given none."""


def forgiven(node: exp.Anonymous) -> Expr | None:
    """The call in its forgiving form; None if it has none. The value is the same wherever the call has one."""
    name, arguments = node.name.lower(), node.expressions
    function = lookup(name)
    if function and function.forgiving:
        return call(function.forgiving, *arguments)
    match name:
        case "unix_timestamp" | "to_unix_timestamp" if arguments:
            pattern = arguments[1:] or [text(TIMESTAMP_PATTERN)]
            return call(name, call("try_to_timestamp", arguments[0], *pattern))
        case "to_timestamp_ntz" if len(arguments) == 2:
            # It reads the same texts; but its own values would jump where the session's clocks are put forward.
            return when((negated(is_null(call("try_to_timestamp", *arguments))), node), otherwise=NULL)
        case "to_timestamp_ntz":
            return exp.TryCast(this=arguments[0], to=exp.DataType.build("timestamp_ntz", "spark"), safe=True)
        case "make_date":
            moment = call("try_make_timestamp_ntz", *arguments, number(0), number(0), number(0))
            return exp.Cast(this=moment, to=exp.DataType.build("date", "spark"))
        case _:
            return None
