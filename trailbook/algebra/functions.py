"""Spark's functions and what is known of each. Any other name is somebody's own function: trust it in nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from trailbook.algebra.casts import cast_may_fail
from trailbook.algebra.coercion import common_type
from trailbook.algebra.datatypes import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    FLOAT,
    MOMENTS,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    UNKNOWN,
    VOID,
    is_atomic,
    is_complex,
    is_decimal,
    is_integral,
    is_numeric,
)
from trailbook.algebra.function_names import OWN_FUNCTIONS, SPARK_FUNCTIONS
from trailbook.algebra.function_traits import (
    AGGREGATES,
    FORGIVING,
    GENERATORS,
    ORDER_DEPENDENT,
    STRICT,
    TABLES,
    TAKES,
    UNREPEATABLE,
    WINDOWS,
)


class FunctionKind(StrEnum):
    SCALAR = "scalar"
    AGGREGATE = "aggregate"
    """Can be used as a window function, too."""
    WINDOW = "window"
    """Needs an OVER clause."""
    GENERATOR = "generator"
    """Makes rows of one row, in LATERAL VIEW."""
    TABLE = "table"
    """Stands in FROM; or, as `window` does, multiplies the rows of the query around it."""


@dataclass(frozen=True)
class Function:
    """What is known of a function of Spark."""

    name: str
    kind: FunctionKind
    deterministic: bool
    """The same arguments give the same value, at any time, in any session; but see `order_dependent`."""
    order_dependent: bool
    """The value depends on the order of the rows, or on which of several equal ones comes first."""
    strict: bool
    """NULL if any argument is NULL (lambdas aside)."""
    takes: str | None
    """Arguments for which it never raises; none if it may whatever they are."""
    forgiving: str | None
    """The function that gives NULL where this one can't read its argument, and is the same otherwise."""

    @property
    def total(self) -> bool:
        """Whether it never raises, whatever values its arguments have, if their types are those it `takes`."""
        return self.takes is not None


def fits(function: Function, kinds: Sequence[str]) -> bool:
    """Whether arguments of these types are such that the function never raises."""
    if function.takes is None:
        return False
    letters = function.takes
    if letters.endswith("+"):
        letters = letters[:-1] + letters[-2] * len(kinds)
    if len(kinds) > len(letters):
        return False
    common = common_type(kinds) if "=" in letters else UNKNOWN
    return all(
        not cast_may_fail(kind, common) if letter == "=" else kind == VOID or _FAMILIES[letter](kind)
        for letter, kind in zip(letters, kinds, strict=False)
    )


_FAMILIES: dict[str, Callable[[str], bool]] = {
    "s": is_atomic,
    "n": is_numeric,
    "i": lambda kind: is_numeric(kind) and not is_decimal(kind),
    "f": lambda kind: kind in (FLOAT, DOUBLE),
    "g": is_integral,
    "w": lambda kind: is_integral(kind) and kind != BIGINT,
    "b": lambda kind: kind == BOOLEAN,
    "x": lambda kind: is_integral(kind) or is_decimal(kind),
    "t": lambda kind: kind in MOMENTS,
    "m": lambda kind: kind in (TIMESTAMP, TIMESTAMP_NTZ),
    "c": is_complex,
    "*": lambda _: True,
}


def lookup(name: str) -> Function | None:
    """The function of this name, in any case; None if Spark has none."""
    return _REGISTRY.get(name.lower())


def _registry() -> dict[str, Function]:
    kinds = {
        **dict.fromkeys(AGGREGATES, FunctionKind.AGGREGATE),
        **dict.fromkeys(WINDOWS, FunctionKind.WINDOW),
        **dict.fromkeys(GENERATORS, FunctionKind.GENERATOR),
        **dict.fromkeys(TABLES, FunctionKind.TABLE),
    }
    takes = {name: letters for letters, names in TAKES.items() for name in names.split()}
    return {
        name: Function(
            name=name,
            kind=kinds.get(name, FunctionKind.SCALAR),
            deterministic=name not in UNREPEATABLE,
            order_dependent=name in ORDER_DEPENDENT,
            strict=name in STRICT,
            takes=takes.get(name),
            forgiving=FORGIVING.get(name),
        )
        for name in SPARK_FUNCTIONS | OWN_FUNCTIONS
    }


_REGISTRY = _registry()
