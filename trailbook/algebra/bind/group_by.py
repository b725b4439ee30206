"""The GROUP BY clause: its keys and grouping sets."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product
from typing import TYPE_CHECKING

from sqlglot import exp

from trailbook.algebra.bind.grouping import Sets, has_aggregates
from trailbook.algebra.bind.ordering import ordinal
from trailbook.algebra.bind.relations import Relation, fresh
from trailbook.algebra.bind.scalars import unwrapped
from trailbook.algebra.dialect import ALONE
from trailbook.algebra.expressions import Expr
from trailbook.algebra.plan import Named

if TYPE_CHECKING:
    from trailbook.algebra.bind.select import SelectBlock
    from trailbook.algebra.bind.stages import Item

Set = tuple[Expr, ...]


class GroupBy:
    def __init__(self, block: SelectBlock, relation: Relation, items: list[Item], aliases: Mapping[str, Expr]) -> None:
        self._items = items
        self._scalars = block.scalars(relation, dict(aliases))
        self._keys: list[Named] = []

    def bind(self, group: exp.Group | None) -> tuple[list[Named], Sets]:
        if group is None:
            return [], None
        if group.args.get("all"):
            exprs = [item.expr for item in self._items if not has_aggregates(item.expr)]
            return [self._key(expr) for expr in dict.fromkeys(exprs)], None
        parts = self._parts(group)
        for part in parts:
            for expr in (expr for members in part for expr in members):
                self._key(expr)
        if all(len(part) == 1 for part in parts):
            return self._keys, None
        sets = [
            tuple(dict.fromkeys(self._key(e).name for members in choice for e in members)) for choice in product(*parts)
        ]
        return self._keys, tuple(sets)

    def _parts(self, group: exp.Group) -> list[list[Set]]:
        """Each part of the clause as its grouping sets; the clause means all combinations."""
        plain = [self._bound(node) for node in group.expressions if not isinstance(node, ANALYTICS)]
        if any(group.args.get(kind) and not group.args[kind][0].expressions for kind in ("rollup", "cube")):
            # GROUP BY a, b WITH ROLLUP
            make = _rollup if group.args.get("rollup") else _cube
            return [make([(expr,) for expr in plain])]
        alone = [node for node in group.args.get("grouping_sets") or [] if node.meta.get(ALONE)]
        if alone:
            # GROUP BY a, b GROUPING SETS (…): the sets are all, and the keys say in which order.
            for expr in plain:
                self._key(expr)
            return [self._sets(alone[0])]
        parts: list[list[Set]] = []
        for node in [*group.expressions, *(a for k in KINDS for a in group.args.get(k) or [])]:
            parts.append(self._sets(node) if isinstance(node, ANALYTICS) else [(self._bound(node),)])
        return parts

    def _sets(self, node: Expr) -> list[Set]:
        if isinstance(node, exp.GroupingSets):
            return [s for member in node.expressions for s in self._member_sets(member)]
        members = [self._members(member) for member in node.expressions]
        return _rollup(members) if isinstance(node, exp.Rollup) else _cube(members)

    def _member_sets(self, node: Expr) -> list[Set]:
        return self._sets(node) if isinstance(node, ANALYTICS) else [self._members(node)]

    def _members(self, node: Expr) -> Set:
        node = unwrapped(node)
        return tuple(self._bound(e) for e in (node.expressions if isinstance(node, exp.Tuple) else [node]))

    def _bound(self, node: Expr) -> Expr:
        position = ordinal(unwrapped(node), len(self._items))
        return self._scalars.bind(node) if position is None else self._items[position].expr

    def _key(self, expr: Expr) -> Named:
        for key in self._keys:
            if key.expr == expr:
                return key
        given = next((item.name for item in self._items if item.expr == expr and item.is_alias), None)
        wanted = expr.name if isinstance(expr, exp.Column) else given or "key"
        self._keys.append(Named(fresh(wanted, [key.name for key in self._keys]), expr))
        return self._keys[-1]


ANALYTICS = (exp.GroupingSets, exp.Rollup, exp.Cube)
KINDS = ("grouping_sets", "rollup", "cube")


def _rollup(members: list[Set]) -> list[Set]:
    return [_flat(members[:count]) for count in range(len(members), -1, -1)]


def _cube(members: list[Set]) -> list[Set]:
    return [_flat(chosen) for count in range(len(members), -1, -1) for chosen in combinations(members, count)]


def _flat(sets: list[Set] | tuple[Set, ...]) -> Set:
    return tuple(expr for members in sets for expr in members)
