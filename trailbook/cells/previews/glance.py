"""From what a Load cell names to a look at it: an upload, a file of this machine, or the beginning of one elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from trailbook.cells.capturing import terms_of
from trailbook.cells.previews.looker import Looker
from trailbook.cells.previews.model import FileInQuestion, Preview, Wanted
from trailbook.errors import Invalid, NotPreviewed
from trailbook.model.base import ArtifactId
from trailbook.settings import MIB, Settings
from trailbook.sources.local import allowed_path, held
from trailbook.store.files import ArtifactFiles

MOST_FETCHED = 4 * MIB


class Glance:
    """One look at what is in question. May be stopped from another thread."""

    def __init__(self, looker: Looker, files: ArtifactFiles, settings: Settings) -> None:
        self._looker = looker
        self._files = files
        self._settings = settings
        self._lock = threading.Lock()
        self._is_stopped = False
        self._stop: Callable[[], None] = lambda: None

    def stop(self) -> None:
        """End it now, whatever it waits for."""
        with self._lock:
            self._is_stopped = True
            self._stop()

    def at(self, asked: FileInQuestion) -> Preview:
        folder = self._files.stage()
        try:
            path, name, is_cut = self._found(asked, folder)
            said = asked.model_dump(include={"format", "member", "options", "types"})
            with held(path) as same:
                wanted = Wanted(path=same, name=name, folder=folder, is_cut=is_cut, **said)
                look = self._looker.look(wanted)
                self._stopped_by(look.stop)
                return look.answer()
        except OSError as error:
            raise NotPreviewed(f"{asked.path or 'The file'} can't be read: {error.strerror or error}.") from error
        finally:
            self._files.discard(folder)

    def _found(self, asked: FileInQuestion, folder: Path) -> tuple[Path, str, bool]:
        """The file, without links in its path, what it is called, and whether it is only the beginning of one."""
        if bool(asked.file) + bool(asked.path) + bool(asked.url) != 1:
            raise Invalid("Name one file: an uploaded one, a path or an address.")
        if asked.url:
            return self._fetched(asked.url, folder)
        if asked.file:
            path, name = self._files.path(ArtifactId(asked.file)).resolve(), asked.file_name or asked.file
        else:
            path = allowed_path(asked.path, self._settings.readable_folders, self._settings.data)
            name = path.name
        if path.is_dir():
            raise NotPreviewed(f"{asked.path} is a folder. Name a file in it.")
        if not path.is_file():
            raise NotPreviewed(f"There is no file {asked.path or name}.")
        return path, name, False

    def _fetched(self, url: str, folder: Path) -> tuple[Path, str, bool]:
        from trailbook.sources.remote import Fetch

        terms = replace(terms_of(self._settings), most_bytes=MOST_FETCHED, may_be_cut=True)
        fetch = Fetch(url, terms, lambda done, total: None)
        self._stopped_by(fetch.stop)
        found = fetch.to_file(folder / "fetched")
        return found.path.resolve(), found.name, found.size >= MOST_FETCHED

    def _stopped_by(self, stop: Callable[[], None]) -> None:
        with self._lock:
            self._stop = stop
            if self._is_stopped:
                stop()
