"""A dataset of the notebook as a cell's code sees it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from trailbook.kernels.child.kinds import Kind, kind_of

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
        self._pandas: pd.DataFrame | None = None
        self._spark: DataFrame | None = None

    def __repr__(self) -> str:
        return f"<dataset {self.name}: {self.rows} rows, columns {', '.join(self.columns)}>"

    @property
    def columns(self) -> list[str]:
        return list(self._schema().names)

    @property
    def rows(self) -> int:
        from pyarrow.parquet import read_metadata

        return sum(read_metadata(part).num_rows for part in self._parts())

    def arrow(self) -> pa.Table:
        import pyarrow as pa
        from pyarrow.parquet import ParquetFile

        return pa.concat_tables(ParquetFile(part, memory_map=True).read() for part in self._parts())

    def batches(self, rows: int = ROW_GROUP) -> Iterator[pa.RecordBatch]:
        """The rows in pieces, one in memory at a time."""
        from pyarrow.parquet import ParquetFile

        for part in self._parts():
            yield from ParquetFile(part, memory_map=True).iter_batches(batch_size=rows)

    def pandas(self) -> pd.DataFrame:
        """A frame of its own at each call: changing one changes neither the dataset nor another."""
        from trailbook.kernels.child.frames import to_pandas

        if self._pandas is None:
            self._pandas = to_pandas(self.arrow())
        # Copies share their memory until one of them is written to.
        return self._pandas.copy(deep=False)

    def polars(self) -> pl.DataFrame:
        import polars as pl

        frame = pl.from_arrow(self.arrow())
        assert isinstance(frame, pl.DataFrame)
        return frame

    def spark(self) -> DataFrame:
        if self._spark is None:
            self._spark = self._session().read.parquet(self._directory)
        return self._spark

    def holds(self, frame: Any) -> bool:
        """Whether a frame is still what this dataset holds. When in doubt, it is not."""
        match kind_of(frame):
            case Kind.PANDAS:
                return self._pandas is not None and self._same_pandas(frame, self._pandas)
            case Kind.POLARS:
                ours = self.polars()
                return bool(frame.lazy().collect_schema() == ours.schema and frame.lazy().collect().equals(ours))
            case Kind.ARROW:
                return bool(frame.equals(self.arrow()))
            case _:
                return frame is self._spark

    def _same_pandas(self, frame: pd.DataFrame, ours: pd.DataFrame) -> bool:
        if not (frame.columns.equals(ours.columns) and frame.index.equals(ours.index)):
            return False
        if not (frame.dtypes.equals(ours.dtypes) and frame.index.names == ours.index.names and frame.equals(ours)):
            return False
        return self._same_nested_values(frame)

    def _same_nested_values(self, frame: pd.DataFrame) -> bool:
        """Lists inside a column are shared by all copies, so only the files know what they were."""
        from pyarrow.types import is_nested

        from trailbook.kernels.child.frames import to_pandas

        nested = [field.name for field in self._schema() if is_nested(field.type)]
        return not nested or frame[nested].equals(to_pandas(self.arrow().select(nested)))

    def _schema(self) -> pa.Schema:
        from pyarrow.parquet import read_schema

        return read_schema(self._parts()[0])

    def _parts(self) -> list[str]:
        with os.scandir(self._directory) as entries:
            return sorted(entry.path for entry in entries if entry.name.endswith(".parquet"))
