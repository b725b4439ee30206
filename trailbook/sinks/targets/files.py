"""Files of this machine, inside the allowed folders."""

from __future__ import annotations

import dataclasses
import errno
import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from trailbook.errors import NameTaken, NotExported, NotFound, PathRefused, TrailbookError
from trailbook.model.base import new_id

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
NAMELESS = getattr(os, "O_TMPFILE", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW


def path_of(text: str) -> Path:
    """The file that somebody means."""
    try:
        path = Path(text).expanduser().absolute()
    except RuntimeError as error:
        raise PathRefused(f"{text} is no path: {error}.") from error
    try:
        os.fsencode(path)
    except UnicodeEncodeError as error:
        raise PathRefused(f"{text!r} is no path: it has half of a character in it.") from error
    if "\0" in text:
        raise PathRefused(f"{text!r} is no path: it has a NUL in it.")
    return path


@dataclass(frozen=True)
class FileTarget:
    """A path, absolute. Written aside and renamed; a file that is there is replaced only if that is wanted.

    `folders` are those it may lie in, and `kept_out` is one of them that it may not.
    """

    path: Path
    folders: tuple[Path, ...]
    kept_out: Path | None = None
    replace: bool = False

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def shown(self) -> str:
        return str(self.path)

    def beside(self, name: str) -> FileTarget:
        return dataclasses.replace(self, path=self.path.with_name(name), replace=True)

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        try:
            with ExitStack() as resources:
                folder = self._opened_folder(resources)
                self._require_free(folder)
                yield resources.enter_context(self._written_aside(folder))
        except OSError as error:
            raise self._told(error) from error

    def clear(self) -> None:
        try:
            with ExitStack() as resources, suppress(FileNotFoundError):
                os.unlink(self.name, dir_fd=self._opened_folder(resources))
        except OSError as error:
            raise self._told(error) from error

    def _opened_folder(self, resources: ExitStack) -> int:
        """The folder of the file, reached from the allowed one step by step: a link that appears now is refused."""
        root, steps = self._steps()
        folder = _open(resources, str(root), None)
        for step in steps:
            folder = _open(resources, step, folder)
        return folder

    def _steps(self) -> tuple[Path, tuple[str, ...]]:
        parent = self.path.parent.resolve()
        if self.path.resolve() in [folder.resolve() for folder in self.folders]:
            raise self._is_folder
        root = next((folder.resolve() for folder in self.folders if parent.is_relative_to(folder.resolve())), None)
        if root is None:
            allowed = ", ".join(map(str, self.folders)) or "none"
            raise PathRefused(f"{self.path} is outside the folders that may be written to ({allowed}).")
        if self.kept_out and parent.is_relative_to(self.kept_out.resolve()):
            raise PathRefused(f"{self.path} is where Trailbook keeps its own files. Choose another folder.")
        steps = parent.relative_to(root).parts
        if any(part.startswith(".") for part in (*steps, self.name)) or not self.name:
            raise PathRefused(
                f"{self.path} is no file that people see: its name, or that of a folder, starts with a dot."
            )
        return root, steps

    @property
    def _is_taken(self) -> NameTaken:
        return NameTaken(f"There is a file {self.path} already. Choose another name, or say that it is replaced.")

    @property
    def _is_folder(self) -> NameTaken:
        return NameTaken(f"{self.path} is a folder. Name a file in it.")

    def _require_free(self, folder: int) -> int | None:
        """Who may read and write the file that will be replaced, if there is one."""
        try:
            mode = os.stat(self.name, dir_fd=folder, follow_symlinks=False).st_mode
        except FileNotFoundError:
            return None
        if stat.S_ISDIR(mode):
            raise self._is_folder
        if not self.replace:
            raise self._is_taken
        return stat.S_IMODE(mode) if stat.S_ISREG(mode) else None

    @contextmanager
    def _written_aside(self, folder: int) -> Iterator[BinaryIO]:
        aside = f".trailbook-{new_id()}"
        try:
            with os.fdopen(_new(aside, folder), "wb") as file:
                yield file
                file.flush()
                mode = self._require_free(folder)
                if mode is not None:
                    os.fchmod(file.fileno(), mode)
                os.fsync(file.fileno())
                if not os.fstat(file.fileno()).st_nlink:
                    os.link(f"/proc/self/fd/{file.fileno()}", aside, dst_dir_fd=folder)
            # Somebody else may have been faster: a link does not replace.
            put = os.rename if self.replace else os.link
            put(aside, self.name, src_dir_fd=folder, dst_dir_fd=folder)
            os.fsync(folder)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(aside, dir_fd=folder)

    def _told(self, error: OSError) -> TrailbookError:
        # Links were followed before: what is one now came in between.
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            return PathRefused(f"{self.path.parent} is no folder: it is a file, or a link that has just been made.")
        if error.errno == errno.EEXIST:
            return self._is_taken
        if error.errno == errno.ENOENT:
            return NotFound(f"There is no folder {self.path.parent}. Make it first.")
        return NotExported(f"{self.path} can't be written: {error.strerror or error}.")


def _new(name: str, folder: int) -> int:
    """A file without a name where there is such a thing, so that nothing is left of it when the server is killed."""
    if NAMELESS:
        with suppress(OSError):
            return os.open(".", os.O_WRONLY | NAMELESS, 0o666, dir_fd=folder)
    return os.open(name, _NEW, 0o666, dir_fd=folder)


def _open(resources: ExitStack, path: str, folder: int | None) -> int:
    descriptor = os.open(path, _FOLDER, dir_fd=folder)
    resources.callback(os.close, descriptor)
    return descriptor
