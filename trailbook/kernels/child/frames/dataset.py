"""A dataset of the notebook as a cell's code sees it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from trailbook.kernels.child.frames import forms
from trailbook.kernels.child.frames.kinds import Kind, kind_of
from trailbook.kernels.child.frames.pages import Pages
from trailbook.kernels.child.values.plain import plain_pickler, plain_unpickler
from trailbook.store.masks import is_mask

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from pyspark.sql import DataFrame
    from pyspark.sql.connect.session import SparkSession

    from trailbook.kernels.child.frames.forms import Form
    from trailbook.kernels.child.frames.texts import Texts
    from trailbook.kernels.child.values.packed import MakePickler, MakeUnpickler

ROW_GROUP = 65_536
"""The rows of a group, as in trailbook.engine.parquet, which would be slow to import here."""


class Dataset:
    """Rows in the form that suits: `.pandas()`, `.polars()`, `.arrow()`, `.spark()`, `.batches()` or `.pages()`."""

    def __init__(
        self,
        name: str,
        directory: str,
        session: Callable[[], SparkSession],
        make_pickler: MakePickler = plain_pickler,
        make_unpickler: MakeUnpickler = plain_unpickler,
    ) -> None:
        self.name = name
        self._directory = directory
        self._session = session
        self._make_pickler = make_pickler
        self._make_unpickler = make_unpickler
        self._form = forms.find(directory)
        self._known_texts: Texts | None = None
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

    def original(self) -> Any:
        """The frame that the dataset was in the Python cell that made it; pandas if it is no such cell's."""
        if self._form is None:
            return self.pandas()
        return self.spark() if self._form.kind is Kind.SPARK else self._restored()

    def arrow(self) -> pa.Table:
        if not self._was(Kind.ARROW):
            return self._read()
        import pyarrow as pa

        frame = self._restored()
        return pa.Table.from_batches([frame]) if isinstance(frame, pa.RecordBatch) else frame

    def batches(self, rows: int = ROW_GROUP) -> Iterator[pa.RecordBatch]:
        """The rows in pieces, one in memory at a time."""
        from pyarrow.parquet import ParquetFile

        for part in self._parts():
            yield from ParquetFile(part, memory_map=True).iter_batches(batch_size=rows, columns=self.columns)

    def pages(self, offset: int = 0, limit: int = 1000) -> Pages:
        """The rows from `offset` on, in pages of at most `limit`, for `for` and for `async for`."""
        return Pages(self._parts(), self.columns, offset, limit)

    def pandas(self) -> pd.DataFrame:
        """A frame of its own at each call: changing one changes neither the dataset nor another."""
        if self._was(Kind.PANDAS):
            restored: pd.DataFrame = self._restored()
            return restored
        from trailbook.kernels.child.frames.tables import to_pandas

        return to_pandas(self._read())

    def polars(self) -> pl.DataFrame:
        import polars as pl

        frame: pl.DataFrame = self._restored() if self._was(Kind.POLARS) else pl.DataFrame(self.arrow())
        return frame.lazy().collect()

    def spark(self) -> DataFrame:
        if self._spark is None:
            self._spark = without_masks(self._session().read.parquet(self._directory))
        return self._spark

    def holds(self, frame: Any) -> bool:
        """Whether a frame is still the `original()`. When in doubt, it is not."""
        kind = kind_of(frame)
        if kind is not (self._form.kind if self._form else Kind.PANDAS):
            return False
        if kind is Kind.SPARK:
            return frame is self._spark
        return self._is_restored(frame, self._form) if self._form else self._is_converted(frame)

    def _was(self, kind: Kind) -> bool:
        return self._form is not None and self._form.kind is kind

    def _restored(self) -> Any:
        assert self._form
        return self._form.read(self._texts(), self._make_unpickler)

    def _is_restored(self, frame: Any, form: Form) -> bool:
        return form.is_of(frame, self.columns, self._texts(), self._make_pickler, self._make_unpickler)

    def _is_converted(self, frame: pd.DataFrame) -> bool:
        if list(frame.columns) != self.columns or len(frame) != self.rows:
            return False
        # Column by column, so that the dataset is never in memory twice.
        return all(self._is_converted_column(frame[[name]], name) for name in self.columns)

    def _is_converted_column(self, frame: pd.DataFrame, name: str) -> bool:
        from trailbook.kernels.child.frames.tables import to_pandas

        return forms.alike(frame, to_pandas(self._read([name])), [name], self._texts(), self._make_pickler)

    def _texts(self) -> Texts:
        if self._known_texts is None:
            from trailbook.kernels.child.frames.texts import Texts

            self._known_texts = Texts(self._text)
        return self._known_texts

    def _text(self, name: str, encoded: bool) -> pa.ChunkedArray:
        """A column of text, on request encoded as a dictionary."""
        import pyarrow as pa
        from pyarrow.parquet import ParquetFile

        parts = [
            ParquetFile(part, memory_map=True, read_dictionary=[name] if encoded else None) for part in self._parts()
        ]
        return pa.concat_tables(part.read([name]) for part in parts).column(0)

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
