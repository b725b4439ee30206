"""What stands in FROM: rows written out, joins, LATERAL VIEW; and EXISTS, which has a FROM of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlglot import exp

from trailbook.algebra.expressions import Expr, conjuncts, substitute
from trailbook.algebra.plan import Existence, Generate, Join, JoinKind, Named, Union, Values
from trailbook.algebra.print_expression import quoted, sql_of
from trailbook.algebra.spark_select import (
    Lines,
    Select,
    column_of,
    conditions_sql,
    from_table,
    indented,
    listed,
    nested,
)
from trailbook.algebra.traversal import bottom_up
from trailbook.algebra.types import UNKNOWN, common_type, type_of
from trailbook.model.artifacts import Column

_JOINS = {
    JoinKind.INNER: "JOIN",
    JoinKind.LEFT: "LEFT JOIN",
    JoinKind.RIGHT: "RIGHT JOIN",
    JoinKind.FULL: "FULL JOIN",
    JoinKind.SEMI: "LEFT SEMI JOIN",
    JoinKind.ANTI: "LEFT ANTI JOIN",
}


def from_values(node: Values, alias: str) -> Select:
    """Rows written out, with the types that the plan says."""
    if not node.columns:
        return Select((), () if len(node.rows) == 1 else (f"range({len(node.rows)})",))
    if not node.rows:
        none = [f"CAST(NULL AS {_sql_type(column)}) AS {quoted(column.name)}" for column in node.columns]
        return from_table(nested((*listed("SELECT", none), "WHERE FALSE"), alias), alias, node.names, depth=1)
    rows = [f"({', '.join(map(sql_of, row))})" for row in node.rows]
    head = f") AS {quoted(alias)}({', '.join(map(quoted, node.names))})"
    columns = tuple(_typed(node, position, alias) for position in range(len(node.columns)))
    return Select(columns, ("(", *indented(listed("VALUES", rows)), head), depth=1)


def _typed(node: Values, position: int, alias: str) -> Named:
    column = node.columns[position]
    value = column_of(alias, column.name)
    inferred = common_type([type_of(row[position], ())[0] for row in node.rows])
    as_it_is = column.type in (inferred, UNKNOWN)
    return Named(column.name, value if as_it_is else exp.Cast(this=value, to=exp.Var(this=column.type)))


def _sql_type(column: Column) -> str:
    return "VOID" if column.type == UNKNOWN else column.type


def joined(node: Join, left: Select, right: Select) -> Select:
    """Two sides that are tables and no more, perhaps with a WHERE that can as well come after the join."""
    conditions = _conditions(node.condition, {**left.by_name, **right.by_name})
    cross = node.kind is JoinKind.INNER and not conditions
    first, *others = ("(", *indented(right.source), ")") if right.joined else right.source
    head = (f"{'CROSS JOIN' if cross else _JOINS[node.kind]} {first}", *others)
    on = () if cross else indented(listed("ON", conditions_sql(conditions) or ["TRUE"], " AND"))
    of_right = () if node.kind in (JoinKind.SEMI, JoinKind.ANTI) else right.columns
    return left.but(
        columns=(*left.columns, *of_right),
        source=(*left.source, *head, *on),
        joined=True,
        where=(*left.where, *right.where),
        depth=max(left.depth, right.depth),
    )


def with_existence(node: Existence, left: Select, right: Select, alias: str) -> Select:
    """`right` is one table. Spark makes a join of it, which marks rows and repeats none."""
    conditions = _conditions(node.condition, {**left.by_name, **right.by_name})
    where = f" WHERE {' AND '.join(conditions_sql(conditions))}" if conditions else ""
    rows = f"FROM {right.source[0]}{where}"
    if any(isinstance(operator, Union) for operator in bottom_up(node.left)):
        # Spark fails on EXISTS as a value over UNION ALL: it moves the one below the other, and loses its columns.
        lateral = f"CROSS JOIN LATERAL (SELECT count(*) > 0 AS {quoted(node.name)} {rows}) AS {quoted(alias)}"
        found = Named(node.name, column_of(alias, node.name))
        return left.but(columns=(*left.columns, found), source=(*left.source, lateral), joined=True, fixed=True)
    test = exp.Var(this=f"EXISTS (SELECT 1 {rows})")
    return left.but(columns=(*left.columns, Named(node.name, test)), fixed=True)


def with_generated(node: Generate, select: Select, alias: str) -> Select:
    generator = sql_of(substitute(node.generator, select.by_name))
    outer = "OUTER " if node.outer else ""
    view = f"LATERAL VIEW {outer}{generator} {quoted(alias)} AS {', '.join(map(quoted, node.columns))}"
    made = (Named(name, column_of(alias, name)) for name in node.columns)
    return select.but(columns=(*select.columns, *made), source=(*select.source, view), joined=True, generates=True)


def set_operation_lines(operator: str, parts: Iterable[Select]) -> Lines:
    lines: list[str] = []
    for part in parts:
        text = part.lines()
        lines += [operator] if lines else []
        lines += ["(", *indented(text), ")"] if part.whole or part.order or part.is_cut else text
    return tuple(lines)


def common_tables(tables: Iterable[tuple[str, Lines]]) -> Lines:
    """WITH, if there are any."""
    lines: list[str] = []
    for name, body in tables:
        lines += [f"{quoted(name)} AS (", *indented(body), "),"]
    return (f"WITH {lines[0]}", *lines[1:-1], ")") if lines else ()


def _conditions(condition: Expr | None, columns: Mapping[str, Expr]) -> list[Expr]:
    return [substitute(part, columns) for part in conjuncts(condition)]
