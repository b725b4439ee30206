"""The form that a frame had in Python, kept beside the Parquet files that everybody can read.

Those have columns with names and plain types. All else that a frame can be is in its form: which library it is of, its
index, its labels, its types, whether missing is NaN or None. So a later cell finds it as this one left it. The form is
a packed file, of which large buffers are mapped into memory.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trailbook.kernels.child.frames.kinds import Kind, kind_of
from trailbook.kernels.child.values import packed
from trailbook.kernels.child.values.plain import forgetful, plain_pickler, plain_unpickler
from trailbook.store.masks import form_file

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

    from trailbook.kernels.child.frames.texts import Texts
    from trailbook.kernels.child.values.packed import MakePickler, MakeUnpickler


def settled(frame: Any) -> Any:
    """The frame, with its rows computed if it is a lazy one, so that they are not computed twice."""
    return frame.lazy().collect().lazy() if _is_lazy(frame) else frame


def write(frame: Any, columns: list[str], directory: str, make_pickler: MakePickler = plain_pickler) -> None:
    """Write the form of a frame that is stored in a dataset with these columns."""
    kind = kind_of(frame)
    assert kind
    packed.write(packed.pack(_parts(frame, columns), forgetful(make_pickler)), _path(directory, kind))


def find(directory: str) -> Form | None:
    """The form of a dataset, if a Python cell wrote it."""
    found = (Form(kind, _path(directory, kind)) for kind in Kind)
    return next((form for form in found if os.path.exists(form.path)), None)


@dataclass(frozen=True)
class Form:
    """A stored form. That of a Spark frame says nothing but that it was one."""

    kind: Kind
    path: str

    def read(self, texts: Texts, make_unpickler: MakeUnpickler = plain_unpickler) -> Any:
        """The frame as it was, given the text that is in the Parquet files."""
        parts = packed.unpack(self.path, make_unpickler)
        match self.kind:
            case Kind.PANDAS:
                from trailbook.kernels.child.frames.blocks import put_together

                return put_together(parts, texts)
            case Kind.POLARS:
                return _polars(*parts)
            case _:
                return parts

    def is_of(
        self,
        frame: Any,
        columns: list[str],
        texts: Texts,
        make_pickler: MakePickler = plain_pickler,
        make_unpickler: MakeUnpickler = plain_unpickler,
    ) -> bool:
        """Whether a frame is what it would be if it were read now."""
        if self.kind is Kind.PANDAS and len(frame.columns) > len(columns):
            return False
        parts = _parts(frame, columns, texts)
        if packed.same(packed.pack(parts, forgetful(make_pickler)), self.path):
            return _same_text(frame, parts, texts)
        # Some values are not pickled the same when they were pickled before.
        return alike(frame, self.read(texts, make_unpickler), columns, texts, make_pickler)


def alike(one: Any, other: Any, columns: list[str], texts: Texts, make_pickler: MakePickler = plain_pickler) -> bool:
    """Whether a frame is as another one that has the text of the Parquet files."""
    mine, yours = _parts(one, columns, texts), _parts(other, columns, texts)
    is_same = packed.alike(packed.pack(mine, forgetful(make_pickler)), packed.pack(yours, forgetful(make_pickler)))
    return is_same and _same_text(one, mine, texts)


def _same_text(frame: Any, parts: Any, texts: Texts) -> bool:
    if kind_of(frame) is not Kind.PANDAS:
        return True
    from trailbook.kernels.child.frames.blocks import same_text

    return same_text(frame, parts, texts)


def _parts(frame: Any, columns: list[str], texts: Texts | None = None) -> Any:
    """What of a frame is packed."""
    match kind_of(frame):
        case Kind.PANDAS:
            from trailbook.kernels.child.frames.blocks import take_apart

            return take_apart(frame, columns, texts)
        case Kind.POLARS:
            return _of_polars(frame)
        case Kind.ARROW:
            return _of_arrow(frame)
        case _:
            return None


def _path(directory: str, kind: Kind) -> str:
    return os.path.join(directory, form_file(kind.name.lower()))


def _of_arrow(frame: pa.Table | pa.RecordBatch) -> pa.Table | pa.RecordBatch:
    from trailbook.kernels.child.frames.arrow_types import fitted

    return type(frame).from_arrays([*map(fitted, frame.columns)], schema=frame.schema)


def _of_polars(frame: pl.DataFrame | pl.LazyFrame) -> tuple[bool, list[tuple[str, Any]]]:
    """Whether it was lazy, and its columns: those that Arrow knows as arrays, which can be mapped."""
    data = frame.lazy().collect().rechunk()
    return _is_lazy(frame), [(column.name, _of_series(column)) for column in data]


def _is_lazy(frame: Any) -> bool:
    return kind_of(frame) is Kind.POLARS and type(frame).__name__ == "LazyFrame"


def _of_series(column: pl.Series) -> Any:
    import polars as pl

    from trailbook.kernels.child.frames.arrow_types import fitted

    if isinstance(column.dtype, pl.Object):
        return column.to_list()
    if column.dtype.is_nested() or isinstance(column.dtype, (pl.Categorical, pl.Enum, pl.Int128, pl.UInt128)):
        return column
    return fitted(column.to_arrow(compat_level=pl.CompatLevel.newest()))


def _polars(is_lazy: bool, columns: list[tuple[str, Any]]) -> pl.DataFrame | pl.LazyFrame:
    import polars as pl

    dtypes = {list: pl.Object}
    frame = pl.DataFrame([pl.Series(name, values, dtypes.get(type(values))) for name, values in columns])
    return frame.lazy() if is_lazy else frame
