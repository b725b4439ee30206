"""Rule bugs, seeded one at a time: if the possible-worlds tests don't catch one, they would not catch it in earnest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

from sqlglot import exp

from trailbook.algebra.expressions import FALSE, TRUE, Expr, both
from trailbook.caveats import instrument, marks, slots, tables
from trailbook.caveats.bits import any_mark
from trailbook.caveats.marks import Marker
from trailbook.caveats.rules import aggregate, derived, join, limit, match, rows, window


@dataclass(frozen=True)
class Mutant:
    """A rule with a bug, and the forms of queries that show it."""

    name: str
    patch: Callable[[], Any]
    forms: tuple[str, ...]

    @contextmanager
    def alive(self) -> Iterator[None]:
        with self.patch():
            yield


def _returns(target: Any, name: str, change: Callable[..., Any]) -> Callable[[], Any]:
    """Patch a function so that its answer is changed."""
    original = getattr(target, name)
    return lambda: patch.object(target, name, lambda *a, **k: change(original(*a, **k)))
