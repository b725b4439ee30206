"""One SELECT of Spark SQL, with the clauses filled in so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

from sqlglot import exp

from trailbook.algebra.expressions import Expr, ref, rewrite
from trailbook.algebra.plan import Named
from trailbook.algebra.print_expression import condition_operand, quoted, sql_of
from trailbook.algebra.rewrites.safety import is_plain

Lines = tuple[str, ...]
"""Text. A line is indented as a whole, so one that holds a text of the user's may have line breaks."""

LINE_LENGTH = 100


@dataclass(frozen=True)
class Group:
    """GROUP BY; without keys there still is one group. `sets` are positions in `keys`."""

    keys: tuple[Expr, ...]
    sets: tuple[tuple[int, ...], ...] | None


@dataclass(frozen=True)
class Select:
    """A query. Expressions name the columns of `source` with their table, those of the result (in ORDER BY) without."""

    columns: tuple[Named, ...]
    source: Lines = ()
    joined: bool = False
    """The source is more than one table."""
    generates: bool = False
    """The source ends in LATERAL VIEW, after which there can be no JOIN."""
    where: tuple[Expr, ...] = ()
    group: Group | None = None
    having: tuple[Expr, ...] = ()
    fixed: bool = False
    """Some column is a window function or EXISTS, which can stand in SELECT alone."""
    distinct: bool = False
    order: tuple[exp.Ordered, ...] = ()
    limit: int | None = None
    offset: int = 0
    whole: Lines = ()
    """The text of this query, where it is no SELECT."""
    depth: int = 0
    """How deep queries are nested in it."""

    @cached_property
    def by_name(self) -> dict[str, Expr]:
        return {column.name: column.expr for column in self.columns}

    @property
    def is_cut(self) -> bool:
        return self.limit is not None or self.offset > 0

    @property
    def is_flat(self) -> bool:
        """Whether each row is one row of the source."""
        return not (self.group or self.fixed or self.distinct or self.order or self.is_cut)

    @property
    def renames_only(self) -> bool:
        """Whether rows and values are those of the source, perhaps fewer of them."""
        return self.computes_nothing and all(isinstance(column.expr, exp.Column) for column in self.columns)

    @property
    def computes_nothing(self) -> bool:
        """Whether it is the source's rows and values, or constants."""
        return self.is_flat and all(is_plain(column.expr) for column in self.columns)

    def but(self, **changes: Any) -> Self:
        """The query with other clauses."""
        return replace(self, whole=(), **changes)

    def lines(self) -> Lines:
        """The text."""
        return self.whole or tuple(self._lines())

    def _lines(self) -> Iterable[str]:
        items = [_item(column, self._sql(column.expr)) for column in self.columns]
        yield from listed("SELECT DISTINCT" if self.distinct else "SELECT", items or [self._no_column()])
        if self.source:
            yield f"FROM {self.source[0]}"
            yield from self.source[1:]
        if self.where:
            plain = self.where if self.joined else tuple(map(_without_tables, self.where))
            yield from listed("WHERE", conditions_sql(plain), " AND")
        yield from self._grouping()
        if self.having:
            yield from listed("HAVING", conditions_sql(self.having), " AND")
        if self.order:
            yield f"ORDER BY {', '.join(map(sql_of, self.order))}"
        if self.is_cut:
            yield " ".join(self._cut())

    def _no_column(self) -> str:
        # An aggregation is one by its aggregates.
        return f"{'count(*)' if self.group else 'NULL'} AS __none"

    def _grouping(self) -> Iterable[str]:
        if self.group is None or not self.group.keys:
            return
        keys = [self._sql(key) for key in self.group.keys]
        yield from listed("GROUP BY", keys)
        if self.group.sets is not None:
            sets = [f"({', '.join(keys[position] for position in positions)})" for positions in self.group.sets]
            yield f"GROUPING SETS ({', '.join(sets)})"

    def _cut(self) -> Iterable[str]:
        if self.limit is not None:
            yield f"LIMIT {self.limit}"
        if self.offset:
            yield f"OFFSET {self.offset}"

    def _sql(self, expr: Expr) -> str:
        return sql_of(expr if self.joined else _without_tables(expr))


def from_table(source: Lines, alias: str, names: Iterable[str], depth: int = 0) -> Select:
    """All of a table, a derived one perhaps."""
    columns = tuple(Named(name, column_of(alias, name)) for name in names)
    return Select(columns, source, depth=depth)


def column_of(alias: str, name: str) -> exp.Column:
    column = ref(name)
    column.set("table", exp.Identifier(this=alias, quoted=True))
    return column


def nested(lines: Lines, alias: str) -> Lines:
    """A query in parentheses, as a table."""
    return ("(", *indented(lines), f") AS {quoted(alias)}")


def indented(lines: Iterable[str]) -> Lines:
    return tuple(f"  {line}" for line in lines)


def listed(head: str, items: Sequence[str], separator: str = ",") -> Iterable[str]:
    """A clause, on one line if that is short enough."""
    line = f"{head} {f'{separator} '.join(items)}"
    if len(line) <= LINE_LENGTH:
        yield line
        return
    yield head
    for item in items[:-1]:
        yield f"  {item}{separator}"
    yield f"  {items[-1]}"


def conditions_sql(conditions: Sequence[Expr]) -> list[str]:
    """Each as an operand of AND."""
    return [sql_of(conditions[0])] if len(conditions) == 1 else [condition_operand(each) for each in conditions]


def _item(column: Named, text: str) -> str:
    named_so = isinstance(column.expr, exp.Column) and column.expr.name == column.name
    return text if named_so else f"{text} AS {quoted(column.name)}"


def _without_tables(expr: Expr) -> Expr:
    # The parameter of a lambda hides a column of its name, unless the column says whose it is.
    if expr.find(exp.Lambda):
        return expr
    return rewrite(expr, lambda node: ref(node.name) if isinstance(node, exp.Column) else node)
