"""Files as raw tables, read by Spark's tasks: all texts as they are, and beside each record what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

from trailbook.cells.meanwhile import Tell, parts_told
from trailbook.engine.tasks import Workers
from trailbook.lenses.types.votes import Votes
from trailbook.model.base import Json, Value


class RawColumn(Value):
    """A column of a file. If it `is_text`, its type is to be inferred.

    `texts` is the column of the raw table that holds what did not fit the type; empty if all did.
    """

    name: str
    type: str
    is_text: bool
    texts: str = ""


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
    """Why not all of the file could be read, if so: any number of rows may be missing."""
    is_sampled: bool = False
    """Whether some records alone speak for the types of columns."""

    @property
    def texts(self) -> list[int]:
        """The columns whose types are to be inferred, by their numbers."""
        return [number for number, column in enumerate(self.columns) if column.is_text]

    @property
    def wrong(self) -> int:
        """Rows with something wrong."""
        return self.problems - self.left_out


def read_raw(
    workers: Workers, file: FileToRead, folder: Path, target: Path, tell: Tell
) -> tuple[RawTable, dict[int, Votes]]:
    """Write the raw table into the folder `target`; what it is, and what its columns of text speak for."""
    from trailbook.cells import raw_parts

    wanted = {**file.model_dump(mode="json"), "folder": str(folder), "target": str(target)}
    (found,) = workers(raw_parts.prepare, [wanted])
    parts = [found["part"]] if "part" in found else _read_in_pieces(workers, found, target, tell)
    columns = tuple(RawColumn(name=name, type=type, is_text=text) for name, type, text in found["columns"])
    table = RawTable(
        format=found["format"],
        options=found["options"],
        guessed=tuple(found["guessed"]),
        columns=columns,
        blanks_are_null=found["blanks_are_null"],
        cut_off="; ".join(filter(None, [found["problem"], *(part["lost"] for part in parts)])) or None,
        is_sampled=any(part["is_sample"] for part in parts),
        **{name: sum(part[name] for part in parts) for name in ("rows", "problems", "left_out")},
    )
    return table, _votes(table, parts)


def all_votes(workers: Workers, raw: Path, table: RawTable) -> dict[int, Votes]:
    """What the columns of text of a raw table speak for, if each record does."""
    from trailbook.cells import raw_parts

    pieces = [{"raw": str(part), "texts": table.texts} for part in sorted(raw.glob("*.parquet"))]
    return _votes(table, workers(raw_parts.vote, pieces))


def _read_in_pieces(workers: Workers, found: Mapping[str, Any], target: Path, tell: Tell) -> list[dict[str, Any]]:
    from trailbook.cells import raw_parts
    from trailbook.sources.formats.format import FORMATS
    from trailbook.sources.formats.splitting import SplittableFormat

    format = FORMATS.get(found["format"])
    assert isinstance(format, SplittableFormat)
    known = {name: found[name] for name in ("path", "format", "layout")}
    scans = workers(raw_parts.scan, [{**known, "stretch": stretch} for stretch in found["stretches"]])
    ranges = format.cut(len(found["columns"]), [one["scan"] for one in scans])
    pieces = [{**known, "range": each, "number": n, "target": str(target)} for n, each in enumerate(ranges)]
    with parts_told(tell, "Reading", target, len(pieces)):
        return workers(raw_parts.read, pieces)


def _votes(table: RawTable, parts: Sequence[Mapping[str, Any]]) -> dict[int, Votes]:
    given = [[Votes.of_json(votes) for votes in part["votes"]] for part in parts]
    together = [reduce(Votes.__or__, each) for each in zip(*given, strict=True)] or [Votes()] * len(table.texts)
    return dict(zip(table.texts, together, strict=True))
