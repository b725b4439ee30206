"""Reading an archive that anybody may have made: its manifest, and its records one by one, each of the right form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BufferedReader
from pathlib import Path
from typing import IO, BinaryIO
from zipfile import ZipInfo

from pydantic import BaseModel, ValidationError

from trailbook.errors import TooLarge
from trailbook.formats.archive import layout
from trailbook.formats.archive.entries import Limits, opened, refusal, zip_failures_told
from trailbook.formats.archive.layout import Manifest, R, Records
from trailbook.model.base import ArtifactId
from trailbook.model.misfits import misfits
from trailbook.settings import MIB
from trailbook.store.failures import disk_failures_told

PIECE = MIB
LARGEST_MANIFEST = MIB


class Archive:
    """An archive whose entries have known names and sizes. What stands in them is not looked at here."""

    def __init__(self, file: BinaryIO, limits: Limits) -> None:
        self._zip, self._entries = opened(file, limits)
        self.manifest = self._read_manifest()
        for entry in layout.RECORD_ENTRIES:
            self._entry(entry)

    def records(self, kind: Records[R]) -> Iterator[tuple[int, R]]:
        """The records of a kind, each with the number of its line."""
        number, declared = 0, self.manifest.records.get(kind.name)
        with self._open(kind.entry) as lines:
            while number != declared and (line := lines.readline(layout.LONGEST_LINE + 1)):
                number += 1
                if len(line) > layout.LONGEST_LINE:
                    raise refusal(kind.entry, f"it is longer than {layout.LONGEST_LINE:,} bytes", number)
                yield number, _parsed(kind, line, number)
            if number != declared or lines.read(1):
                raise refusal(kind.entry, f"the manifest says that it has {declared} lines, which it has not")

    def files(self) -> Mapping[ArtifactId, list[str]]:
        """The entries that hold the files of each artifact."""
        found: dict[ArtifactId, list[str]] = {}
        for name in self._entries:
            folder, _, rest = name.partition("/")
            if folder == layout.ARTIFACTS:
                found.setdefault(ArtifactId(rest.partition("/")[0]), []).append(name)
        return found

    def unpack(self, entry: str, target: Path) -> None:
        with self._open(entry) as source, disk_failures_told(str(target)), target.open("xb") as file:
            while piece := source.read(PIECE):
                file.write(piece)

    @contextmanager
    def _open(self, entry: str) -> Iterator[IO[bytes]]:
        with zip_failures_told(entry), self._zip.open(self._entry(entry)) as opened:
            yield BufferedReader(opened, PIECE)  # type: ignore[type-var]

    def _entry(self, name: str) -> ZipInfo:
        if name not in self._entries:
            raise refusal(name, "it is missing")
        return self._entries[name]

    def _read_manifest(self) -> Manifest:
        with self._open(layout.MANIFEST) as file:
            content = file.read(LARGEST_MANIFEST)
        try:
            known = _Heading.model_validate_json(content, strict=True)
            if known.format == layout.FORMAT and known.version > layout.NEWEST:
                raise refusal(
                    layout.MANIFEST,
                    f"its version is {known.version}; this Trailbook reads up to {layout.NEWEST}, a newer one more",
                )
            manifest = Manifest.model_validate_json(content, strict=True)
        except ValidationError as error:
            raise refusal(layout.MANIFEST, _problem(error)) from error
        require_moments(manifest.project, layout.MANIFEST)
        if sum(manifest.records.values()) > layout.MOST_RECORDS:
            raise TooLarge(f"The archive has more than {layout.MOST_RECORDS:,} records.")
        return manifest


class _Heading(BaseModel):
    """What every version of the format begins with."""

    format: str
    version: int


def require_moments(record: BaseModel, entry: str, line: int | None = None) -> None:
    """Refuse times that are no moments, or none that a database knows."""
    for name, value in record:
        if isinstance(value, datetime):
            try:
                is_moment = value.tzinfo is not None and value.astimezone(UTC).year > 1
            except OverflowError:
                is_moment = False
            if not is_moment:
                raise refusal(entry, f"{name} is {value}, which is no moment", line)


def _parsed(kind: Records[R], line: bytes, number: int) -> R:
    try:
        record = kind.type.model_validate_json(line, strict=True)
    except ValidationError as error:
        raise refusal(kind.entry, _problem(error), number) from error
    require_moments(record, kind.entry, number)
    return record


def _problem(error: ValidationError) -> str:
    return str(misfits(error.errors(include_url=False, include_input=False))[0])
