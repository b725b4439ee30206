"""Plans: trees of relational operators, Trailbook's own intermediate representation.

An operator is a frozen value that refuses nonsense when it is made. The columns of each operator's result have names
that differ also when case is ignored, so an expression names a column of the input by its name alone; the two sides
of a join have no name in common.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Self

from sqlglot import exp

from trailbook.algebra.expressions import Expr, names_in
from trailbook.algebra.types import BOOLEAN, common_type, generated_columns, type_of
from trailbook.errors import BadPlan
from trailbook.model.artifacts import Column

Schema = tuple[Column, ...]


@dataclass(frozen=True)
class Named:
    """A column of a result and how it is computed."""

    name: str
    expr: Expr


class Plan(ABC):
    """One operator with its inputs."""

    @property
    @abstractmethod
    def inputs(self) -> tuple[Plan, ...]: ...

    @cached_property
    @abstractmethod
    def schema(self) -> Schema:
        """The columns of the result, in order."""

    @abstractmethod
    def with_inputs(self, *inputs: Plan) -> Plan:
        """The same operator over other inputs."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.schema)

    def walk(self) -> Iterator[Plan]:
        """This operator and all below it."""
        waiting: list[Plan] = [self]
        while waiting:
            operator = waiting.pop()
            yield operator
            waiting.extend(reversed(operator.inputs))

    def _require(self, exprs: Iterable[Expr], known: Iterable[str]) -> None:
        """Refuse expressions over columns that are not there."""
        known = frozenset(known)
        for expr in exprs:
            missing = names_in(expr) - known
            if missing:
                raise BadPlan(f"{type(self).__name__} reads {sorted(missing)}; its input has {sorted(known)}.")

    def _require_distinct(self, names: Iterable[str]) -> None:
        seen: set[str] = set()
        for name in names:
            if name.lower() in seen:
                raise BadPlan(f"{type(self).__name__} has two columns called {name}.")
            seen.add(name.lower())


class Leaf(Plan):
    """An operator without input."""

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return ()

    def with_inputs(self, *inputs: Plan) -> Plan:
        return self


@dataclass(frozen=True)
class Unary(Plan):
    """An operator with one input, whose columns it keeps unless it says otherwise."""

    input: Plan

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return (self.input,)

    def with_inputs(self, *inputs: Plan) -> Self:
        return replace(self, input=inputs[0])

    @cached_property
    def schema(self) -> Schema:
        return self.input.schema


@dataclass(frozen=True)
class Scan(Leaf):
    """A table of the scope. No two of its rows agree on all columns of one of the `keys`."""

    table: str
    columns: Schema
    keys: tuple[frozenset[str], ...] = ()
    called: str = ""
    """What queries call the table, where that is another name."""

    def __post_init__(self) -> None:
        self._require_distinct(self.names)

    @cached_property
    def schema(self) -> Schema:
        return self.columns


@dataclass(frozen=True)
class Values(Leaf):
    """Rows written out."""

    rows: tuple[tuple[Expr, ...], ...]
    columns: Schema

    def __post_init__(self) -> None:
        self._require_distinct(self.names)
        if any(len(row) != len(self.columns) for row in self.rows):
            raise BadPlan("Values has rows of different lengths.")

    @cached_property
    def schema(self) -> Schema:
        return self.columns


@dataclass(frozen=True)
class Range(Leaf):
    """Whole numbers from `start` on, in steps, the end not included."""

    start: int
    end: int
    step: int = 1

    def __post_init__(self) -> None:
        if self.step == 0:
            raise BadPlan("A range has steps of 0.")

    @cached_property
    def schema(self) -> Schema:
        return (Column(name="id", type="bigint", nullable=False),)


@dataclass(frozen=True)
class Project(Unary):
    """SELECT: one row for each row, with computed columns."""

    columns: tuple[Named, ...]

    def __post_init__(self) -> None:
        self._require_distinct(self.names)
        self._require((column.expr for column in self.columns), self.input.names)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @cached_property
    def schema(self) -> Schema:
        return tuple(_described(column, self.input.schema) for column in self.columns)


@dataclass(frozen=True)
class Filter(Unary):
    """WHERE: the rows for which the condition is true."""

    condition: Expr

    def __post_init__(self) -> None:
        self._require([self.condition], self.input.names)


class JoinKind(StrEnum):
    INNER = "inner"
    LEFT = "left"
    RIGHT = "right"
    FULL = "full"
    SEMI = "semi"
    """The left rows that have a match: EXISTS."""
    ANTI = "anti"
    """The left rows that have none: NOT EXISTS; with `(x = y) OR (x = y) IS NULL` it is NOT IN."""


@dataclass(frozen=True)
class Join(Plan):
    """JOIN; without a condition every row matches every row."""

    left: Plan
    right: Plan
    kind: JoinKind
    condition: Expr | None = None

    def __post_init__(self) -> None:
        self._require_distinct((*self.left.names, *self.right.names))
        self._require([self.condition] if self.condition else [], (*self.left.names, *self.right.names))

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return (self.left, self.right)

    def with_inputs(self, *inputs: Plan) -> Join:
        return replace(self, left=inputs[0], right=inputs[1])

    @cached_property
    def schema(self) -> Schema:
        if self.kind in (JoinKind.SEMI, JoinKind.ANTI):
            return self.left.schema
        left = _optional(self.left.schema) if self.kind in (JoinKind.RIGHT, JoinKind.FULL) else self.left.schema
        right = _optional(self.right.schema) if self.kind in (JoinKind.LEFT, JoinKind.FULL) else self.right.schema
        return (*left, *right)


@dataclass(frozen=True)
class Existence(Plan):
    """The left rows with a column that says whether there is a match: EXISTS as a value."""

    left: Plan
    right: Plan
    condition: Expr | None
    name: str

    def __post_init__(self) -> None:
        self._require_distinct((*self.left.names, *self.right.names, self.name))
        self._require([self.condition] if self.condition else [], (*self.left.names, *self.right.names))

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return (self.left, self.right)

    def with_inputs(self, *inputs: Plan) -> Existence:
        return replace(self, left=inputs[0], right=inputs[1])

    @cached_property
    def schema(self) -> Schema:
        return (*self.left.schema, Column(name=self.name, type=BOOLEAN, nullable=False))


@dataclass(frozen=True)
class Aggregate(Unary):
    """GROUP BY: a row for each group, of its keys and aggregates. Without keys: one row, also over no rows.

    An aggregate is a call of an aggregate function, or an `exp.Filter` around one. `sets` are grouping sets, each the
    names of some keys; the others are NULL in its rows. `grouping_id()` then is the set's number, as Spark counts.
    """

    keys: tuple[Named, ...]
    aggregates: tuple[Named, ...]
    sets: tuple[tuple[str, ...], ...] | None = None

    def __post_init__(self) -> None:
        self._require_distinct(self.names)
        self._require((named.expr for named in (*self.keys, *self.aggregates)), self.input.names)
        unknown = {name for names in self.sets or () for name in names} - {key.name for key in self.keys}
        if unknown:
            raise BadPlan(f"Grouping sets name {sorted(unknown)}, which are no keys.")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(named.name for named in (*self.keys, *self.aggregates))

    @cached_property
    def schema(self) -> Schema:
        described = [_described(named, self.input.schema) for named in (*self.keys, *self.aggregates)]
        always = {name for name in self.names if all(name in names for names in self.sets or ())}
        return tuple(c if c.name in always else Column(name=c.name, type=c.type) for c in described)


@dataclass(frozen=True)
class Distinct(Unary):
    """SELECT DISTINCT."""


@dataclass(frozen=True)
class Union(Plan):
    """UNION ALL: columns by position, names as in the first."""

    parts: tuple[Plan, ...]

    def __post_init__(self) -> None:
        if len({len(part.names) for part in self.parts}) != 1:
            raise BadPlan(f"UNION of {[len(part.names) for part in self.parts]} columns.")

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return self.parts

    def with_inputs(self, *inputs: Plan) -> Union:
        return Union(inputs)

    @cached_property
    def schema(self) -> Schema:
        return tuple(_merged(columns) for columns in zip(*(part.schema for part in self.parts), strict=True))


class SetKind(StrEnum):
    INTERSECT = "intersect"
    EXCEPT = "except"


@dataclass(frozen=True)
class SetOperation(Plan):
    """INTERSECT or EXCEPT; with `all`, rows count as often as they occur."""

    left: Plan
    right: Plan
    kind: SetKind
    all: bool = False

    def __post_init__(self) -> None:
        if len(self.left.names) != len(self.right.names):
            raise BadPlan(f"{self.kind.upper()} of {len(self.left.names)} and {len(self.right.names)} columns.")

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return (self.left, self.right)

    def with_inputs(self, *inputs: Plan) -> SetOperation:
        return replace(self, left=inputs[0], right=inputs[1])

    @cached_property
    def schema(self) -> Schema:
        return tuple(_merged(columns) for columns in zip(self.left.schema, self.right.schema, strict=True))


@dataclass(frozen=True)
class Window(Unary):
    """The input's columns and one for each window function, an `exp.Window`."""

    functions: tuple[Named, ...]

    def __post_init__(self) -> None:
        self._require_distinct(self.names)
        self._require((function.expr for function in self.functions), self.input.names)
        if not all(isinstance(function.expr, exp.Window) for function in self.functions):
            raise BadPlan("A window function has an OVER clause.")

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.input.names, *(function.name for function in self.functions))

    @cached_property
    def schema(self) -> Schema:
        return (*self.input.schema, *(_described(function, self.input.schema) for function in self.functions))


@dataclass(frozen=True)
class Sort(Unary):
    """ORDER BY."""

    keys: tuple[exp.Ordered, ...]

    def __post_init__(self) -> None:
        self._require(self.keys, self.input.names)


@dataclass(frozen=True)
class Limit(Unary):
    """LIMIT and OFFSET, in the order of the input if it has one (`order_of`); no count: all that follow."""

    count: int | None
    offset: int = 0

    def __post_init__(self) -> None:
        if (self.count or 0) < 0 or self.offset < 0:
            raise BadPlan("LIMIT and OFFSET are not negative.")


@dataclass(frozen=True)
class Generate(Unary):
    """LATERAL VIEW: the input's columns with those of each row that the generator makes of them.

    `outer` keeps rows of which nothing is made, with NULL.
    """

    generator: Expr
    columns: tuple[str, ...]
    outer: bool = False

    def __post_init__(self) -> None:
        self._require_distinct(self.names)
        self._require([self.generator], self.input.names)

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.input.names, *self.columns)

    @cached_property
    def schema(self) -> Schema:
        made = generated_columns(self.generator, self.columns, self.input.schema)
        return (*self.input.schema, *(_optional(made) if self.outer else made))


@dataclass(frozen=True)
class Opaque(Plan):
    """A query that can't be taken apart: text for Spark, over inputs by the names that the text gives them."""

    text: str
    tables: tuple[tuple[str, Plan], ...]
    columns: Schema = field(default=())

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return tuple(plan for _, plan in self.tables)

    def with_inputs(self, *inputs: Plan) -> Opaque:
        names = (name for name, _ in self.tables)
        return replace(self, tables=tuple(zip(names, inputs, strict=True)))

    @cached_property
    def schema(self) -> Schema:
        return self.columns


def order_of(plan: Plan) -> Sort | None:
    """The `Sort` in whose order the rows come, if in any; as on Spark, these operators keep it."""
    while isinstance(plan, Project | Filter | Generate | Limit):
        plan = plan.input
    return plan if isinstance(plan, Sort) else None


def _described(named: Named, schema: Schema) -> Column:
    kind, nullable = type_of(named.expr, schema)
    return Column(name=named.name, type=kind, nullable=nullable)


def _optional(columns: Schema) -> Schema:
    return tuple(Column(name=column.name, type=column.type) for column in columns)


def _merged(columns: tuple[Column, ...]) -> Column:
    kinds, nullable = [column.type for column in columns], any(column.nullable for column in columns)
    return Column(name=columns[0].name, type=common_type(kinds), nullable=nullable)
