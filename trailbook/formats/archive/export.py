"""A project becomes an archive: as it was at one moment, in pieces as they are asked for."""

from __future__ import annotations

import stat
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from trailbook.errors import TooLarge
from trailbook.formats.archive.collecting import Collector
from trailbook.formats.archive.layout import LARGEST_RECORDS, MANIFEST, MOST_ENTRIES, MOST_RECORDS
from trailbook.model.base import ProjectId
from trailbook.settings import MIB
from trailbook.store.failures import disk_failures_told
from trailbook.store.store import Store

PIECE = MIB


@dataclass(frozen=True)
class _Entry:
    name: str
    path: Path
    size: int

    def info(self) -> ZipInfo:
        # Without the time of day, the same project is the same archive, but for its manifest.
        info = ZipInfo(self.name)
        info.compress_type = ZIP_STORED
        info.external_attr = (stat.S_IFREG | 0o644) << 16
        info.file_size = self.size
        return info


class Export:
    """An archive to be written. Entries are stored as they are, so its size is known before its first byte.

    Close it, read to its end or not: until then it holds on to the artifacts' files.
    """

    def __init__(self, store: Store, project: ProjectId) -> None:
        self._files = store.files
        self._folder = store.files.stage()
        try:
            with disk_failures_told(str(self._folder)), store.reading() as tx:
                self.manifest = Collector(tx, store.files, self._folder).collect(project)
            self._entries = list(_entries(self._folder))
            self._require_readable()
        except BaseException:
            self.close()
            raise

    @cached_property
    def size(self) -> int:
        """The bytes of the archive."""
        sink = _Counter()
        with ZipFile(sink, "w") as zip:  # type: ignore[call-overload]
            for entry in self._entries:
                info = entry.info()
                zip.open(info, "w").close()
                # As if that much had been written: what comes after, and the directory, depend on it.
                sink.count += entry.size
                info.file_size = info.compress_size = entry.size
                zip.start_dir = sink.tell()
        return sink.count

    def pieces(self) -> Generator[bytes, None, None]:
        """The bytes of the archive, in order."""
        sink = _Buffer()
        with disk_failures_told(str(self._folder)):
            with ZipFile(sink, "w") as zip:  # type: ignore[call-overload]
                for entry in self._entries:
                    with entry.path.open("rb") as source, zip.open(entry.info(), "w") as target:
                        while piece := source.read(PIECE):
                            target.write(piece)
                            if sink.held >= PIECE:
                                yield sink.taken()
            yield sink.taken()

    def close(self) -> None:
        self._files.discard(self._folder)

    def _require_readable(self) -> None:
        """Nothing is written that could not be read again."""
        lines = sum(self.manifest.records.values())
        size = sum(entry.size for entry in self._entries if entry.name.startswith("records/"))
        if size > LARGEST_RECORDS or lines > MOST_RECORDS:
            raise TooLarge(f"The project is too large for an archive: its history has {lines:,} records.")
        if len(self._entries) > MOST_ENTRIES:
            raise TooLarge(f"The project is too large for an archive: it would have {len(self._entries):,} entries.")


def _entries(folder: Path) -> Iterator[_Entry]:
    """The manifest, then records, then artifacts."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for path in sorted(files, key=lambda path: (path.name != MANIFEST, path.parts[len(folder.parts)] != "records")):
        yield _Entry(path.relative_to(folder).as_posix(), path, path.stat().st_size)


class _Counter:
    """Where nothing is kept of what is written but how much it was."""

    count = 0

    def write(self, data: bytes) -> int:
        self.count += len(data)
        return len(data)

    def tell(self) -> int:
        return self.count

    def flush(self) -> None: ...


class _Buffer(_Counter):
    """What was written since somebody took the rest."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self.held = 0

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        self.held += len(data)
        return super().write(data)

    def taken(self) -> bytes:
        taken = b"".join(self._pieces)
        self._pieces, self.held = [], 0
        return taken
