"""Trailbook: a notebook for data curation that leaves a trail.

For programs: `with trailbook.connect() as db:`, see docs/library.md.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trailbook.errors import TrailbookError
    from trailbook.library import CaveatSet, Database, Query, Result, connect
    from trailbook.model.caveat import Caveat

__version__ = "0.1.0"

__all__ = ["Caveat", "CaveatSet", "Database", "Query", "Result", "TrailbookError", "__version__", "connect"]

_HOMES = {"Caveat": "trailbook.model.caveat", "TrailbookError": "trailbook.errors"}


def __getattr__(name: str) -> Any:
    # The command line imports this package for its version, and must not wait for a SQL parser.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES.get(name, "trailbook.library")), name)


def __dir__() -> list[str]:
    return sorted(__all__)
