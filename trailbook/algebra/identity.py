"""Who a row is: a hidden column that names each row of a result, and names it the same when other rows come or go.

A row of a table is named by the table, in its column `__row`, or else by its content and which of its equals it is.
Rows of a join are named by the rows they are made of, groups by their keys, rows of DISTINCT by their content.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from sqlglot import exp

from trailbook.algebra.expressions import Expr, call, is_null, number, ref, text, when
from trailbook.algebra.plan import (
    Aggregate,
    Distinct,
    Existence,
    Filter,
    Generate,
    Join,
    JoinKind,
    Limit,
    Named,
    Opaque,
    Plan,
    Project,
    Range,
    Scan,
    Schema,
    SetOperation,
    Sort,
    Union,
    Values,
    Window,
)
from trailbook.algebra.traversal import bottom_up
from trailbook.algebra.types import UNKNOWN
from trailbook.model.artifacts import Column

ROW = "__row"
"""The hidden column."""

_LEFT, _RIGHT, _POSITION, _CONTENT, _GROUPING = "__left", "__right", "__position", "__content", "__grouping"
_NOBODY = text("none")
"""In place of the side that an outer join found no row of."""
_WITH_PARTS = ("array", "map", "struct", "variant", UNKNOWN)


def with_identity(plan: Plan, stored: Collection[str] = ()) -> Plan:
    """The plan with one more column, `__row`; the tables `stored` have one already.

    To be asked for before columns are pruned: content is all columns.
    """
    wanted = {id(plan)}
    operators = bottom_up(plan)
    for node in reversed(operators):
        if id(node) in wanted:
            wanted |= {id(child) for child in _named_by(node)}
    made: dict[int, Plan] = {}
    for node in operators:
        if id(node) in wanted:
            inputs = tuple(made.get(id(child), child) for child in node.inputs)
            made[id(node)] = _scanned(node, stored) if isinstance(node, Scan) else _identified(node, inputs)
    return _arranged(made[id(plan)], plan.names)


def _named_by(node: Plan) -> tuple[Plan, ...]:
    """The inputs whose rows' names make up those of the operator's rows."""
    match node:
        case Join(kind=JoinKind.SEMI | JoinKind.ANTI) | Existence():
            return (node.left,)
        case Aggregate() | Distinct() | SetOperation() | Opaque():
            return ()
        case _:
            return node.inputs


def _scanned(node: Scan, stored: Collection[str]) -> Plan:
    if ROW in node.names:
        return node
    if node.table in stored:
        return replace(node, columns=(*node.columns, Column(name=ROW, type="string", nullable=False)))
    return _by_content(node, distinct=False)


def _identified(node: Plan, inputs: tuple[Plan, ...]) -> Plan:
    match node:
        case Values() | Opaque() | SetOperation(all=True):
            return _by_content(node, distinct=False)
        case Distinct() | SetOperation() | Range():
            return _by_content(node, distinct=True)
        case Project():
            return Project(inputs[0], (*(c for c in node.columns if c.name != ROW), Named(ROW, ref(ROW))))
        case Filter() | Sort() | Limit() | Window() | Existence() | Join(kind=JoinKind.SEMI | JoinKind.ANTI):
            return node.with_inputs(*inputs)
        case Join():
            return _joined(node, inputs)
        case Union():
            named = zip(inputs, node.parts, strict=True)
            return Union(tuple(_arranged(new, old.names, number(side)) for side, (new, old) in enumerate(named)))
        case Aggregate():
            return _grouped(node)
        case Generate():
            return _generated(node, inputs[0])
        case _:
            raise TypeError(f"Rows of {type(node).__name__} have no identity.")


def fingerprint(*parts: Expr) -> Expr:
    """128 bits of some values that are not NULL, as text."""
    # Each hash starts from another seed, which is what the hash of the column before it is to the next one.
    return call("concat_ws", text("-"), *(call("hex", call("xxhash64", number(seed), *parts)) for seed in (1, 2)))


def _arranged(plan: Plan, names: Sequence[str], *tags: Expr) -> Plan:
    """The columns in order, and who the row is last, told apart by the tags."""
    row = fingerprint(*tags, ref(ROW)) if tags else ref(ROW)
    return Project(plan, (*(Named(name, ref(name)) for name in names if name != ROW), Named(ROW, row)))


def _by_content(node: Plan, distinct: bool) -> Plan:
    """Rows named by their values; unless those are distinct, also by their number among their equals."""
    content = fingerprint(*_values(node.schema))
    if distinct:
        return Project(node, (*_kept(node.names), Named(ROW, content)))
    with_content = Project(node, (*_kept(node.names), Named(_CONTENT, content)))
    occurrence = exp.Window(
        this=call("row_number"),
        partition_by=[ref(_CONTENT)],
        order=exp.Order(expressions=[exp.Ordered(this=ref(_CONTENT), nulls_first=True)]),
        over="OVER",
    )
    counted = Window(with_content, (Named(_POSITION, occurrence),))
    return Project(counted, (*_kept(node.names), Named(ROW, fingerprint(ref(_CONTENT), ref(_POSITION)))))


def _values(schema: Schema) -> list[Expr]:
    """The types, and for each column whether it is NULL and its value: the hash alone passes over NULL."""
    parts: list[Expr] = [text(",".join(column.type for column in schema))]
    for column in schema:
        if column.nullable:
            parts.append(when((is_null(ref(column.name)), number(1)), otherwise=number(0)))
        parts.append(_hashable(column))
    return parts


def _hashable(column: Column) -> Expr:
    if not column.type.startswith(_WITH_PARTS):
        return ref(column.name)
    # NULLs within it would be passed over as well.
    return call("to_json", call("named_struct", text("value"), ref(column.name)))


def _joined(node: Join, inputs: tuple[Plan, ...]) -> Plan:
    left, right = (
        Project(side, (*_kept(old.names), Named(name, ref(ROW))))
        for side, old, name in zip(inputs, node.inputs, (_LEFT, _RIGHT), strict=True)
    )
    sides = [call("coalesce", ref(name), _NOBODY) for name in (_LEFT, _RIGHT)]
    joined = Join(left, right, node.kind, node.condition)
    return Project(joined, (*_kept((*node.left.names, *node.right.names)), Named(ROW, fingerprint(*sides))))


def _grouped(node: Aggregate) -> Plan:
    keys = [column for column in node.schema if column.name in {key.name for key in node.keys}]
    if node.sets is None:
        return Project(node, (*_kept(node.names), Named(ROW, fingerprint(text("group"), *_values(tuple(keys))))))
    counted = replace(node, aggregates=(*node.aggregates, Named(_GROUPING, call("grouping_id"))))
    sets = [frozenset(names) for names in node.sets]
    if len(set(sets)) == len(sets):
        row = fingerprint(text("group"), ref(_GROUPING), *_values(tuple(keys)))
        return Project(counted, (*_kept(node.names), Named(ROW, row)))
    return _by_content(counted, distinct=False)


def _generated(node: Generate, below: Plan) -> Plan:
    name = node.generator.name.lower()
    if name in ("posexplode", "posexplode_outer"):
        numbered, position = replace(node, input=below), node.columns[0]
    elif name in ("explode", "explode_outer"):
        generator = call(f"pos{name}", *node.generator.expressions)
        numbered = Generate(below, generator, (_POSITION, *node.columns), node.outer)
        position = _POSITION
    else:
        return _by_content(replace(node, input=below), distinct=False)
    row = fingerprint(ref(ROW), call("coalesce", ref(position), number(-1)))
    return Project(numbered, (*_kept(node.names), Named(ROW, row)))


def _kept(names: Sequence[str]) -> tuple[Named, ...]:
    return tuple(Named(name, ref(name)) for name in names if name != ROW)
