"""The frame of a window function, as Spark writes it into the name of a column."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from trailbook.algebra.expressions import Expr

ROWS_FRAMES = {"dense_rank", "ntile", "percent_rank", "rank", "row_number"}
RANGE_FRAMES = {"cume_dist"}


def frame(window: exp.Window, written: Callable[[Expr], str]) -> str:
    """The frame that is there, or that Spark takes."""
    spec = window.args.get("spec")
    if spec:
        bounds = (_bound(spec.args.get(side), spec.args.get(f"{side}_side"), written) for side in ("start", "end"))
        return f"{spec.args['kind'].upper()} BETWEEN {' AND '.join(bounds)}"
    function = window.find(exp.Anonymous)
    name = function.name.lower() if function else ""
    if name in ("lag", "lead") and function:
        return _shifted(name, function.expressions)
    if name in ROWS_FRAMES:
        return "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
    if window.args.get("order") or name in RANGE_FRAMES:
        return "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
    return "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"


def _shifted(name: str, arguments: list[Expr]) -> str:
    offset = int(arguments[1].name) if len(arguments) > 1 and arguments[1].is_int else 1
    by = f"{-offset if name == 'lag' else offset} FOLLOWING"
    return f"ROWS BETWEEN {by} AND {by}"


def _bound(bound: Any, side: Any, written: Callable[[Expr], str]) -> str:
    amount = written(bound) if isinstance(bound, exp.Expr) else str(bound or "CURRENT ROW")
    return f"{amount} {side or ''}".strip().upper()
