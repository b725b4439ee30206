"""Caveats that an operator is in itself, whatever its input: what each is called."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from trailbook.algebra.expressions import Expr
from trailbook.algebra.functions import lookup
from trailbook.algebra.plan import Aggregate, Existence, Filter, Join, Limit, Opaque, Plan, Sort, Window, order_of
from trailbook.algebra.print_expression import sql_of
from trailbook.caveats.calls import given_place, place_of, stands_for
from trailbook.caveats.words import Words, asked_below, tables_below, told

RANKS = frozenset({"rank", "dense_rank", "percent_rank", "cume_dist"})
"""Window functions that give rows that tie the same."""


def name_places(operator: Plan, written: Plan, words: Words) -> None:
    """Note at functions, sort keys and conditions how the query has them: that is their place."""
    nodes: Iterable[Expr] = ()
    exprs: Iterable[Expr] = ()
    match operator, written:
        case Aggregate(), Aggregate():
            nodes = (function_of(named.expr) for named in operator.aggregates)
            exprs = (named.expr for named in written.aggregates)
        case Window(), Window():
            nodes = (function_of(named.expr) for named in operator.functions)
            exprs = (named.expr for named in written.functions)
        case Sort(), Sort():
            nodes, exprs = (key.this for key in operator.keys), (key.this for key in written.keys)
        case ((Filter() | Join() | Existence()), (Filter() | Join() | Existence())):
            nodes, exprs = ([side.condition] if side.condition else [] for side in (operator, written))
    for node, expr in zip(nodes, exprs, strict=True):
        stands_for(node, given_place(expr) or told(expr, words))


def of_limit(operator: Limit) -> str:
    count = "" if operator.count is None else f"LIMIT {operator.count}"
    offset = f"OFFSET {operator.offset}" if operator.offset else ""
    limit = " ".join(filter(None, (count, offset)))
    sort, asked = order_of(operator.input), asked_below(operator)
    where = f"WHERE {asked}" if asked else ""
    if sort is None:
        tables = ", ".join(tables_below(operator))
        rows = " ".join(filter(None, (f"of {tables}" if tables else "", where)))
        return f"{limit} without ORDER BY takes any rows {rows}".rstrip()
    keys = (exp.Ordered(**{**key.args, "this": exp.Var(this=place_of(key.this))}) for key in sort.keys)
    order = f"ORDER BY {', '.join(map(sql_of, keys))}"
    return f"rows that tie for the last place of {' '.join(filter(None, (where, order, limit)))}"


def of_opaque(operator: Opaque) -> str:
    return f"the query can't be seen through: {operator.text}"


def of_aggregate(aggregate: Expr) -> str | None:
    """What is in doubt of an aggregate that depends on the order of rows."""
    name = function_of(aggregate).name.lower()
    known = lookup(name)
    if name == "only" or (known is not None and known.deterministic and not known.order_dependent):
        return None
    return f"{place_of(function_of(aggregate))} depends on the order of rows"


def of_window(over: Expr) -> str | None:
    """What is in doubt of a window function that tells apart rows that tie."""
    return f"{place_of(function_of(over))} may order rows that tie in any way" if tells_ties_apart(over) else None


def tells_ties_apart(over: Expr) -> bool:
    """Whether a window function gives rows that tie different answers."""
    name, frame = function_of(over).name.lower(), over.args.get("spec")
    if name in RANKS or goes_by_position(name):
        return name not in RANKS
    return frame is not None and frame.args.get("kind") == "ROWS" and not _is_whole(frame)


def goes_by_position(name: str) -> bool:
    """Whether a function's answer rests on the order of rows, even those that tie."""
    known = lookup(name)
    return known is None or known.order_dependent or not known.deterministic


def _is_whole(frame: Expr) -> bool:
    return frame.args.get("start") == "UNBOUNDED" and frame.args.get("end") == "UNBOUNDED"


def function_of(expr: Expr) -> exp.Anonymous:
    """The function that is called in an aggregate with its FILTER, or in a window function."""
    while not isinstance(expr, exp.Anonymous):
        expr = expr.this
    return expr
