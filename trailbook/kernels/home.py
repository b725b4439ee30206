"""The files of the notebook's own folder, as a run finds them in its work directory.

They are links, so that large ones cost nothing. One that the run is about to write to becomes a copy first: the folder
itself is never changed, and what a run writes is told apart from what it found. Of many files, symbolic links take
long to make, and further names for the same links don't: links are kept on a shelf, and a run gets names for them.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

_NOT_LINKED = frozenset({"__pycache__"})


_shelves = threading.Lock()


class Home:
    """A folder, and the work directory of one run, in which its files are to be found."""

    def __init__(self, folder: Path, work: Path) -> None:
        self._folder = folder.resolve()
        self._work = work.resolve()

    def lay_out(self, shelves: Path) -> None:
        """Link all that is not there already: the files of cells above come first. Links are kept in `shelves`."""
        shelf = shelves / f"links-{hashlib.sha256(bytes(self._folder)).hexdigest()[:16]}"
        with _shelves:
            names = _tidied(shelf, self._folder)
        taken = {entry.name: entry for entry in os.scandir(self._work)}
        for name in names - taken.keys():
            _take(shelf / name, self._work / name)
        for name in names & taken.keys():
            if taken[name].is_dir(follow_symlinks=False) and (self._folder / name).is_dir():
                _link_entries(self._folder / name, self._work / name)

    def has(self, path: str) -> bool:
        return Path(path).is_relative_to(self._folder)

    def twin(self, path: str) -> str | None:
        """The place in the folder that a path of the work directory stands for, if it is not the run's own file."""
        relative = self._relative(path)
        if relative is None:
            return None
        for link in self._prefixes(relative):
            if self._is_linked(link) or not (self._work / link).exists():
                break
        else:
            if not (self._work / relative).is_dir():
                return None
        return str(self._folder / relative)

    def is_link(self, path: str) -> bool:
        """Whether something in the work directory is as it was laid out."""
        # Asked of each file that there is.
        return os.path.islink(path) and os.readlink(path) == str(self._folder) + path.removeprefix(str(self._work))

    def detach(self, path: str, *, keeps_content: bool | None) -> None:
        """Make the path the run's own, since it is about to change; None if something else takes its place."""
        relative = self._relative(path)
        if relative is None:
            return
        *folders, last = self._prefixes(relative)
        for link in folders:
            if self._is_linked(link):
                self._put(link, partial(_copied_folder, self._folder / link, self._work.parent))
        if keeps_content is not None and self._is_linked(last) and (self._folder / last).is_file():
            self._put(last, partial(_copied_file, self._folder / last, self._work.parent, keeps_content))

    def _put(self, link: Path, copied: Callable[[], Path]) -> None:
        place = self._work / link
        try:
            made = copied()
        except OSError:
            # What can't be copied, on a full disk say, can't be written to, rather than in the folder itself.
            place.unlink()
            place.symlink_to(self._work.parent / "no" / "copy")
            raise
        if made.is_dir():
            place.unlink()
        made.replace(place)

    def _is_linked(self, relative: Path) -> bool:
        place = self._work / relative
        return place.is_symlink() and os.readlink(place) == str(self._folder / relative)

    def _relative(self, path: str) -> Path | None:
        return Path(path).relative_to(self._work) if Path(path).is_relative_to(self._work) else None

    def _prefixes(self, relative: Path) -> Iterator[Path]:
        """From the first folder to the path itself."""
        yield from [*reversed(relative.parents[:-1]), relative]


def _tidied(shelf: Path, folder: Path) -> set[str]:
    """What there is in the folder now, each with a link on the shelf."""
    shelf.mkdir(exist_ok=True)
    names = set(os.listdir(folder)) - _NOT_LINKED
    known = set(os.listdir(shelf))
    for name in known - names:
        (shelf / name).unlink()
    for name in names - known:
        (shelf / name).symlink_to(folder / name)
    return names


def _take(link: Path, place: Path) -> None:
    """A further name for a link, or one like it where there are too many by now."""
    try:
        os.link(link, place, follow_symlinks=False)
    except OSError:
        place.symlink_to(os.readlink(link))


def _link_entries(source: Path, target: Path) -> None:
    for entry in os.scandir(source):
        place = target / entry.name
        if entry.name in _NOT_LINKED:
            continue
        if place.is_dir() and not place.is_symlink() and entry.is_dir():
            _link_entries(Path(entry.path), place)
        elif not os.path.lexists(place):
            place.symlink_to(entry.path)


def _copied_folder(folder: Path, aside: Path) -> Path:
    """A folder of links to what is in it."""
    made = Path(tempfile.mkdtemp(dir=aside))
    _link_entries(folder, made)
    return made


def _copied_file(file: Path, aside: Path, keeps_content: bool) -> Path:
    made = Path(tempfile.mkdtemp(dir=aside)) / file.name
    if keeps_content:
        shutil.copyfile(file, made)
    else:
        made.touch()
    shutil.copymode(file, made)
    return made
