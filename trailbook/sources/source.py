"""What a source is: a format that can look at a file and read it with Spark."""

from __future__ import annotations

from abc import ABC, abstractmethod
from codecs import BOM_UTF8
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from trailbook.errors import CellFailed
from trailbook.registry import Registry

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.connect.session import SparkSession

HEAD_BYTES = 64 * 1024


@dataclass(frozen=True)
class SourceFile:
    """A captured file with the name its owner knows it by."""

    path: Path
    name: str

    def head(self) -> bytes:
        with self.path.open("rb") as file:
            return file.read(HEAD_BYTES)


@dataclass(frozen=True)
class ReadOptions:
    """How to read a text table; other formats carry these facts themselves."""

    header: bool = True
    delimiter: str = ","


@dataclass(frozen=True)
class Reading:
    """A lazy read. Once the frame was written, `findings` says what had to be decided about it."""

    frame: DataFrame
    findings: Callable[[], list[str]] = list


class Source(ABC):
    """One format."""

    format: ClassVar[str]
    extensions: ClassVar[tuple[str, ...]]

    @abstractmethod
    def check(self, file: SourceFile) -> None:
        """Refuse a file that is not of this format, before Spark is asked."""

    @abstractmethod
    def read(self, session: SparkSession, file: SourceFile, options: ReadOptions) -> Reading:
        """Read the file lazily."""


SOURCES: Registry[Source] = Registry("format", "trailbook.sources")


def source_for(format: str, file: SourceFile) -> Source:
    """The source of that format; `auto` goes by the file's name."""
    if format != "auto":
        return SOURCES.get(format)
    for _, source in SOURCES:
        if file.name.lower().endswith(source.extensions):
            return source
    known = ", ".join(extension for _, source in SOURCES for extension in source.extensions)
    raise CellFailed(f"The format of {file.name} can't be told from its name (known: {known}). Choose a format.")


def refuse_empty(file: SourceFile) -> None:
    size = file.path.stat().st_size
    if size == 0:
        raise CellFailed(f"{file.name} is empty: it has no bytes.")
    if size <= HEAD_BYTES and not file.head().removeprefix(BOM_UTF8).strip():
        raise CellFailed(f"{file.name} is empty: it has nothing but blanks.")


def refuse_binary(file: SourceFile, wanted: str) -> None:
    """Text has no NUL bytes; UTF-16 has, and Spark would not read it."""
    head = file.head()
    if b"\0" in head:
        raise CellFailed(f"{file.name} is not {wanted}: it holds binary data{_guess(head)}.")


_MAGIC = {
    b"PAR1": "Parquet",
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"\x1f\x8b": "gzip",
    b"\x89PNG": "a PNG image",
    b"%PDF": "a PDF",
    b"\xff\xfe": "text in UTF-16; save it as UTF-8",
    b"\xfe\xff": "text in UTF-16; save it as UTF-8",
}


def _guess(head: bytes) -> str:
    return next((f" (it looks like {what})" for magic, what in _MAGIC.items() if head.startswith(magic)), "")


def counted(frame: DataFrame, condition: Column, message: str) -> Reading:
    """The frame, whose rows that meet the condition are counted on the way; `message` has a place for the count."""
    from pyspark.sql.connect import functions as F
    from pyspark.sql.connect.observation import Observation

    observation = Observation()
    observed = frame.observe(observation, F.count_if(condition).alias("count"))  # type: ignore[arg-type]

    def findings() -> list[str]:
        count = observation.get["count"]
        return [message.format(count)] if count else []

    return Reading(observed, findings)
