"""Caveats in plain Python and PySpark programs, without the app. The examples are in docs/library.md."""

from trailbook.library.connection import connect
from trailbook.library.database import Database
from trailbook.library.query import Query
from trailbook.library.reasons import CaveatSet
from trailbook.library.result import Result

__all__ = ["CaveatSet", "Database", "Query", "Result", "connect"]
