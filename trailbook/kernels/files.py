"""The files that a run reads and writes, gathered while it runs."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path

from trailbook.kernels.home import Home
from trailbook.kernels.observed import CHANGED
from trailbook.store.outside import FOLDER, Signs, file_digest, signs_of

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_UNNAMED = getattr(os, "O_TMPFILE", 0)
_COMPILED = re.compile(r"/__pycache__/([^/]+?)\.[^/]*pyc[^/]*$")
_SHARED_LIBRARY = re.compile(r"\.so(\.[\d.]+)?$|\.dylib$")


class Files:
    """Takes what happens to files, in order. `signs` are always those from right before."""

    def __init__(
        self, work: Path, uncounted: tuple[str, ...], work_before: dict[str, Signs | None], home: Home | None
    ) -> None:
        """Paths that begin with one of `uncounted` belong to the machine, the software or Trailbook."""
        self._home = home
        self._work = str(work)
        self._below_work = f"{work}/"
        self._uncounted = uncounted
        self._before: dict[str, Signs | None] = {}
        self._read: dict[str, Signs | None] = {}
        self._listed: dict[str, str | None] = {}
        self._folders: set[str] = set()
        self._made: set[str] = set()
        self._work_before = work_before

    def counts(self, path: str) -> bool:
        """Whether anybody wants to know what happens to it."""
        if self.is_work(path) or (self._home and self._home.has(path)):
            return True
        return not f"{path}/".startswith(self._uncounted) and not _SHARED_LIBRARY.search(path)

    def opened(self, path: str, flags: int, signs: Signs | None) -> None:
        if _UNNAMED and flags & _UNNAMED == _UNNAMED:
            return
        if compiled := _COMPILED.search(path):
            # Python looks for the compiled form of a module first, and believes it if the module's file is as it was.
            path, flags = f"{path[: compiled.start()]}/{compiled[1]}.py", os.O_RDONLY
            signs = signs_of(path)
        creates = flags & os.O_CREAT and signs is None
        # Appending, and making a file only if there is none, depend on what was there.
        if not flags & os.O_TRUNC and (flags & os.O_ACCMODE != os.O_WRONLY or flags & os.O_CREAT):
            self._looked_at(path, signs)
        if flags & WRITES:
            self._needs_folder(path)
            self._changes(path, signs)
        if flags & os.O_TRUNC or creates:
            self._made.add(path)

    def looked(self, path: str, signs: Signs | None, *, follows: bool) -> None:
        """It was asked whether it is there, or what it is."""
        if twin := self._twin(path):
            self.looked(twin, signs, follows=follows)
        if not signs or not stat.S_ISDIR(signs.mode):
            self._looked_at(path, signs)
        # To find out where a path leads, each folder on the way is asked whether it is a link.
        elif follows and path != self._work and not self._is_own(path):
            self._folders.add(path)

    def taken(self, path: str, signs: Signs | None) -> None:
        """What is there is used as it is, whatever it is: moved, linked to, deleted, started."""
        self._needs_folder(path)
        self._looked_at(path, signs)
        if signs and stat.S_ISDIR(signs.mode) and not self._is_own(path):
            for folder, folders, names in os.walk(path):
                for below in (os.path.join(folder, name) for name in (*folders, *names)):
                    self._looked_at(below, signs_of(below))

    def made_folder(self, path: str, signs: Signs | None) -> None:
        if self.is_work(path):
            # Had a cell above made it, it would have been there.
            self.looked(path, signs, follows=True)
        if signs is None:
            self.replaced(path, signs)

    def changed(self, path: str, signs: Signs | None) -> None:
        """It is moved, cut or deleted, which only goes if it is there, and depends on what it is."""
        self.taken(path, signs)
        self._changes(path, signs)

    def replaced(self, path: str, signs: Signs | None) -> None:
        """From now on the name stands for something that this run put there."""
        self._needs_folder(path)
        self._changes(path, signs)
        self._made.add(path)

    def _changes(self, path: str, signs: Signs | None) -> None:
        if "/__pycache__/" not in f"{path}/":
            self._before.setdefault(path, signs)

    def _needs_folder(self, path: str) -> None:
        """Nothing can be put into a folder that a cell above has yet to make."""
        folder = os.path.dirname(path)
        if self.is_work(folder):
            self.looked(folder, signs_of(folder), follows=True)

    def _looked_at(self, path: str, signs: Signs | None) -> None:
        if self._is_own(path):
            # A link of this run's own leads to what may not be.
            real = os.path.realpath(path)
            if real != path and self.counts(real):
                self._looked_at(real, signs)
            return
        if path in self._read:
            return
        if twin := self._twin(path):
            self._looked_at(twin, signs)
        if signs and stat.S_ISDIR(signs.mode):
            # At once, since this run may put files there that it did not see.
            if path not in self._listed:
                self._listed[path] = _digest_if_still(path, signs)
        else:
            self._read[path] = self._before.get(path, signs)

    def _twin(self, path: str) -> str | None:
        return self._home.twin(path) if self._home else None

    def _is_own(self, path: str) -> bool:
        """Whether this run put there what is there."""
        return path in self._made or any(str(folder) in self._made for folder in Path(path).parents)

    def is_work(self, path: str) -> bool:
        return path == self._work or path.startswith(self._below_work)

    def read(self, only_imports: set[str]) -> dict[str, str | None]:
        """At the end: path → digest. Folders that were listed only to find modules are left out."""
        listed = {path: digest for path, digest in self._listed.items() if path not in only_imports}
        files = {path: _digest_if_still(path, signs) for path, signs in self._read.items()}
        # A file that was found goes when one of its folders does.
        implied = {str(folder) for path, digest in files.items() if digest for folder in Path(path).parents}
        there = {f"{path}/": FOLDER for path in self._folders - implied - only_imports}
        return {path: digest for path, digest in (listed | files | there).items() if not self.is_work(path)}

    def written(self) -> tuple[str, ...]:
        """At the end: what is not as it was before the run touched it, outside the work directory."""
        different = (path for path, signs in self._before.items() if signs_of(path) != signs)
        return tuple(sorted(path for path in different if not self.is_work(path)))

    def work_read(self) -> tuple[str, ...]:
        """What this run looked at in the work directory and had not made itself, found or not."""
        return self._relative(self._read.keys() | self._folders)

    def work_listed(self, only_imports: set[str]) -> tuple[str, ...]:
        """Folders of the work directory, which is itself an empty path, of which this run saw the names."""
        return self._relative(self._listed.keys() - only_imports)

    def _relative(self, paths: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(path[len(self._below_work) :] for path in paths if self.is_work(path)))

    def work_changes(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """At the end: files of the work directory that are new or changed, and those that are gone."""
        before, now = self._work_before, snapshot(Path(self._work), self._home)
        written = tuple(sorted(path for path, signs in now.items() if before.get(path) != signs))
        return written, tuple(sorted(before.keys() - now.keys()))


def _digest_if_still(path: str, signs: Signs | None) -> str | None:
    """Of what was there when the signs were taken. What is neither file nor directory is another thing each time."""
    digest = file_digest(path)
    if signs_of(path) != signs or (signs and digest is None):
        return CHANGED
    return digest


def snapshot(directory: Path, home: Home | None) -> dict[str, Signs | None]:
    """The files below it, by their relative paths, without links to the notebook's folder."""
    paths = (os.path.join(folder, name) for folder, _, names in os.walk(directory) for name in names)
    own = (path for path in paths if not (home and home.is_link(path)))
    return {os.path.relpath(path, directory): signs_of(path) for path in own}
