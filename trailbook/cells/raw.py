"""Files as raw tables, read by Spark's tasks: all texts as they are, and beside each record what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trailbook.engine.tasks import on_workers
from trailbook.lenses.types.votes import Votes
from trailbook.model.base import Json, Value

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession


class RawColumn(Value):
    """A column of a file. If it `is_text`, its type is to be inferred."""

    name: str
    type: str
    is_text: bool


class FileToRead(Value):
    """A captured file, what its owner calls it, and what was said about how to read it."""

    path: Path
    name: str
    format: str
    options: Mapping[str, Json]
    member: str = ""
    most_bytes: int


class RawTable(Value):
    """What there is to know of a raw table besides its records."""

    format: str
    options: Mapping[str, Json]
    """All of them, those included that were found out."""
    guessed: tuple[str, ...]
    columns: tuple[RawColumn, ...]
    rows: int
    problems: int
    left_out: int
    blanks_are_null: bool
    """Whether nothing is written where a value is missing."""
    cut_off: str | None
    """Why the file could not be read to its end, if so."""

    @property
    def wrong(self) -> int:
        """Rows with something wrong."""
        return self.problems - self.left_out


def read_raw(session: SparkSession, file: FileToRead, folder: Path, target: Path) -> tuple[RawTable, dict[int, Votes]]:
    """Write the raw table into the folder `target`; what it is, and what its columns of text speak for."""
    from trailbook.cells import raw_parts

    wanted = {**file.model_dump(mode="json"), "folder": str(folder), "target": str(target)}
    (found,) = on_workers(session, raw_parts.prepare, [wanted])
    parts = [found["part"]] if "part" in found else _read_in_pieces(session, found, target)
    columns = tuple(RawColumn(name=name, type=type, is_text=text) for name, type, text in found["columns"])
    table = RawTable(
        format=found["format"],
        options=found["options"],
        guessed=tuple(found["guessed"]),
        columns=columns,
        blanks_are_null=found["blanks_are_null"],
        cut_off=found["problem"],
        **{name: sum(part[name] for part in parts) for name in ("rows", "problems", "left_out")},
    )
    texts = [number for number, column in enumerate(columns) if column.is_text]
    return table, dict(zip(texts, _votes(parts, len(texts)), strict=True))


def _read_in_pieces(session: SparkSession, found: Mapping[str, Any], target: Path) -> list[dict[str, Any]]:
    from trailbook.cells import raw_parts
    from trailbook.sources.formats.format import FORMATS
    from trailbook.sources.formats.splitting import SplittableFormat

    format = FORMATS.get(found["format"])
    assert isinstance(format, SplittableFormat)
    known = {name: found[name] for name in ("path", "format", "layout")}
    scans = on_workers(session, raw_parts.scan, [{**known, "stretch": stretch} for stretch in found["stretches"]])
    ranges = format.cut(len(found["columns"]), [one["scan"] for one in scans])
    pieces = [{**known, "range": each, "number": n, "target": str(target)} for n, each in enumerate(ranges)]
    return on_workers(session, raw_parts.read, pieces)


def _votes(parts: Sequence[Mapping[str, Any]], columns: int) -> list[Votes]:
    given = [[Votes.of_json(votes) for votes in part["votes"]] for part in parts]
    return [reduce(Votes.__or__, each) for each in zip(*given, strict=True)] or [Votes()] * columns
