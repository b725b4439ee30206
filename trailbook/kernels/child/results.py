"""Writes the frames that a cell leaves behind as datasets: directories of Parquet files."""

from __future__ import annotations

import os
from collections.abc import Callable
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

from trailbook.kernels.child.dataset import ROW_GROUP
from trailbook.kernels.child.errors import BadDataset
from trailbook.kernels.child.kinds import Kind, kind_of
from trailbook.kernels.child.namespace import OWN_NAMES, Namespace
from trailbook.kernels.child.scope import Scope

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Results:
    """The datasets that a cell wrote, by name."""

    def __init__(self, folder: str, scope: Scope, note: Callable[[str], None]) -> None:
        self.written: dict[str, str] = {}
        self._folder = folder
        self._scope = scope
        self._note = note

    def save(self, name: str, frame: Any) -> None:
        """Write a frame as the dataset `name`, in place of what this cell wrote under that name before."""
        check_name(name)
        directory = os.path.join(self._folder, f"{len(os.listdir(self._folder))}-{name}")
        try:
            self._write(name, frame, directory)
        except BadDataset as error:
            raise BadDataset(f"{name} can't be stored as a dataset: {error}.") from None
        self.written[name] = directory
        self._scope.saved(name, directory)

    def save_globals(self, namespace: Namespace) -> None:
        """Write what the cell's names hold, unless it came from above and is as it was, or was saved already."""
        for name, value in [*namespace.items()]:
            if name.startswith("_") or name in self.written or kind_of(value) is None:
                continue
            dataset = self._scope.unchanged(name)
            if dataset and dataset.holds(value):
                continue
            if _has_no_columns(value):
                self._note(f"{name} has no columns, so it is not kept as a dataset.")
                continue
            self.save(name, value)

    def _write(self, name: str, frame: Any, directory: str) -> None:
        match kind_of(frame):
            case None:
                kind = f"{type(frame).__module__}.{type(frame).__qualname__}"
                raise BadDataset(f"it is a {kind}, not a pandas, Polars, Arrow or Spark frame")
            case Kind.SPARK:
                self._write_spark(name, frame, directory)
            case _:
                self._write_arrow(name, frame, directory)

    def _write_arrow(self, name: str, frame: Any, directory: str) -> None:
        from pyarrow.parquet import write_table

        from trailbook.kernels.child.frames import to_arrow

        table = to_arrow(frame, lambda text: self._note(f"{name}: {text}"))
        os.makedirs(directory)
        write_table(table, os.path.join(directory, "part-00000.parquet"), row_group_size=ROW_GROUP, compression="zstd")

    def _write_spark(self, name: str, frame: DataFrame, directory: str) -> None:
        from trailbook.engine.parquet import write_parquet
        from trailbook.kernels.child.frames import check_columns

        check_columns(frame.columns)
        as_text = write_parquet(frame, directory)
        if as_text:
            self._note(f"{name}: columns of types that only Spark knows are stored as text: {', '.join(as_text)}.")


def _has_no_columns(frame: Any) -> bool:
    return kind_of(frame) is Kind.PANDAS and not len(frame.columns) and frame.index.name is None


def check_name(name: str) -> None:
    """Refuse a name that code could not use."""
    if not isinstance(name, str) or not name.isidentifier() or iskeyword(name) or name.startswith("_"):
        raise BadDataset(
            f"{name!r} can't name a dataset. A name is made of letters, digits and _, starts with a letter,"
            " and is no word of Python's."
        )
    if name in OWN_NAMES:
        raise BadDataset(f"{name!r} has a meaning of its own in every cell and can't name a dataset.")
