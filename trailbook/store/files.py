"""Artifact files: written aside, synced, renamed into place, and never changed after that."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from trailbook.errors import Invalid
from trailbook.faults import reach
from trailbook.model.base import ArtifactId, digest_of
from trailbook.store.decisions import DECISIONS
from trailbook.store.failures import disk_failures_told
from trailbook.store.masks import COARSE, PHANTOMS, is_form
from trailbook.store.remarks import REMARKS
from trailbook.store.row_names import ROWS

ARTIFACTS = "artifacts"
"""The folder of the data directory that they are in."""
BESIDE = (DECISIONS, REMARKS)
"""Files of a dataset that are kept, and make it another one."""

_ID = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class StagedContent:
    """What was adopted: its identity and its size in bytes."""

    id: ArtifactId
    size: int


class ArtifactFiles:
    """The artifacts below one directory: `artifacts/ab/abcd…` is a file, or a dataset's directory of part files."""

    def __init__(self, data: Path) -> None:
        self._root = data / ARTIFACTS
        self.staging = data / "staging"

    def prepare(self) -> None:
        """Make the directories, and sweep what a crash left half written."""
        self._root.mkdir(exist_ok=True)
        self.staging.mkdir(exist_ok=True)
        for leftover in self.staging.iterdir():
            self.discard(leftover)

    def stage(self) -> Path:
        """A fresh private directory to write into, on the file system of the artifacts."""
        with disk_failures_told(str(self.staging)):
            return Path(tempfile.mkdtemp(dir=self.staging))

    def discard(self, staged: Path) -> None:
        """Delete what was staged; not an error if it is gone already."""
        if staged.is_dir() and not staged.is_symlink():
            shutil.rmtree(staged, ignore_errors=True)
        else:
            staged.unlink(missing_ok=True)

    def identify(self, path: Path) -> ArtifactId:
        """What will be the id of a staged file, or of a staged dataset."""
        with disk_failures_told(str(path)):
            if not path.is_dir():
                return ArtifactId(digest_of_file(path))
            _make_canonical(path)
            return _digest_of_dataset(path)

    def adopt_file(self, path: Path) -> StagedContent:
        """Move a staged file into its place; harmless if the same content is there already."""
        with disk_failures_told(str(path)):
            _require_plain(path)
            content = StagedContent(ArtifactId(digest_of_file(path)), path.stat().st_size)
            _seal(path)
            target = self._make_room(content.id)
            os.replace(path, target)
            sync(target.parent)
        reach("artifact.renamed")
        return content

    def adopt_directory(self, path: Path) -> StagedContent:
        """Move a staged dataset into its place: its Parquet part files in the order of their names, and its doubts."""
        with disk_failures_told(str(path)):
            _make_canonical(path)
            files = _files_of(path)
            content = StagedContent(_digest_of_dataset(path), sum(file.stat().st_size for file in files))
            for file in files:
                _seal(file)
            for directory in {file.parent for file in files} | {path}:
                sync(directory)
            os.utime(path)
            self._move_directory(path, self._make_room(content.id))
        reach("artifact.renamed")
        return content

    def path(self, id: ArtifactId) -> Path:
        """Where the artifact is, or would be."""
        if not _ID.fullmatch(id):
            raise Invalid(f"{id!r} is not an artifact's id: 64 digits 0-9a-f.")
        return self._root / id[:2] / id

    def has(self, id: ArtifactId) -> bool:
        return self.path(id).exists()

    def ids(self) -> Iterator[ArtifactId]:
        """The ids of all artifacts that have files, in no order."""
        for path in self._root.glob("??/*"):
            if _ID.fullmatch(path.name) and path.parent.name == path.name[:2]:
                yield ArtifactId(path.name)

    def strangers(self) -> Iterator[Path]:
        """What lies among the artifacts and was not put there by Trailbook."""
        for path in self._root.glob("*"):
            if not re.fullmatch(r"[0-9a-f]{2}", path.name) or not path.is_dir():
                yield path
            else:
                yield from (child for child in path.iterdir() if not _ID.fullmatch(child.name))

    def size(self, id: ArtifactId) -> int:
        path = self.path(id)
        return sum(file.stat().st_size for file in (_files_of(path) if path.is_dir() else [path]))

    def is_older(self, id: ArtifactId, moment: datetime) -> bool:
        """Whether there are files, and nobody adopted the same content since that moment."""
        try:
            return self.path(id).stat().st_mtime < moment.timestamp()
        except FileNotFoundError:
            return False

    def is_intact(self, id: ArtifactId) -> bool:
        """Whether the content is still what the id says, or there is none."""
        path = self.path(id)
        try:
            return id == (_digest_of_dataset(path) if path.is_dir() else digest_of_file(path))
        except FileNotFoundError:
            return True

    def withdraw(self, id: ArtifactId) -> Path:
        """Take the files out of their place at one stroke; what is returned is to be discarded."""
        away = self.stage() / id
        with disk_failures_told(str(self._root)):
            self.path(id).rename(away)
        return away.parent

    def remove(self, id: ArtifactId) -> None:
        if self.has(id):
            self.discard(self.withdraw(id))

    def _make_room(self, id: ArtifactId) -> Path:
        target = self.path(id)
        if not target.parent.exists():
            target.parent.mkdir(exist_ok=True)
            sync(self._root)
        return target

    def _move_directory(self, path: Path, target: Path) -> None:
        try:
            path.rename(target)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
            # The same content is there: count it as adopted now, so that gc gives it a new grace period.
            os.utime(target)
            self.discard(path)
        sync(target.parent)


def _make_canonical(directory: Path) -> None:
    """Drop all but the part files, its own and those in its folders, and name those by their position."""
    folders = [directory / name for name in (PHANTOMS, ROWS)]
    beside = [path for path in directory.iterdir() if path.name in (COARSE, *BESIDE) or is_form(path.name)]
    for folder in folders:
        if folder.is_symlink():
            raise Invalid(f"{folder.name} is not a plain directory, so it can't be stored.")
    for path in beside:
        _require_plain(path)
    _name_parts(directory, kept=(*folders, *beside))
    for folder in folders:
        if folder.exists():
            _name_parts(folder)


def _name_parts(directory: Path, kept: Sequence[Path] = ()) -> None:
    found = sorted(directory.iterdir())
    parts = [path for path in found if path.suffix == ".parquet" and path.name[0] not in "._"]
    if not parts:
        raise Invalid(f"{directory.name} holds no Parquet part files, so it is no dataset.")
    for path in found:
        if path not in parts and path not in kept:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    for path in parts:
        _require_plain(path)
    # Two steps, since a writer's own names may collide with ours.
    aside = [part.rename(directory / f"{i}.part") for i, part in enumerate(parts)]
    for i, part in enumerate(aside):
        part.rename(directory / f"part-{i:05}.parquet")


def _files_of(directory: Path) -> list[Path]:
    """All files of a dataset, in an order that is always the same."""
    return sorted(path for path in directory.rglob("*") if not path.is_dir())


def _require_plain(path: Path) -> None:
    """Refuse what may change without being touched, as links do, or never end, as pipes do."""
    if not stat.S_ISREG(path.lstat().st_mode):
        raise Invalid(f"{path.name} is not a plain file, so it can't be stored.")


def _digest_of_dataset(directory: Path) -> ArtifactId:
    files = _files_of(directory)
    beside = [file for file in files if is_form(file.name) or file.name in BESIDE or file.parent.name == ROWS]
    by_name = {str(file.relative_to(directory)): digest_of_file(file) for file in beside}
    parts = [file for file in files if file.parent == directory and file.name != COARSE and file not in beside]
    phantoms = [digest_of_file(file) for file in files if file.parent.name == PHANTOMS]
    coarse = (directory / COARSE) in files
    doubts = [phantoms, coarse] if phantoms or coarse else []
    return ArtifactId(digest_of("dataset", [*map(digest_of_file, parts)], *doubts, *([by_name] if by_name else [])))


def digest_of_file(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _seal(path: Path) -> None:
    """Read-only from now on, dated now, and on disk."""
    path.chmod(0o444)
    os.utime(path)
    sync(path)


def sync(path: Path) -> None:
    """See to it that a file's content, or a directory's entries, survive a loss of power."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
