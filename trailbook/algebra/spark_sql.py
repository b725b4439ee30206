"""Plans as Spark SQL: neighbouring operators in one SELECT where that is the same, otherwise queries within queries.

What is used more than once, or nested too deep to be read, is a common table expression.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from trailbook.algebra.determinism import is_repeatable
from trailbook.algebra.expressions import Expr, ref, substitute
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
    Range,
    Scan,
    SetOperation,
    Sort,
    Union,
    Values,
    Window,
)
from trailbook.algebra.print_expression import quoted, sql_of
from trailbook.algebra.spark_fold import (
    add_aggregate,
    add_distinct,
    add_filter,
    add_limit,
    add_project,
    add_sort,
    add_window,
)
from trailbook.algebra.spark_select import Lines, Select, from_table, nested
from trailbook.algebra.spark_tables import (
    common_tables,
    from_values,
    joined,
    set_operation_lines,
    with_existence,
    with_generated,
)
from trailbook.algebra.traversal import bottom_up

DEEPEST = 4
"""How many queries may be nested in each other."""

_FOLDS: dict[type[Plan], Callable[[Select, Any], Select | None]] = {
    Project: add_project,
    Filter: add_filter,
    Distinct: add_distinct,
    Window: add_window,
    Sort: add_sort,
    Limit: add_limit,
}


def to_sql(plan: Plan, tables: Callable[[str], str] = quoted) -> str:
    """The query for Spark. `tables` says how the text names a table of the scope."""
    writer = Writer(plan, tables)
    return "\n".join((*common_tables(writer.common), *writer.body))


class Writer:
    """Writes one query, with names that no two parts of it share.

    `common` are the tables that `body` and those after them in the list read by their names.
    """

    def __init__(self, plan: Plan, tables: Callable[[str], str], stem: str = "q") -> None:
        self._tables = tables
        self._stem = stem
        self.common: list[tuple[str, Lines]] = []
        operators = bottom_up(plan)
        self._taken = set(_names_in(operators))
        self._aliases: set[str] = set()
        self._done: dict[int, Select] = {}
        self._shared: dict[int, str] = {}
        uses = Counter(id(child) for node in operators for child in node.inputs)
        for node in operators:
            if isinstance(node, Leaf):
                continue
            self._done[id(node)] = self._written(node)
            if uses[id(node)] > 1:
                self._shared[id(node)] = self._apart(self._done[id(node)])
        self.body = self._use(plan).lines()

    def _use(self, plan: Plan) -> Select:
        """The query of an operator, with table names of its own wherever it is used."""
        if id(plan) in self._shared:
            return self._table(self._shared[id(plan)], plan.names)
        if isinstance(plan, Scan):
            return self._table(plan.table, plan.names, self._tables(plan.table))
        if isinstance(plan, Values):
            return from_values(plan, self._name("v"))
        if isinstance(plan, Range):
            alias = self._name("v")
            source = f"range({plan.start}, {plan.end}, {plan.step}) AS {quoted(alias)}"
            return from_table((source,), alias, plan.names)
        return self._done[id(plan)]

    def _written(self, node: Plan) -> Select:
        if fold := _FOLDS.get(type(node)):
            select = self._use(node.inputs[0])
            return fold(select, node) or _certainly(fold(self._around(select), node))
        match node:
            case Aggregate():
                return self._aggregate(node)
            case Join():
                return self._join(node)
            case Existence():
                return self._existence(node)
            case Generate():
                return self._generate(node)
            case Union():
                return self._set_operation(node, "UNION ALL")
            case SetOperation():
                return self._set_operation(node, f"{node.kind.upper()}{' ALL' if node.all else ''}")
            case Opaque():
                return self._opaque(node)
        raise TypeError(f"There is no SQL for {type(node).__name__}.")

    def _aggregate(self, node: Aggregate) -> Select:
        select = self._use(node.input)
        if added := add_aggregate(select, node) or add_aggregate(self._around(select), node):
            return added
        # Keys as columns of a query below, since these can't stand in GROUP BY as they are.
        computed = [Named(f"__key_{position}", key.expr) for position, key in enumerate(node.keys)]
        below = Project(node.input, (*(Named(name, ref(name)) for name in node.input.names), *computed))
        keys = tuple(Named(key.name, ref(new.name)) for key, new in zip(node.keys, computed, strict=True))
        select = self._around(self._written(below))
        return _certainly(add_aggregate(select, replace(node, input=below, keys=keys)))

    def _join(self, node: Join) -> Select:
        if key := _looked_up(node):
            return self._in(node, *key)
        left = self._side(node.left, filled=node.kind in (JoinKind.RIGHT, JoinKind.FULL))
        right = self._side(
            node.right,
            filled=node.kind in (JoinKind.LEFT, JoinKind.FULL),
            filtered=node.kind in (JoinKind.INNER, JoinKind.RIGHT),
        )
        return joined(node, left, right)

    def _in(self, node: Join, ours: Expr, theirs: Expr) -> Select:
        """A semi join by one column as IN, which Spark's optimiser makes more of: it filters other tables by it too."""
        left, right = self._side(node.left, filled=False), self._use(node.right)
        value = sql_of(substitute(ours, left.by_name))
        if not right.computes_nothing or right.joined or len(right.source) != 1:
            right = self._table(self._apart(right), node.right.names)
        found = right.but(columns=(Named(theirs.name, right.by_name[theirs.name]),))
        return left.but(where=(*left.where, exp.Var(this=f"{value} IN ({' '.join(found.lines())})")))

    def _side(self, plan: Plan, filled: bool, filtered: bool = True) -> Select:
        """A side of a join: the tables of the query, if it does nothing with them.

        Where the join fills it with NULL, constants and conditions would come too late; a condition also where the
        side is only looked into.
        """
        select = self._use(plan)
        bare = select.renames_only if filled else select.computes_nothing
        if not bare or not select.source or select.generates or (select.where and (filled or not filtered)):
            return self._around(select)
        return select

    def _existence(self, node: Existence) -> Select:
        left, right = self._use(node.left), self._use(node.right)
        if not right.computes_nothing or right.joined or right.where or len(right.source) != 1:
            right = self._table(self._apart(right), node.right.names)
        return with_existence(node, left if left.computes_nothing else self._around(left), right, self._name("e"))

    def _generate(self, node: Generate) -> Select:
        select = self._use(node.input)
        if not select.renames_only or select.where or not select.source:
            select = self._around(select)
        return with_generated(node, select, self._name("v"))

    def _set_operation(self, node: Plan, operator: str) -> Select:
        parts = [self._use(child) for child in node.inputs]
        return self._whole(set_operation_lines(operator, parts), node.names, max(part.depth for part in parts))

    def _opaque(self, node: Opaque) -> Select:
        tables = [
            (name, self._table(self._apart(self._use(child)), child.names).lines())
            for name, child in node.tables
            if not (isinstance(child, Scan) and child.table == name and self._tables(name) == quoted(name))
        ]
        text = ("SELECT * FROM (", node.text, ")")
        # In parentheses: there may be a WITH before this one, and another in the text.
        lines = ("SELECT * FROM (", *common_tables(tables), *text, ")") if tables else text
        return self._whole(lines, node.names, depth=1)

    def _whole(self, lines: Lines, names: Sequence[str], depth: int) -> Select:
        """A query that is no SELECT, and can be used as one."""
        return replace(self._derived(lines, names, depth), whole=lines)

    def _around(self, select: Select) -> Select:
        """A query that selects all of a query."""
        return self._derived(select.lines(), tuple(select.by_name), select.depth)

    def _derived(self, lines: Lines, names: Sequence[str], depth: int) -> Select:
        alias = self._name(self._stem)
        if depth < DEEPEST:
            return from_table(nested(lines, alias), alias, names, depth + 1)
        self.common.append((alias, lines))
        return self._table(alias, names)

    def _apart(self, select: Select) -> str:
        """The name of a common table with the query."""
        name = self._name(self._stem)
        self.common.append((name, select.lines()))
        return name

    def _table(self, name: str, names: Sequence[str], text: str | None = None) -> Select:
        text = text or quoted(name)
        alias = self._name(f"{name}_") if name.lower() in self._aliases else name
        self._aliases.add(name.lower())
        return from_table((text if text == quoted(alias) else f"{text} AS {quoted(alias)}",), alias, names)

    def _name(self, stem: str) -> str:
        """A name that nothing else in the query has."""
        number = 1
        while (name := f"{stem}{number}").lower() in self._taken:
            number += 1
        self._taken.add(name.lower())
        return name


def _looked_up(node: Join) -> tuple[Expr, Expr] | None:
    """The columns of a semi join by one, whose right side may be looked at as often as Spark likes."""
    if node.kind is not JoinKind.SEMI or not isinstance(node.condition, exp.EQ) or not is_repeatable(node.right):
        return None
    one, other = node.condition.this, node.condition.expression
    if not isinstance(one, exp.Column) or not isinstance(other, exp.Column):
        return None
    pairs = [(one, other), (other, one)]
    return next(((x, y) for x, y in pairs if x.name in node.left.names and y.name in node.right.names), None)


def _names_in(operators: Iterable[Plan]) -> Iterable[str]:
    """What tables are called, and every word of text that is not ours, in lower case."""
    for node in operators:
        if isinstance(node, Scan):
            yield node.table.lower()
        if isinstance(node, Opaque):
            yield from (name.lower() for name, _ in node.tables)
            yield from re.findall(r"\w+", node.text.lower())


def _certainly(select: Select | None) -> Select:
    assert select is not None, "Any operator can be added to a query around all others."
    return select
