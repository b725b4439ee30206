"""Load: a file, uploaded or on this machine, becomes a dataset. Whatever is wrong with it is a caveat."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from trailbook.cells.context import RunContext
from trailbook.cells.kind import CellKind, DatasetName, Question, register
from trailbook.errors import CellFailed, PathRefused
from trailbook.lenses.types.decision import Given
from trailbook.model.base import ArtifactId, Json
from trailbook.model.runs import FILE_READ

if TYPE_CHECKING:
    from trailbook.caveats.reasons import Reason
    from trailbook.cells.raw import FileToRead

OPAQUE = "application/octet-stream"


@register
class LoadCell(CellKind):
    kind: ClassVar[str] = "load"
    title: ClassVar[str] = "Load"

    name: DatasetName = Field(description="The dataset it makes.")
    file: str = Field("", pattern=r"^([0-9a-f]{64})?$", description="The artifact id of an uploaded file.")
    file_name: str = Field("", description="What the uploaded file was called.")
    path: str = Field("", description="A file on the server's machine, inside the allowed folders.")
    format: str = Field("auto", description="auto goes by the file's name, and by how it looks.")
    member: str = Field("", description="Which file of a zip archive it is.")
    options: dict[str, Json] = Field({}, description="How to read the format. What is left out is found out.")
    types: dict[str, Given] = Field({}, description="What is settled for a column, and not inferred.")

    def is_inert(self) -> bool:
        return not (self.file or self.path)

    def writes(self) -> frozenset[str]:
        return frozenset({self.name})

    def run(self, context: RunContext) -> None:
        from trailbook.cells.loading import load, notes

        directory, loaded = load(context, self.name, self._captured(context), self.types)
        context.write_dataset(self.name, directory)
        for note in notes(loaded):
            context.note(note)

    def explain(self, question: Question) -> list[Reason]:
        from trailbook.cells.loaded import Loaded

        return Loaded.model_validate({"name": self.name, **question.decisions}).explain(question)

    def _captured(self, context: RunContext) -> FileToRead:
        """The file's bytes as they are now, kept: what is read later can't differ from what was loaded."""
        from trailbook.cells.raw import FileToRead

        path, name = self._uploaded(context) if self.file else self._copied(context)
        return FileToRead(
            path=path,
            name=name,
            format=self.format,
            options=self.options,
            member=self.member,
            most_bytes=context.settings.upload_limit,
        )

    def _uploaded(self, context: RunContext) -> tuple[Path, str]:
        path = context.files.path(ArtifactId(self.file))
        if not path.is_file():
            # Uploaded once more, it is there again.
            context.reads[FILE_READ + str(path)] = None
            raise CellFailed(f"The uploaded file {self.file_name or self.file} is no longer in the store.")
        return path, self.file_name or path.name

    def _copied(self, context: RunContext) -> tuple[Path, str]:
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
        return context.files.path(kept), path.name


def allowed_path(text: str, folders: tuple[Path, ...]) -> Path:
    """The file that a path from outside means, links followed, if it lies inside an allowed folder."""
    path = Path(text).expanduser().resolve()
    if not any(path.is_relative_to(folder.resolve()) for folder in folders):
        allowed = ", ".join(map(str, folders))
        raise PathRefused(f"{text} is outside the folders that may be read ({allowed}). See the setting `folders`.")
    return path
