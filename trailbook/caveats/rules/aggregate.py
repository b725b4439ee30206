"""Groups: what a member that may be absent, of another value or in another group means for the group's row."""

from __future__ import annotations

from collections.abc import Sequence
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
    is_true,
    negated,
    number,
    ref,
    substitute,
    when,
)
from trailbook.algebra.forms import aggregated
from trailbook.algebra.functions import lookup
from trailbook.algebra.plan import Aggregate, Generate, Named, Plan, Window
from trailbook.caveats.bits import any_mark
from trailbook.caveats.calls import accepted
from trailbook.caveats.dependencies import determined
from trailbook.caveats.inherent import function_of
from trailbook.caveats.marks import function_name
from trailbook.caveats.rules.flags import GroupFlags
from trailbook.caveats.rules.rows import holds
from trailbook.caveats.slots import Fresh, Slots, project, settle

KEEPS_NULLS = frozenset(
    {"first", "first_value", "last", "last_value", "nth_value", "any_value", "only", "grouping", "grouping_id"}
    | {"approx_top_k", "approx_top_k_accumulate"}
)
"""Aggregates for which a NULL counts."""


@dataclass(frozen=True)
class _Call:
    """An aggregate over columns of the input: `function(arguments) FILTER (WHERE condition)`."""

    name: str
    call: Expr
    arguments: tuple[str, ...]
    condition: str | None
    skips_null: bool
    """Whether there may be NULLs among the arguments, which then have no say."""

    @property
    def function(self) -> str:
        return function_name(function_of(self.call))

    def run(self, present: Expr) -> Expr:
        """The aggregate over rows of the data."""
        wanted = both(present, ref(self.condition) if self.condition else TRUE)
        return only_where(self.call, wanted)


def group(slots: Slots, operator: Aggregate, fresh: Fresh) -> Slots:
    """GROUP BY."""
    slots, calls = _inputs(slots, operator, fresh)
    keys = tuple(key.name for key in operator.keys)
    if slots.is_clean and all(_is_deterministic(item) for item in calls):
        plan = Aggregate(slots.plan, _same(keys), tuple(Named(c.name, c.run(TRUE)) for c in calls))
        return Slots(plan, operator.names, keys=(frozenset(keys),) if keys else ())
    return _Grouping(slots, keys, calls, fresh).result()


def only_where(aggregate: Expr, condition: Expr) -> Expr:
    """The aggregate over rows for which the condition holds."""
    if is_true(condition):
        return aggregate
    match aggregate.args.get("expressions"):
        case [exp.Distinct(expressions=[first, *others])] if skips_null(aggregate):
            # Next to a FILTER of distinct values, Spark fails on listagg with an order of its own.
            chosen = exp.Case(ifs=[exp.If(this=condition, true=first)])
            return call(aggregate.name, exp.Distinct(expressions=[chosen, *others]))
    return exp.Filter(this=aggregate, expression=exp.Where(this=condition))


def skips_null(aggregate: Expr) -> bool:
    """Whether rows where its argument is NULL have no say."""
    name = function_name(function_of(aggregate))
    return name not in KEEPS_NULLS and lookup(name) is not None and aggregate.find(exp.RespectNulls) is None


def _same(names: Sequence[str]) -> tuple[Named, ...]:
    return tuple(Named(name, ref(name)) for name in names)


def _is_deterministic(item: _Call) -> bool:
    function = lookup(item.function)
    if item.function == "only" or accepted(function_of(item.call)):
        return True
    return function is not None and function.deterministic and not function.order_dependent


def _inputs(slots: Slots, operator: Aggregate, fresh: Fresh) -> tuple[Slots, list[_Call]]:
    """The keys, arguments and conditions as columns."""
    columns = {key.name: key.expr for key in operator.keys}
    calls: list[_Call] = []
    for named in operator.aggregates:
        inner, condition = named.expr, None
        if isinstance(inner, exp.Filter):
            condition = fresh("f")
            columns[condition] = inner.expression.this
            inner = inner.this
        arguments: list[str] = []
        inner = _columns_for(inner, columns, arguments, fresh)
        skips = len(arguments) == 1 and skips_null(inner)
        skips = skips and slots.marker.nullable(columns[arguments[0]])
        calls.append(_Call(named.name, inner, tuple(arguments), condition, skips))
    return project(slots, [Named(name, expr) for name, expr in columns.items()], fresh), calls


def _columns_for(call_: Expr, columns: dict[str, Expr], arguments: list[str], fresh: Fresh) -> Expr:
    """The call with each argument that is no constant replaced by a column that holds it."""
    copy = call_.copy()
    for item in aggregated(copy):
        if isinstance(item, exp.Star) or not list(item.find_all(exp.Column)):
            continue
        known = next((name for name, expr in columns.items() if expr == item), None)
        name = known or fresh("a")
        columns[name] = item.copy()
        item.replace(ref(name))
        if name not in arguments:
            arguments.append(name)
    return copy


class _Grouping:
    """One GROUP BY over slots in doubt.

    A member whose key is in doubt is a stray: it could be in any group that agrees with it on the keys that are
    certain in all rows, or in one of its own; unless the certain keys determine the others.
    """

    def __init__(self, slots: Slots, keys: tuple[str, ...], calls: list[_Call], fresh: Fresh) -> None:
        self.slots, self.keys, self.calls, self.fresh = slots, keys, calls, fresh
        self.certain_keys = frozenset(key for key in keys if is_false(slots.mark(key)))
        loose = frozenset(keys) - determined(self.certain_keys, slots.determined)
        self.stray = slots.any_mark(keys) if loose else FALSE
        self.flags = GroupFlags(fresh, may_be_empty=not keys)
        self.bounds: list[Named] = []
        self.strays, self.alone = fresh("n"), fresh("n")

    def result(self) -> Slots:
        if not self.keys:
            return self._one_row()
        some, slots = self.flags.some, self.slots
        certain = some(both(slots.sure, negated(self.stray)))
        certain_key = some(negated(self.stray))
        if not is_false(self.stray):
            # Wherever a sure stray goes, without another group nearby it is this one, whose key is marked then.
            alone = exp.EQ(this=ref(self.alone), expression=number(1))
            certain = any_mark(certain, both(alone, negated(certain_key), some(slots.sure)))
        present = some(slots.present)
        drifts = {item.name: some(both(self.stray, self._has_a_say(item))) for item in self.calls}
        moving = {key: some(slots.mark(key)) for key in self.keys}
        marks = moving if is_false(self.stray) else {k: both(negated(certain_key), m) for k, m in moving.items()}
        marks = marks | {item.name: self._mark(item) for item in self.calls}
        plan, nearby = self._plan()
        for name, drift in drifts.items():
            marks[name] = any_mark(marks[name], substitute(drift, nearby))
        names = (*self.keys, *(item.name for item in self.calls))
        marks = {name: mark for name, mark in marks.items() if not is_false(mark)}
        groups = Slots(plan, names, marks, negated(certain), present, keys=(self.certain_keys,))
        return groups if is_false(self.stray) else self._with_strays(groups, certain_key, moving)

    def _one_row(self) -> Slots:
        """Without keys there is one row in every world."""
        marks = {item.name: self._mark(item) for item in self.calls}
        marks = {name: mark for name, mark in marks.items() if not is_false(mark)}
        return Slots(self._plan()[0], tuple(item.name for item in self.calls), marks)

    def _plan(self) -> tuple[Plan, dict[str, Expr]]:
        """The groups with their flags, and how to read the flags of all groups that a stray could be in."""
        slots = self.slots
        aggregates = [Named(item.name, item.run(slots.present)) for item in self.calls]
        aggregates += [*self.bounds, *self.flags.aggregates()]
        if is_false(self.stray):
            return Aggregate(slots.plan, _same(self.keys), tuple(aggregates)), {}
        weight = when((self.stray, when((slots.open, number(2)), otherwise=number(1))), otherwise=number(0))
        aggregates.append(Named(self.strays, call("sum", weight)))
        groups = Aggregate(slots.plan, _same(self.keys), tuple(aggregates))
        fixed = [ref(key) for key in self.keys if is_false(slots.mark(key))]
        near = {word: self.fresh() for word in self.flags.words}
        ored = [
            Named(name, exp.Window(this=call("bit_or", ref(word)), partition_by=fixed)) for word, name in near.items()
        ]
        ored.append(Named(self.alone, exp.Window(this=call("count", exp.Star()), partition_by=fixed)))
        return Window(groups, tuple(ored)), {word: ref(name) for word, name in near.items()}

    def _with_strays(self, groups: Slots, certain_key: Expr, moving: dict[str, Expr]) -> Slots:
        """Open phantoms for groups that strays could make; a group of nothing but strays is one of these itself."""
        count, copy = ref(self.strays), self.fresh("i")
        more = any_mark(
            both(certain_key, exp.GTE(this=count, expression=number(1))), exp.GTE(this=count, expression=number(2))
        )
        copies = when((more, call("array", number(0), number(1))), otherwise=call("array", number(0)))
        extra = exp.EQ(this=ref(copy), expression=number(1))
        marks = {key: when((extra, moving[key]), otherwise=groups.mark(key)) for key in self.keys}
        marks |= {item.name: any_mark(extra, groups.mark(item.name)) for item in self.calls}
        slots = replace(
            groups,
            plan=Generate(groups.plan, call("explode", copies), (copy,)),
            marks={name: mark for name, mark in marks.items() if not is_false(mark)},
            present=both(groups.present, negated(extra)),
            open=extra,
            keys=(),
        )
        return settle(slots, self.fresh)

    def _has_a_say(self, item: _Call) -> Expr:
        """Whether the member contributes in some world; a certain NULL does not."""
        slots = self.slots
        chosen: Expr = TRUE
        if item.condition:
            chosen = any_mark(slots.mark(item.condition), holds(ref(item.condition)))
        if not item.skips_null:
            return chosen
        argument = ref(item.arguments[0])
        return both(chosen, any_mark(slots.mark(argument.name), negated(is_null(argument))))

    def _may_be_absent(self, item: _Call) -> Expr:
        """Whether the member may have no part in the group's value."""
        chosen = self.slots.mark(item.condition) if item.condition else FALSE
        return any_mark(self.slots.doubt, negated(self.slots.present), self.stray, chosen)

    def _mark(self, item: _Call) -> Expr:
        """Whether the group's value can differ, strays from other groups aside."""
        if not _is_deterministic(item):
            return TRUE
        absent, marked = self._may_be_absent(item), self.slots.any_mark(item.arguments)
        if item.function not in ("min", "max") or is_false(absent):
            return self.flags.some(both(any_mark(absent, marked), self._has_a_say(item)))
        # A member that may be absent matters only if it lies beyond all those that are settled.
        possible = both(self._has_a_say(item), negated(marked))
        bounds = [self.fresh("b"), self.fresh("b")]
        for name, condition in zip(bounds, (both(possible, negated(absent)), possible), strict=True):
            self.bounds.append(Named(name, only_where(item.call, condition)))
        beyond = negated(exp.NullSafeEQ(this=ref(bounds[0]), expression=ref(bounds[1])))
        return any_mark(self.flags.some(both(marked, self._has_a_say(item))), beyond)
