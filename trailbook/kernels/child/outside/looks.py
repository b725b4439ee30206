"""Tells when Python asks about files without opening them: whether they are there, how large they are.

The functions of `os` are wrapped. Those of `os.path`, `pathlib`, `glob` and `shutil` go through them. Imports don't, so
that which finds modules is wrapped as well.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from trailbook.kernels.child.libraries.library_state import inherited_path
from trailbook.kernels.child.outside.callers import caller_behind
from trailbook.kernels.child.outside.notes import Notes

Ask = Callable[[str, int | None, bool], object]
"""Takes a path, the descriptor of the folder that it starts from, and whether a link there is followed."""

LOOKED = "trailbook.looked"
"""The audit event of a look."""
FINDERS = ("importlib", "pkgutil")
"""Packages that list folders only to find modules."""


def ask_kernel(path: str, directory: int | None, follows: bool) -> None:
    """Open the path as a name only, which the kernel tells the host, in the order in which things happen."""
    flags = os.O_PATH | os.O_CLOEXEC | (0 if follows else os.O_NOFOLLOW)
    os.close(os.open(path, flags, dir_fd=directory))


def ask_hook(path: str, directory: int | None, follows: bool) -> None:
    """The same where the kernel can't be asked."""
    sys.audit(LOOKED, path, directory, follows)


def note_looks(notes: Notes, installed: list[str], ask: Ask) -> None:
    """Wrap what asks about one path, and what lists a folder; paths of installed software don't count."""
    libraries = ("<frozen", *installed)
    looks = _Looks(ask, libraries)
    _put("lstat", _checking(os.lstat, looks, follows=False))
    _put("stat", _checking(os.stat, looks))
    for name in ("access", "chmod", "utime"):
        _put(name, _checking(getattr(os, name), looks))
    _put("readlink", _checking(os.readlink, looks, follows=False))
    listdir = os.listdir
    _put("listdir", _listing(os.listdir, notes))

    def look_at_all(path: Any) -> None:
        for name in listdir(path):
            looks.look(os.path.join(path, name), None, False)

    _put("scandir", _scanning(_listing(os.scandir, notes, depth=2), libraries, look_at_all))
    # After what is built in, and before what it asks.
    sys.meta_path.insert(sys.meta_path.index(PathFinder), _ModuleLooks(looks, libraries))


class _ModuleLooks:
    """Finds modules as Python does, and tells where it looked for one that is not of the environment, found or not."""

    def __init__(self, looks: _Looks, libraries: tuple[str, ...]) -> None:
        self._looks = looks
        self._libraries = libraries
        # After the first, which is the work directory.
        self._environment = tuple(f"{folder}/" for folder in inherited_path()[1:])

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target)
        if not self._is_of_environment(spec) and not caller_behind(sys._getframe(1), FINDERS).startswith(
            self._libraries
        ):
            for folder in sys.path if path is None else path:
                self._look(folder or os.getcwd(), name.rpartition(".")[2])
        return spec

    def _is_of_environment(self, spec: ModuleSpec | None) -> bool:
        places = [spec.origin or "", *(spec.submodule_search_locations or ())] if spec else []
        return any(place.startswith(self._environment) for place in places)

    def _look(self, folder: str, file: str) -> None:
        if not f"{folder}/".startswith(self._environment):
            for suffix in ("", ".py"):
                self._looks.look(os.path.join(folder, file + suffix), None, True)


class _Looks:
    """Asks for each path once: what a run finds at its first look decides what it depends on."""

    def __init__(self, ask: Ask, skipped: tuple[str, ...]) -> None:
        self._ask = ask
        self._skipped = skipped
        self._seen: set[tuple[str, bool, str]] = set()

    def look(self, path: Any, directory: int | None, follows: bool) -> None:
        # Whatever is wrong with a path, the function that was called says it best. A number is of an open file.
        with suppress(Exception):
            name = os.fsdecode(path)
            if directory is not None:
                self._ask(name, directory, follows)
                return
            key = (name, follows, "" if name.startswith("/") else os.getcwd())
            if not name.startswith(self._skipped) and key not in self._seen:
                self._seen.add(key)
                self._ask(name, None, follows)


def _checking(function: Callable[..., Any], looks: _Looks, *, follows: bool = True) -> Callable[..., Any]:
    @functools.wraps(function)
    def checking(path: Any, *arguments: Any, **named: Any) -> Any:
        looks.look(path, named.get("dir_fd"), named.get("follow_symlinks", follows))
        return function(path, *arguments, **named)

    return checking


def _listing(function: Callable[..., Any], notes: Notes, depth: int = 1) -> Callable[..., Any]:
    """What opens a folder is seen anyway; here it is told that it was not to find modules."""

    @functools.wraps(function)
    def listing(path: Any = ".") -> Any:
        caller = str(sys._getframe(depth).f_globals.get("__name__")).partition(".")[0]
        if caller not in FINDERS:
            with suppress(TypeError, OSError):
                notes.add("Listed", os.path.abspath(os.fsdecode(path or ".")))
        return function(path)

    return listing


def _scanning(
    scan: Callable[..., Any], libraries: tuple[str, ...], look_at_all: Callable[[Any], None]
) -> Callable[..., Any]:
    """Code that scans a folder itself can ask each entry for its size and times, which nobody sees."""

    @functools.wraps(scan)
    def scanning(path: Any = ".") -> Any:
        if not sys._getframe(1).f_code.co_filename.startswith(libraries):
            with suppress(Exception):
                look_at_all(path or ".")
        return scan(path)

    return scanning


def _put(name: str, wrapped: Callable[..., Any]) -> None:
    """In its place; the sets in which `os` says what its functions can do are asked for the very function."""
    plain = getattr(os, name)
    # Where pickle looks for it.
    wrapped.__module__ = "os"
    for able in (os.supports_fd, os.supports_dir_fd, os.supports_effective_ids, os.supports_follow_symlinks):
        if plain in able:
            able.add(wrapped)
    setattr(os, name, wrapped)
