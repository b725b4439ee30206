"""Plans as Spark SQL: neighbouring operators in one SELECT where that is the same, otherwise queries within queries.

What is used more than once, or nested too deep to be read, is a common table expression.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from sqlglot import exp

from trailbook.algebra import spark_fold
from trailbook.algebra.expressions import Expr, conjuncts, ref, substitute
from trailbook.algebra.plan import (
    Aggregate,
    Distinct,
    Existence,
    Filter,
    Generate,
    Join,
    JoinKind,
    Leaf,
    Limit,
    Named,
    Opaque,
    Plan,
    Project,
    Scan,
    SetOperation,
    Sort,
    Unary,
    Union,
    Values,
    Window,
)
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

DEEPEST = 4
"""How many queries may be nested in each other."""

_KEYWORDS = {
    JoinKind.INNER: "JOIN",
    JoinKind.LEFT: "LEFT JOIN",
    JoinKind.RIGHT: "RIGHT JOIN",
    JoinKind.FULL: "FULL JOIN",
    JoinKind.SEMI: "LEFT SEMI JOIN",
    JoinKind.ANTI: "LEFT ANTI JOIN",
}

Operator = TypeVar("Operator", bound=Unary)


def to_sql(plan: Plan, tables: Callable[[str], str] = quoted) -> str:
    """The query for Spark. `tables` says how the text names a table of the scope."""
    return "\n".join(_Writer(plan, tables).lines(plan))


class _Writer:
    """Writes one query, with names that no two parts of it share."""

    def __init__(self, plan: Plan, tables: Callable[[str], str]) -> None:
        self._tables = tables
        operators = bottom_up(plan)
        self._uses = Counter(id(child) for node in operators for child in node.inputs)
        self._expressions: list[tuple[str, Lines]] = []
        self._done: dict[int, Select] = {}
        self._shared: dict[int, str] = {}
        self._aliases: set[str] = set()
        self._taken = {node.table.lower() for node in operators if isinstance(node, Scan)}
        for node in operators:
            if isinstance(node, Opaque):
                self._taken |= {word.lower() for word in node.text.replace("`", " ").split()}
                self._taken |= {name.lower() for name, _ in node.tables}
        for node in operators:
            if not isinstance(node, Leaf):
                self._finish(node)

    def lines(self, plan: Plan) -> Lines:
        body = self._use(plan).lines()
        if not self._expressions:
            return body
        parts: list[str] = []
        for name, lines in self._expressions:
            parts += [f"{quoted(name)} AS (", *indented(lines), "),"]
        parts[0], parts[-1] = f"WITH {parts[0]}", ")"
        return (*parts, *body)

    def _finish(self, node: Plan) -> None:
        select = self._written(node)
        if self._uses[id(node)] > 1:
            self._shared[id(node)] = self._hoisted(select)
        self._done[id(node)] = select

    def _use(self, plan: Plan) -> Select:
        """The query of an operator, with table names of its own wherever it is used."""
        if id(plan) in self._shared:
            return self._table(self._shared[id(plan)], plan.names)
        return self._written(plan) if isinstance(plan, Leaf) else self._done[id(plan)]

    def _written(self, node: Plan) -> Select:
        match node:
            case Scan():
                return self._table(node.table, node.names, self._tables(node.table))
            case Values():
                return self._values(node)
            case Project():
                return self._folded(node, spark_fold.add_project)
            case Filter():
                return self._folded(node, spark_fold.add_filter)
            case Aggregate():
                return self._aggregate(node)
            case Distinct():
                return self._folded(node, spark_fold.add_distinct)
            case Window():
                return self._folded(node, spark_fold.add_window)
            case Sort():
                return self._folded(node, spark_fold.add_sort)
            case Limit():
                return self._folded(node, spark_fold.add_limit)
            case Generate():
                return self._generate(node)
            case Join():
                return self._join(node)
            case Existence():
                return self._existence(node)
            case Union():
                return self._set_operation(node, "UNION ALL")
            case SetOperation():
                return self._set_operation(node, f"{node.kind.upper()}{' ALL' if node.all else ''}")
            case Opaque():
                return self._opaque(node)
        raise TypeError(f"There is no SQL for {type(node).__name__}.")

    def _folded(self, node: Operator, add: Callable[[Select, Operator], Select | None]) -> Select:
        select = self._use(node.input)
        return add(select, node) or _certainly(add(self._wrapped(select), node))

    def _aggregate(self, node: Aggregate) -> Select:
        select = self._use(node.input)
        if added := spark_fold.add_aggregate(select, node) or spark_fold.add_aggregate(self._wrapped(select), node):
            return added
        # Keys as columns of a query below, since these can't stand in GROUP BY as they are.
        computed = [Named(f"__key_{position}", key.expr) for position, key in enumerate(node.keys)]
        kept = [Named(name, ref(name)) for name in node.input.names]
        below = Project(node.input, (*kept, *computed))
        keys = tuple(Named(key.name, ref(new.name)) for key, new in zip(node.keys, computed, strict=True))
        select = self._wrapped(self._folded(below, spark_fold.add_project))
        return _certainly(spark_fold.add_aggregate(select, replace(node, input=below, keys=keys)))

    def _values(self, node: Values) -> Select:
        alias = self._name("v")
        if not node.columns:
            return Select((), () if len(node.rows) == 1 else (f"range({len(node.rows)})",))
        if not node.rows:
            empty = [f"CAST(NULL AS {_type_name(column.type)}) AS {quoted(column.name)}" for column in node.columns]
            return from_table(nested((*listed("SELECT", empty), "WHERE FALSE"), alias), alias, node.names, 1)
        rows = [f"({', '.join(map(sql_of, row))})" for row in node.rows]
        names = ", ".join(quoted(name) for name in node.names)
        lines = listed("VALUES", rows)
        source = ("(", *indented(lines), f") AS {alias}({names})")
        columns = []
        for position, column in enumerate(node.columns):
            inferred = common_type([type_of(row[position], ())[0] for row in node.rows])
            expr: Expr = column_of(alias, column.name)
            if column.type not in (inferred, UNKNOWN):
                expr = exp.Cast(this=expr, to=exp.Var(this=column.type))
            columns.append(Named(column.name, expr))
        return Select(tuple(columns), source, depth=1)

    def _generate(self, node: Generate) -> Select:
        select = self._use(node.input)
        if not (select.is_flat and select.source and not select.where and _renames(select)):
            select = self._wrapped(select)
        alias = self._name("v")
        generator = sql_of(substitute(node.generator, select.by_name))
        names = ", ".join(map(quoted, node.columns))
        view = f"LATERAL VIEW {'OUTER ' if node.outer else ''}{generator} {alias} AS {names}"
        made = (Named(name, column_of(alias, name)) for name in node.columns)
        return select.but(columns=(*select.columns, *made), source=(*select.source, view), joined=True, generates=True)

    def _join(self, node: Join) -> Select:
        left = self._side(self._use(node.left), filtered=node.kind not in (JoinKind.RIGHT, JoinKind.FULL))
        right = self._side(self._use(node.right), filtered=node.kind is JoinKind.INNER)
        by_name = {**left.by_name, **right.by_name}
        keeps_right = node.kind not in (JoinKind.SEMI, JoinKind.ANTI)
        return left.but(
            columns=(*left.columns, *(right.columns if keeps_right else ())),
            source=(*left.source, *_join_lines(node, right, by_name)),
            joined=True,
            where=(*left.where, *right.where),
            depth=max(left.depth, right.depth),
        )

    def _side(self, select: Select, filtered: bool) -> Select:
        """A query as a side of a join: its tables, if it does nothing with them."""
        bare = select.is_flat and select.source and not select.generates and _renames(select)
        return select if bare and (filtered or not select.where) else self._wrapped(select)

    def _existence(self, node: Existence) -> Select:
        left = self._use(node.left)
        if not (left.is_flat and _renames(left)):
            left = self._wrapped(left)
        right = self._use(node.right)
        if right.joined or right.where or len(right.source) != 1 or not (right.is_flat and _renames(right)):
            right = self._table(self._hoisted(right), node.right.names)
        by_name = {**left.by_name, **right.by_name}
        conditions = [substitute(condition, by_name) for condition in conjuncts(node.condition)]
        where = f" WHERE {' AND '.join(conditions_sql(conditions))}" if conditions else ""
        test = exp.Var(this=f"EXISTS (SELECT 1 FROM {right.source[0]}{where})")
        return left.but(columns=(*left.columns, Named(node.name, test)), fixed=True)

    def _set_operation(self, node: Union | SetOperation, operator: str) -> Select:
        parts = [self._use(child) for child in node.inputs]
        lines: list[str] = []
        for position, part in enumerate(parts):
            text = part.lines()
            lines += [operator] if position else []
            lines += ["(", *indented(text), ")"] if part.whole or part.order or part.is_cut else text
        return self._whole(tuple(lines), node.names, max(part.depth for part in parts))

    def _opaque(self, node: Opaque) -> Select:
        parts: list[str] = []
        for name, child in node.tables:
            if isinstance(child, Scan) and child.table == name and self._tables(name) == quoted(name):
                continue
            select = self._table(self._hoisted(self._use(child)), child.names)
            parts += [f"{quoted(name)} AS (", *indented(select.lines()), "),"]
        if parts:
            parts[0], parts[-1] = f"WITH {parts[0]}", ")"
        return self._whole((*parts, "SELECT * FROM (", node.text, ")"), node.names, 1)

    def _whole(self, lines: Lines, names: tuple[str, ...], depth: int) -> Select:
        """A query that is no SELECT, and can be used as one."""
        select = self._derived(lines, names, depth)
        return replace(select, whole=lines)

    def _wrapped(self, select: Select) -> Select:
        """A query around the query."""
        return self._derived(select.lines(), tuple(select.by_name), select.depth)

    def _derived(self, lines: Lines, names: tuple[str, ...], depth: int) -> Select:
        alias = self._name("q")
        if depth < DEEPEST:
            return from_table(nested(lines, alias), alias, names, depth + 1)
        self._expressions.append((alias, lines))
        return self._table(alias, names)

    def _hoisted(self, select: Select) -> str:
        name = self._name("q")
        self._expressions.append((name, select.lines()))
        return name

    def _table(self, name: str, names: tuple[str, ...], text: str | None = None) -> Select:
        text = text or quoted(name)
        alias = self._name(f"{name}_") if name in self._aliases else name
        self._aliases.add(name)
        return from_table((text if text == quoted(alias) else f"{text} AS {quoted(alias)}",), alias, names)

    def _name(self, stem: str) -> str:
        """A name that nothing else in the query has."""
        number = 1
        while (name := f"{stem}{number}") in self._taken:
            number += 1
        self._taken.add(name)
        return name


def _certainly(select: Select | None) -> Select:
    assert select is not None, "Any operator can be added to a query around all others."
    return select


def _renames(select: Select) -> bool:
    return all(isinstance(column.expr, exp.Column) for column in select.columns)


def _join_lines(node: Join, right: Select, by_name: dict[str, Expr]) -> Lines:
    source = ("(", *indented(right.source), ")") if right.joined else right.source
    conditions = [substitute(condition, by_name) for condition in conjuncts(node.condition)]
    cross = node.kind is JoinKind.INNER and not conditions
    head = (f"{'CROSS JOIN' if cross else _KEYWORDS[node.kind]} {source[0]}", *source[1:])
    return head if cross else (*head, *indented(listed("ON", conditions_sql(conditions) or ["TRUE"], " AND")))


def _type_name(kind: str) -> str:
    return "VOID" if kind == UNKNOWN else kind
