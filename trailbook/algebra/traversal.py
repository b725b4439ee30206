"""Walking plans of any depth: a chain of some hundred datasets is deeper than Python lets functions nest."""

from __future__ import annotations

from collections.abc import Callable

from trailbook.algebra.plan import Plan


def bottom_up(plan: Plan) -> list[Plan]:
    """Every operator once, also if it is used twice, after those it reads."""
    order: list[Plan] = []
    seen: set[int] = set()
    waiting = [(plan, False)]
    while waiting:
        node, ready = waiting.pop()
        if ready:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            waiting.append((node, True))
            waiting.extend((child, False) for child in reversed(node.inputs))
    return order


def transform(plan: Plan, change: Callable[[Plan], Plan]) -> Plan:
    """The plan with every operator as `change` wants it, from the bottom up. What is shared stays shared."""
    changed: dict[int, Plan] = {}
    for node in bottom_up(plan):
        inputs = [changed[id(child)] for child in node.inputs]
        same = all(new is old for new, old in zip(inputs, node.inputs, strict=True))
        changed[id(node)] = change(node if same else node.with_inputs(*inputs))
    return changed[id(plan)]
