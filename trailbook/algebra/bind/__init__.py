"""SQL in: the text of a query, with its names resolved against a scope, as a plan."""

from trailbook.algebra.bind.binding import bind

__all__ = ["bind"]
