"""A dataset of the notebook as a cell's code sees it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from trailbook.kernels.child.kinds import Kind, kind_of
from trailbook.store.masks import is_mask

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from pyspark.sql import DataFrame
    from pyspark.sql.connect.session import SparkSession

ROW_GROUP = 65_536
"""The rows of a group, as in trailbook.engine.parquet, which would be slow to import here."""


class Dataset:
    """Rows to take in the form that suits: `.pandas()`, `.polars()`, `.arrow()`, `.spark()` or `.batches()`."""

    def __init__(self, name: str, directory: str, session: Callable[[], SparkSession]) -> None:
        self.name = name
        self._directory = directory
        self._session = session
        self._spark: DataFrame | None = None

    def __repr__(self) -> str:
        return f"<dataset {self.name}: {self.rows} rows, columns {', '.join(self.columns)}>"

    @property
    def columns(self) -> list[str]:
        return [name for name in self._schema().names if not is_mask(name)]

    @property
    def rows(self) -> int:
        from pyarrow.parquet import read_metadata

        return sum(read_metadata(part).num_rows for part in self._parts())

    def arrow(self) -> pa.Table:
        return self._read()

    def batches(self, rows: int = ROW_GROUP) -> Iterator[pa.RecordBatch]:
        """The rows in pieces, one in memory at a time."""
        from pyarrow.parquet import ParquetFile

        for part in self._parts():
            yield from ParquetFile(part, memory_map=True).iter_batches(batch_size=rows, columns=self.columns)

    def pandas(self) -> pd.DataFrame:
        """A frame of its own at each call: changing one changes neither the dataset nor another."""
        from trailbook.kernels.child.frames import to_pandas

        return to_pandas(self._read())

    def polars(self) -> pl.DataFrame:
        import polars as pl

        frame = pl.from_arrow(self.arrow())
        assert isinstance(frame, pl.DataFrame)
        return frame

    def spark(self) -> DataFrame:
        if self._spark is None:
            self._spark = without_masks(self._session().read.parquet(self._directory))
        return self._spark

    def holds(self, frame: Any) -> bool:
        """Whether a frame is still what this dataset holds. When in doubt, it is not."""
        match kind_of(frame):
            case Kind.PANDAS:
                return self._same_pandas(frame)
            case Kind.POLARS:
                ours = self.polars()
                return bool(frame.lazy().collect_schema() == ours.schema and frame.lazy().collect().equals(ours))
            case Kind.ARROW:
                return bool(frame.equals(self.arrow()))
            case _:
                return frame is self._spark

    def _same_pandas(self, frame: pd.DataFrame) -> bool:
        if list(frame.columns) != self.columns or len(frame) != self.rows:
            return False
        # Column by column, so that the dataset is never in memory twice.
        return all(self._same_column(frame[name]) for name in self.columns)

    def _same_column(self, column: pd.Series[Any]) -> bool:
        from trailbook.kernels.child.frames import to_pandas

        ours = to_pandas(self._read([str(column.name)]))[column.name]
        same_rows = column.index.equals(ours.index) and column.index.names == ours.index.names
        return bool(same_rows and column.dtype == ours.dtype and column.equals(ours))

    def _read(self, columns: list[str] | None = None) -> pa.Table:
        import pyarrow as pa
        from pyarrow.parquet import ParquetFile

        wanted = columns or self.columns
        return pa.concat_tables(ParquetFile(part, memory_map=True).read(wanted) for part in self._parts())

    def _schema(self) -> pa.Schema:
        from pyarrow.parquet import read_schema

        return read_schema(self._parts()[0])

    def _parts(self) -> list[str]:
        with os.scandir(self._directory) as entries:
            return sorted(entry.path for entry in entries if entry.name.endswith(".parquet"))


def without_masks(frame: DataFrame) -> DataFrame:
    """The data of a stored dataset: code is not shown the columns with marks."""
    return frame.drop(*(name for name in frame.columns if is_mask(name)))
