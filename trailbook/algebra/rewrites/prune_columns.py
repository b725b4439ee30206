"""Without the columns that nobody reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from trailbook.algebra.expressions import Expr, names_in, ref
from trailbook.algebra.plan import (
    Aggregate,
    Existence,
    Filter,
    Generate,
    Join,
    Limit,
    Named,
    Plan,
    Project,
    Scan,
    Sort,
    Union,
    Window,
)
from trailbook.algebra.traversal import bottom_up

Names = frozenset[str]


def prune_columns(plan: Plan) -> Plan:
    """The plan with the same result; a row's identity, where it rests on the whole row, must be there already."""
    read: defaultdict[int, Names] = defaultdict(frozenset)
    read[id(plan)] = frozenset(plan.names)
    operators = bottom_up(plan)
    for node in reversed(operators):
        for child, names in zip(node.inputs, _read_by(node, read[id(node)]), strict=True):
            read[id(child)] |= names & frozenset(child.names)
    pruned: dict[int, Plan] = {}
    for node in operators:
        wanted = _read_by(node, read[id(node)])
        # A table that is read twice is read twice, each time for itself.
        inputs = (
            _narrowed(child, names, node) if isinstance(child, Scan) else pruned[id(child)]
            for child, names in zip(node.inputs, wanted, strict=True)
        )
        pruned[id(node)] = _pruned(node, tuple(inputs), read[id(node)])
    return _exactly(pruned[id(plan)], plan.names)


def _narrowed(scan: Scan, wanted: Names, reader: Plan) -> Plan:
    """What is read of a table. The scan stays whole: where its columns lie in the table may matter to others."""
    if isinstance(reader, Project) or not wanted or wanted >= set(scan.names):
        return scan
    return Project(scan, tuple(Named(name, ref(name)) for name in scan.names if name in wanted))


def _read_by(node: Plan, wanted: Names) -> list[Names]:
    """What the operator reads of each input, if these of its columns are wanted."""
    match node:
        case Project(columns=columns):
            return [_names(column.expr for column in columns if column.name in wanted)]
        case Filter(condition=condition):
            return [wanted | names_in(condition)]
        case Sort(keys=keys):
            return [wanted | _names(keys)]
        case Limit():
            return [wanted]
        case Aggregate(keys=keys, aggregates=aggregates):
            return [_names(named.expr for named in (*keys, *(a for a in aggregates if a.name in wanted)))]
        case Window(functions=functions):
            return [wanted | _names(function.expr for function in functions if function.name in wanted)]
        case Generate(generator=generator):
            return [wanted | names_in(generator)]
        case Join(condition=condition) | Existence(condition=condition):
            both_sides = wanted | (names_in(condition) if condition is not None else frozenset())
            return [both_sides, both_sides]
        case Union(parts=parts):
            positions = [position for position, name in enumerate(node.names) if name in wanted]
            return [frozenset(part.names[position] for position in positions) for part in parts]
        case _:
            return [frozenset(child.names) for child in node.inputs]


def _pruned(node: Plan, inputs: tuple[Plan, ...], wanted: Names) -> Plan:
    match node:
        case Project():
            return Project(inputs[0], _those(node.columns, wanted))
        case Aggregate():
            return replace(node, input=inputs[0], aggregates=_those(node.aggregates, wanted))
        case Window():
            functions = _those(node.functions, wanted)
            return Window(inputs[0], functions) if functions else inputs[0]
        case Existence() if node.name not in wanted:
            return inputs[0]
        case Union():
            positions = [position for position, name in enumerate(node.names) if name in wanted]
            kept = zip(inputs, node.parts, strict=True)
            return Union(tuple(_exactly(new, [old.names[position] for position in positions]) for new, old in kept))
        case _:
            return node.with_inputs(*inputs)


def _those(columns: Iterable[Named], wanted: Names) -> tuple[Named, ...]:
    return tuple(column for column in columns if column.name in wanted)


def _exactly(plan: Plan, names: Iterable[str]) -> Plan:
    """The plan with these columns, in this order."""
    names = tuple(names)
    return plan if plan.names == names else Project(plan, tuple(Named(name, ref(name)) for name in names))


def _names(exprs: Iterable[Expr]) -> Names:
    return frozenset().union(*map(names_in, exprs))
