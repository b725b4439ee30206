"""Load: a file, uploaded or on this machine, becomes a dataset."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field, field_validator

from trailbook.cells.context import RunContext
from trailbook.cells.kind import CellKind, DatasetName, register
from trailbook.cells.results import write_frame
from trailbook.errors import CellFailed, PathRefused
from trailbook.model.base import ArtifactId
from trailbook.model.runs import FILE_READ
from trailbook.sources.source import ReadOptions, SourceFile, source_for

OPAQUE = "application/octet-stream"


@register
class LoadCell(CellKind):
    kind: ClassVar[str] = "load"
    title: ClassVar[str] = "Load"

    name: DatasetName = Field(description="The dataset it makes.")
    file: str = Field("", pattern=r"^([0-9a-f]{64})?$", description="The artifact id of an uploaded file.")
    file_name: str = Field("", description="What the uploaded file was called.")
    path: str = Field("", description="A file on the server's machine, inside the allowed folders.")
    format: Literal["auto", "csv", "jsonl", "parquet"] = Field("auto", description="auto goes by the file's name.")
    header: bool = Field(True, description="CSV: the first line holds the column names.")
    delimiter: str = Field(",", min_length=1, max_length=1, description="CSV: what stands between values.")

    @field_validator("delimiter", mode="before")
    @classmethod
    def _tab(cls, value: object) -> object:
        return "\t" if value in ("\\t", "tab") else value

    def is_inert(self) -> bool:
        return not (self.file or self.path)

    def writes(self) -> frozenset[str]:
        return frozenset({self.name})

    def run(self, context: RunContext) -> None:
        file = self._capture(context)
        source = source_for(self.format, file)
        source.check(file)
        with context.session() as session:
            reading = source.read(session, file, ReadOptions(self.header, self.delimiter))
            write_frame(context, session, self.name, reading.frame)
        for finding in reading.findings():
            context.note(finding)

    def _capture(self, context: RunContext) -> SourceFile:
        """The file's bytes as they are now, kept: what is read later can't differ from what was loaded."""
        if self.file:
            path = context.files.path(ArtifactId(self.file))
            if not path.is_file():
                # Uploaded once more, it is there again.
                context.reads[FILE_READ + str(path)] = None
                raise CellFailed(f"The uploaded file {self.file_name or self.file} is no longer in the store.")
            return SourceFile(path, self.file_name or path.name)
        if not self.path:
            raise CellFailed("No file yet: upload one, or name a path.")
        path = allowed_path(self.path, context.settings.folders)
        # Not where links lead: they may lead elsewhere the next time.
        read = FILE_READ + str(Path(self.path).expanduser())
        context.reads[read] = None
        copy = context.stage() / "captured"
        if path.exists() and not path.is_file():
            raise CellFailed(f"{path} is not a file.")
        try:
            shutil.copyfile(path, copy)
        except OSError as error:
            raise CellFailed(f"{path} can't be read: {error.strerror}.") from error
        kept = context.keep_file(copy, OPAQUE)
        context.reads[read] = kept
        return SourceFile(context.files.path(kept), path.name)


def allowed_path(text: str, folders: tuple[Path, ...]) -> Path:
    """The file that a path from outside means, links followed, if it lies inside an allowed folder."""
    path = Path(text).expanduser().resolve()
    if not any(path.is_relative_to(folder.resolve()) for folder in folders):
        allowed = ", ".join(map(str, folders))
        raise PathRefused(f"{text} is outside the folders that may be read ({allowed}). See the setting `folders`.")
    return path
