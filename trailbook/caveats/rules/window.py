"""Window functions: a row's value rests on the rows of its partition, and on which rows those are."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from trailbook.algebra.expressions import (
    FALSE,
    TRUE,
    Expr,
    both,
    call,
    is_false,
    is_null,
    negated,
    number,
    ref,
    substitute,
)
from trailbook.algebra.forms import aggregated
from trailbook.algebra.functions import lookup
from trailbook.algebra.plan import Named, Window
from trailbook.algebra.types import type_of
from trailbook.caveats.bits import any_mark
from trailbook.caveats.calls import accepted
from trailbook.caveats.inherent import RANKS, function_of, goes_by_position, tells_ties_apart
from trailbook.caveats.marks import function_name
from trailbook.caveats.rules.aggregate import skips_null
from trailbook.caveats.slots import Fresh, Slots, computed, raises, settle

LOOK_BACK = frozenset({"rank", "dense_rank", "row_number"})
"""They rest on the rows before this one and those that tie with it."""


@dataclass(frozen=True)
class _Function:
    """A window function over columns of the input."""

    name: str
    over: exp.Window
    arguments: tuple[str, ...]
    partition: tuple[str, ...]
    order: tuple[str, ...]

    @property
    def called(self) -> str:
        return function_name(function_of(self.over))

    @property
    def is_accepted(self) -> bool:
        """Whether the order that it takes rows that tie in is acknowledged."""
        return bool(accepted(function_of(self.over)))

    @property
    def is_filtered(self) -> bool:
        return isinstance(self.over.this, exp.Filter)

    @property
    def looks_back_only(self) -> bool:
        """Whether rows that sort after this one and don't tie with it have no say."""
        if not self.order:
            return False
        if self.called in LOOK_BACK:
            return True
        if self.called in RANKS or goes_by_position(self.called):
            return False
        frame = self.over.args.get("spec")
        return frame is None or (
            frame.args.get("start") == "UNBOUNDED" and frame.args.get("end") in (None, "CURRENT ROW")
        )

    @property
    def tells_ties_apart(self) -> bool:
        return not self.is_accepted and tells_ties_apart(self.over)


def window(slots: Slots, operator: Window, fresh: Fresh) -> Slots:
    """Window functions, one after the other."""
    names = slots.columns
    for function in operator.functions:
        slots = _one(slots, function, fresh)
        names = (*names, function.name)
        slots = replace(slots, columns=names)
    return slots


def _one(slots: Slots, named: Named, fresh: Fresh) -> Slots:
    slots, function = _inputs(slots, named, fresh)
    partition: list[Expr] = [ref(name) for name in function.partition]
    over = function.over
    if slots.has_phantoms:
        over = over.copy()
        over.set("partition_by", [*partition, slots.present.copy()])
        if raises(over.this, slots.plan.schema):
            over.set("this", substitute(over.this, {name: _if_present(slots, name) for name in function.arguments}))
    plan = Window(slots.plan, (Named(function.name, over),))
    columns = (*slots.columns, function.name)
    return settle(_marked(replace(slots, plan=plan, columns=columns), function, fresh), fresh)


def _if_present(slots: Slots, name: str) -> Expr:
    return exp.Case(ifs=[exp.If(this=slots.present, true=ref(name))])


def _inputs(slots: Slots, named: Named, fresh: Fresh) -> tuple[Slots, _Function]:
    """Everything that the function looks at as columns."""
    over = named.expr.copy()
    assert isinstance(over, exp.Window)
    partition = list(over.args.get("partition_by") or [])
    ordered = list(over.args["order"].expressions) if over.args.get("order") else []
    arguments = [node for node in _arguments(over.this) if list(node.find_all(exp.Column))]
    wanted = [*partition, *(item.this for item in ordered), *arguments]
    slots, names = computed(slots, [item.copy() for item in wanted], fresh)
    for item, name in zip(wanted, names, strict=True):
        item.replace(ref(name))
    at, end = len(partition), len(partition) + len(ordered)
    return slots, _Function(named.name, over, tuple(names[end:]), tuple(names[:at]), tuple(names[at:end]))


def _arguments(inner: Expr) -> list[Expr]:
    if isinstance(inner, exp.Filter):
        return [*_arguments(inner.this), inner.expression.this]
    return aggregated(inner)


def _marked(slots: Slots, function: _Function, fresh: Fresh) -> Slots:
    known = lookup(function.called)
    unseen = known is None or not known.deterministic or (known.order_dependent and not function.order)
    if unseen and not function.is_accepted:
        return replace(slots, marks={**slots.marks, function.name: TRUE})
    own = slots.any_mark([*function.partition, *function.order])
    columns = slots.columns
    slots, others = _others(slots, function, fresh)
    slots, tied = _ties(slots, function, fresh)
    mark = any_mark(own, negated(slots.present), others, tied)
    slots = replace(slots, columns=columns)
    return slots if is_false(mark) else replace(slots, marks={**slots.marks, function.name: mark})


def _others(slots: Slots, function: _Function, fresh: Fresh) -> tuple[Slots, Expr]:
    """Whether another row, that could be in the partition, differs between worlds."""
    moves = slots.any_mark(function.order)
    stray = slots.any_mark(function.partition)
    unsettled = any_mark(slots.doubt, negated(slots.present), moves, slots.any_mark(function.arguments))
    if not function.order and len(function.arguments) == 1 and not function.is_filtered and skips_null(function.over):
        argument = ref(function.arguments[0])
        if type_of(argument, slots.plan.schema)[1]:
            # A certain NULL has no say in an aggregate.
            unsettled = both(unsettled, any_mark(slots.mark(argument.name), negated(is_null(argument))))
    partition: list[Expr] = [ref(name) for name in function.partition]
    fixed: list[Expr] = [ref(name) for name in function.partition if is_false(slots.mark(name))]
    looks: list[tuple[Expr, exp.Window]] = [(stray, exp.Window(this=call("bool_or", stray), partition_by=fixed))]
    if function.looks_back_only:
        order = function.over.args["order"]
        looks.append((unsettled, exp.Window(this=call("bool_or", unsettled), partition_by=partition, order=order)))
        looks.append((moves, exp.Window(this=call("bool_or", moves), partition_by=partition)))
    else:
        looks.append((unsettled, exp.Window(this=call("bool_or", unsettled), partition_by=partition)))
    wanted = [Named(fresh("w"), over) for flag, over in looks if not is_false(flag)]
    if not wanted:
        return slots, FALSE
    return replace(slots, plan=Window(slots.plan, tuple(wanted))), any_mark(*(ref(named.name) for named in wanted))


def _ties(slots: Slots, function: _Function, fresh: Fresh) -> tuple[Slots, Expr]:
    """Whether the answer rests on an order among rows that tie."""
    if not function.tells_ties_apart or set(slots.columns[:-1]) <= {*function.partition, *function.order}:
        # Rows that tie on everything are the same row twice.
        return slots, FALSE
    partition: list[Expr] = [ref(name) for name in function.partition]
    peers = exp.Window(this=call("count", exp.Star()), partition_by=partition)
    if function.order:
        peers.set("order", function.over.args["order"].copy())
        peers.set("spec", exp.WindowSpec(kind="RANGE", start="CURRENT ROW", end="CURRENT ROW"))
    name, every = fresh("t"), fresh("t")
    several = exp.GT(this=ref(name), expression=number(1))
    tied = replace(slots, plan=Window(slots.plan, (Named(name, peers),)))
    if function.looks_back_only:
        return tied, several
    anywhere = exp.Window(this=call("bool_or", several), partition_by=partition)
    return replace(tied, plan=Window(tied.plan, (Named(every, anywhere),))), ref(every)
