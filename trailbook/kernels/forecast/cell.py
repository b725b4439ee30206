"""The forecast of one cell."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from trailbook.kernels.forecast.calls import functions_of, with_calls
from trailbook.kernels.forecast.effects import OPAQUE, Effects, Forecast, Names, Statement, StatementEdge
from trailbook.kernels.forecast.known import BUILTINS
from trailbook.kernels.forecast.record import Findings, Record, State, narrow
from trailbook.kernels.forecast.statements import Statements
from trailbook.kernels.syntax import parsed

LONGEST = 100_000
"""Characters of code that are looked into."""
MOST_REMEMBERED = 1000
"""Codes whose forecasts are kept: each time a cell ends, all cells of its notebook are looked at."""
MOST_EDGES = 100_000
"""Edges between statements that are told of, so that odd code can't fill the memory."""


@lru_cache(maxsize=MOST_REMEMBERED)
def forecast(code: str) -> Forecast:
    """What the code may do with global names. Code that can't be looked into may do anything.

    >>> sorted(forecast("if late: x = 1\\nprint(x)").reads)
    ['late', 'x']
    """
    if len(code) > LONGEST:
        return OPAQUE
    try:
        return _forecast(parsed(code))
    # The parser's own words for code that nests too deep are MemoryError and RecursionError.
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return OPAQUE


def _forecast(tree: ast.Module) -> Forecast:
    findings = Findings()
    walks = [_walk(statement, findings) for statement in tree.body]
    functions = functions_of(findings)
    told = [with_calls(record, functions) for record, _state in walks]
    ends = [state for _record, state in walks]
    bound: set[str] = set()
    bound_before: dict[str, Names] = {}
    reached = []
    for (effects, own), end in zip(told, ends, strict=True):
        for name in own.keys() - bound:
            narrow(bound_before, name, bound, own[name])
        bound -= effects.deletes
        bound |= end.bound
        reached.append(effects)
        if not end.reachable:
            break
    whole = Effects.of_all(reached)
    statements = tuple(_statement(node, effects) for node, (effects, _own) in zip(tree.body, told, strict=True))
    found = Forecast(
        surely_writes=frozenset(bound),
        functions=functions,
        carries=frozenset(each for each in findings.carries if each.source.name not in BUILTINS),
        modules=findings.modules,
        statements=statements,
        edges=frozenset(islice(_edges(statements, ends), MOST_EDGES)),
        bound_before=bound_before,
    )
    return replace(
        found | whole,
        reads=frozenset(bound_before.keys() - BUILTINS),
        builtins_read=frozenset(bound_before.keys() & BUILTINS),
        touches=whole.touches - findings.whole_modules,
    )


def _walk(statement: ast.stmt, findings: Findings) -> tuple[Record, State]:
    walker = Statements(findings, Record())
    walker.visit(statement)
    return walker.record, walker.state


def _statement(node: ast.stmt, effects: Effects) -> Statement:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    first_line = min([node.lineno, *(each.lineno for each in decorators)])
    return Statement(first_line=first_line, last_line=node.end_lineno or node.lineno) | effects


def _edges(statements: Sequence[Statement], ends: Sequence[State]) -> Iterator[StatementEdge]:
    """To each statement that reads a name from all whose change of it may be the last before.

    One that both reads and changes it, like `xs.append(1)`, stands for those before.
    """
    writers: defaultdict[str, list[int]] = defaultdict(list)
    for index, (statement, end) in enumerate(zip(statements, ends, strict=True)):
        for name in statement.looks_up:
            yield from (StatementEdge(writer, index, name) for writer in writers[name])
        for name in statement.changes:
            if name in end.bound or name in statement.looks_up:
                writers[name].clear()
            writers[name].append(index)
