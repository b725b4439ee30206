"""Tables of dirty texts, and the steps of a notebook that cleans them, with and without caveats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

DISTRICTS = 25
LARGEST = 900
DIRTY = ("n/a", "unknown", "12,5", "31.2.2019", "?")
GUESSES = {"int": "0", "double": "0.0", "date": "DATE '2010-01-01'"}
"""The types that columns are cast to in turn, each with what a missing value is replaced by."""

Doubt = Callable[[str, str, str], str]
"""How SQL says a value that is in doubt where a condition holds, with a message."""


@dataclass(frozen=True)
class Shape:
    """A table of texts, and how much is wrong with it. All columns are cast but two: `problem` and `district`."""

    name: str
    rows: int
    columns: int
    unreadable: int
    """Values of each column that is cast."""
    repaired: int
    """Columns that have a missing value."""
    damaged: int
    """Rows."""
    outliers: int
    """Values of the first column that is cast."""

    @property
    def types(self) -> dict[str, str]:
        """Of the columns that are cast."""
        kinds = list(GUESSES)
        return {f"c{i}": kinds[i % len(kinds)] for i in range(self.columns - 2)}


def doubted(value: str, condition: str, message: str) -> str:
    return f"caveat_if({value}, {condition}, {message})"


def trusted(value: str, condition: str, message: str) -> str:
    return value


def steps(shape: Shape, doubt: Doubt) -> Iterator[tuple[str, str]]:
    """The named queries over `raw`, one over the other; the last one is `checked`."""
    casts = ", ".join(f"try_cast({name} AS {kind}) AS {name}" for name, kind in shape.types.items())
    read = doubt("TRUE", "problem IS NOT NULL", "problem")
    yield "typed", f"SELECT district, {casts} FROM raw WHERE {read}"
    repairs = [
        doubt(f"coalesce({name}, {GUESSES[kind]})", f"{name} IS NULL", f"'{name} was missing'") + f" AS {name}"
        for name, kind in list(shape.types.items())[: shape.repaired]
    ]
    others = list(shape.types)[shape.repaired :]
    yield "repaired", f"SELECT {', '.join(['district', *repairs, *others])} FROM typed"
    plausible = doubt("c0", f"c0 > {LARGEST}", "concat(c0, ' is out of range')")
    yield "checked", f"SELECT * EXCEPT (c0), {plausible} AS c0 FROM repaired"


def raw(shape: Shape) -> pa.Table:
    """The table, the same each time."""
    random = np.random.default_rng(7)
    problems = [f"line {i} could not be read" for i in range(shape.damaged)]
    columns = {
        "problem": _with_faults(pa.nulls(shape.rows), problems, random),
        "district": pa.array([f"district {number}" for number in random.integers(0, DISTRICTS, shape.rows)]),
    }
    for position, (name, kind) in enumerate(shape.types.items()):
        faults: list[str | None] = [DIRTY[(position + i) % len(DIRTY)] for i in range(shape.unreadable)]
        faults += [None] if position < shape.repaired else []
        faults += [str(LARGEST + 1 + i) for i in range(shape.outliers)] if position == 0 else []
        columns[name] = _with_faults(_values(kind, shape.rows, random), faults, random)
    return pa.table(columns)


def _values(kind: str, rows: int, random: np.random.Generator) -> pa.Array:
    numbers = random.integers(0, LARGEST, rows)
    match kind:
        case "int":
            return pa.array(numbers)
        case "double":
            return pa.array(numbers / 100)
        case _:
            return pa.array(np.datetime64("2012-01-01") + numbers)


def _with_faults(values: pa.Array, faults: Sequence[str | None], random: np.random.Generator) -> pa.Array:
    """The values as texts, some of them replaced."""
    texts = values.cast(pa.string()).to_numpy(zero_copy_only=False)
    texts[random.choice(len(texts), len(faults), replace=False)] = faults
    return pa.array(texts, pa.string())
