"""What is said about a query that can't be bound: where, and what would have worked."""

from __future__ import annotations

from collections.abc import Iterable

from trailbook.algebra.expressions import Expr
from trailbook.errors import CellFailed
from trailbook.model.unknown_names import no_such


class Opaqueness(Exception):
    """This query can't be taken apart; the one around it may still be."""


def require_known(node: Expr, known: Iterable[str]) -> None:
    """Refuse what the text says beside the `known` parts: it must not be dropped silently."""
    if any(value for key, value in node.args.items() if key not in known):
        raise Opaqueness


def problem(message: str, node: Expr | None = None) -> CellFailed:
    """An error that points at `node` in the text."""
    meta = next((n.meta for n in node.walk() if "line" in n.meta), None) if node else None
    if meta is None:
        return CellFailed(message)
    width = meta["end"] - meta["start"]
    return CellFailed(message, line=meta["line"], column=meta["col"] - width)


def unknown(kind: str, name: str, known: Iterable[str], node: Expr | None = None) -> CellFailed:
    """There is no such column or dataset; these there are."""
    return problem(no_such(kind, name, known), node)
