"""GROUP BY: which expressions are keys and aggregates, and what of the SELECT list stands above them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from trailbook.algebra.bind.problems import problem
from trailbook.algebra.bind.relations import fresh
from trailbook.algebra.expressions import Expr, call, number, ref
from trailbook.algebra.functions import FunctionKind, lookup
from trailbook.algebra.plan import Aggregate, Named, Plan

Sets = tuple[tuple[str, ...], ...] | None


AROUND = (exp.Filter, exp.WithinGroup, exp.IgnoreNulls)
"""What may be written around the call of an aggregate or window function."""


def is_aggregate(node: Expr) -> bool:
    """Whether this is one aggregate: a call, with FILTER or WITHIN GROUP around it perhaps."""
    if isinstance(node, AROUND):
        return is_aggregate(node.this)
    return isinstance(node, exp.Anonymous) and is_kind(node.name, FunctionKind.AGGREGATE)


def is_kind(name: str, kind: FunctionKind) -> bool:
    function = lookup(name)
    return function is not None and function.kind is kind


def has_aggregates(expr: Expr) -> bool:
    """Whether it has aggregates other than those that an OVER clause makes window functions."""
    return _first_aggregate(expr) is not None


def _first_aggregate(expr: Expr) -> Expr | None:
    if is_aggregate(expr):
        return expr
    children = window_parts(expr) if isinstance(expr, exp.Window) else expr.iter_expressions()
    return next((found for child in children if (found := _first_aggregate(child))), None)


def window_parts(window: exp.Window) -> Iterator[Expr]:
    """What a window function is computed from: all below it but the function itself."""
    for child in window.iter_expressions():
        if child is window.this:
            yield from _function_parts(child)
        else:
            yield child


def _function_parts(function: Expr) -> Iterator[Expr]:
    for child in function.iter_expressions():
        if child is function.this and isinstance(function, AROUND):
            yield from _function_parts(child)
        else:
            yield child


def _called(aggregate: Expr) -> str:
    function = aggregate.find(exp.Anonymous)
    return function.name if function else "aggregate"


def top_down(expr: Expr, choose: Callable[[Expr], Expr | None]) -> Expr:
    """The expression with each node for which `choose` has another replaced by that."""
    chosen = choose(expr)
    if chosen is not None:
        return chosen.copy()
    return with_children(expr, lambda child: top_down(child, choose))


def with_children(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """The same node over changed ones."""

    def changed(value: object) -> object:
        if isinstance(value, list):
            return [changed(item) for item in value]
        return change(value) if isinstance(value, exp.Expr) else value

    return type(expr)(**{key: changed(value) for key, value in expr.args.items()})


@dataclass
class Grouping:
    """Collects the aggregates of a query while its expressions are lifted above them."""

    keys: list[Named]
    sets: Sets
    aliases: Mapping[str, Expr]
    """Of the SELECT list: what HAVING means by a name that is no key."""
    names: Mapping[Expr, str]
    """What to call an aggregate, where the SELECT list says that."""
    known: list[str]
    aggregates: list[Named] = field(default_factory=list)

    def plan(self, source: Plan) -> Plan:
        return Aggregate(source, tuple(self.keys), tuple(self.aggregates), self.sets)

    def lifted(self, expr: Expr) -> Expr:
        """The expression over the result of the aggregation."""
        return top_down(expr, self._chosen)

    def _chosen(self, node: Expr) -> Expr | None:
        for key in self.keys:
            if key.expr == node:
                return ref(key.name)
        if isinstance(node, exp.Window):
            return self._around(node)
        if isinstance(node, exp.Anonymous) and node.name in ("grouping", "grouping_id"):
            return self._grouping_bits(node)
        if is_aggregate(node):
            return self._aggregate(node)
        if isinstance(node, exp.Column):
            return self._ungrouped(node)
        return None

    def _around(self, node: Expr) -> Expr:
        """A window's own function is no aggregate of the groups, but is computed from them."""

        def change(child: Expr) -> Expr:
            is_function = child is node.this and isinstance(node, (exp.Window, *AROUND))
            return self._around(child) if is_function else self.lifted(child)

        return with_children(node, change)

    def _aggregate(self, node: Expr) -> Expr:
        for known in self.aggregates:
            if known.expr == node:
                return ref(known.name)
        for inner in filter(None, map(_first_aggregate, _function_parts(node))):
            raise problem(f"{_called(inner)} is inside another aggregate. Compute it in a subquery.", inner)
        wanted = self.names.get(node) or _called(node)
        name = fresh(wanted, [n.name for n in (*self.keys, *self.aggregates)])
        self.aggregates.append(Named(name, node))
        return ref(name)

    def _ungrouped(self, node: exp.Column) -> Expr:
        alias = self.aliases.get(node.name.lower())
        if alias is not None and alias != node:
            return self.lifted(alias)
        raise problem(
            f"{node.name} is neither in GROUP BY nor inside an aggregate such as sum() or any_value(). "
            f"Grouped by: {', '.join(self.known) or 'nothing'}.",
            node,
        )

    def _grouping_bits(self, node: exp.Anonymous) -> Expr:
        """grouping(a) is one bit of the number of the grouping set, whose highest is the first key's."""
        identity = self._aggregate(call("grouping_id"))
        if node.name == "grouping_id":
            # Spark takes no arguments but all keys, in their order.
            return identity
        place = len(self.keys) - 1 - self._position(node.expressions[0])
        bit = exp.BitwiseAnd(this=call("shiftright", identity, number(place)), expression=number(1))
        return exp.Cast(this=bit, to=exp.DataType.build("tinyint"))

    def _position(self, argument: Expr) -> int:
        for position, key in enumerate(self.keys):
            if key.expr == argument:
                return position
        raise problem(f"grouping() takes one of the keys: {', '.join(self.known)}.")
