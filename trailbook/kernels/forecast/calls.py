"""Follows calls: what functions do together with those they call."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from trailbook.kernels.forecast.effects import Carry, Effects, Names, OnCall, Source
from trailbook.kernels.forecast.record import Findings, Record, narrow


def functions_of(findings: Findings) -> dict[str, OnCall]:
    """Each name that may hold functions of the cell, with what these do and all that they call in the cell."""
    held = {name: record.on_call() for name, record in findings.functions.items()}
    affected: defaultdict[str, set[str]] = defaultdict(set)
    sources: defaultdict[str, list[Source]] = defaultdict(list)
    for name, record in findings.functions.items():
        for other in (*record.runs, *(source.name for source in held[name].returns)):
            affected[other].add(name)
    for target, source in findings.carries:
        affected[source.name].add(target)
        sources[target].append(source)
    left = dict.fromkeys([*held, *(name for target in list(held) for name in affected[target])])
    while left:
        name, _ = left.popitem()
        before = held.get(name)
        after = _once_more(before or OnCall(), findings.functions.get(name, Record()), sources[name], held)
        if after != (before or OnCall()):
            held[name] = after
            left.update(dict.fromkeys(affected[name]))
    return held


def _once_more(own: OnCall, record: Record, sources: Iterable[Source], held: Mapping[str, OnCall]) -> OnCall:
    """What a name's functions do, by what is known so far of those they call and those it holds as well."""
    called = [without(held[name], bound) for name, bound in record.runs.items() if name in held]
    kept = [held[source.name] for source in sources if hands(source, held)]
    everything = Effects.of_all([own, *called, *kept])
    hands_on = own.hands_on or any(each.hands_on for each in kept) or any(hands(each, held) for each in own.returns)
    return replace(own | everything, hands_on=hands_on, returns=own.returns.union(*(each.returns for each in kept)))


def hands(source: Source, held: Mapping[str, OnCall]) -> bool:
    """Whether functions come from a source."""
    return source.name in held and (not source.called or held[source.name].hands_on)


def held_together(one: OnCall, other: OnCall) -> OnCall:
    """What functions do that a name may both hold."""
    return replace(one | other, hands_on=one.hands_on or other.hands_on, returns=one.returns | other.returns)


def without(called: OnCall, bound: Names) -> OnCall:
    if bound.isdisjoint(called.looks_up):
        return called
    return replace(called, reads=called.reads - bound, builtins_read=called.builtins_read - bound)


def with_calls(record: Record, functions: Mapping[str, OnCall]) -> tuple[Effects, dict[str, Names]]:
    """What a statement does with all that it calls, and for each name it looks up what it has bound before."""
    parts: list[Effects] = [record.on_call()]
    bound_before = dict(record.reads)
    for name in record.runs.keys() & functions.keys():
        called = without(functions[name], record.runs[name])
        parts.append(called)
        for each in called.looks_up:
            narrow(bound_before, each, record.runs[name])
    return Effects.of_all(parts) if len(parts) > 1 else parts[0], bound_before


def carried(held: dict[str, OnCall], carries: Iterable[Carry], before: Mapping[str, OnCall]) -> None:
    """Add what names came to hold in a cell from functions of the cells above."""
    waiting, changed = list(carries), True
    while changed:
        changed = False
        for target, source in waiting:
            for functions in (before, held):
                if hands(source, functions):
                    old = held.get(target, OnCall())
                    held[target] = held_together(old, functions[source.name])
                    changed |= held[target] != old
