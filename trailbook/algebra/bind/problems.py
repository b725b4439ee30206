"""What is said about a query that can't be bound: where, and what would have worked."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from trailbook.algebra.expressions import Expr
from trailbook.errors import CellFailed

MOST_NAMES = 20


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
    names = sorted(set(known), key=str.lower)
    alike = get_close_matches(name.lower(), [n.lower() for n in names], n=1)
    guess = next((f" Did you mean {n}?" for n in names if alike and n.lower() == alike[0]), "")
    shown = [*names[:MOST_NAMES], *(["…"] if len(names) > MOST_NAMES else [])]
    return problem(f"There is no {kind} {name} here.{guess} Known: {', '.join(shown) or 'none'}.", node)
