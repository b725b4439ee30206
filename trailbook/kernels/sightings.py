"""Takes in what is seen of a run, from whoever sees it, and sums it up at the end."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, get_args
from urllib.parse import urlsplit

from trailbook.kernels.files import Files
from trailbook.kernels.home import Home
from trailbook.kernels.observed import Observed
from trailbook.store.outside import Signs, signs_of

WORK = "work"
"""The directory below scratch that a run starts in."""
_OF_THE_MACHINE = (
    *("/usr/bin", "/usr/include", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/sbin", "/usr/share"),
    *("/usr/local/bin", "/usr/local/include", "/usr/local/lib", "/usr/local/share", "/usr/local/etc"),
    *("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/System", "/Library"),
    *("/proc", "/sys", "/dev", "/run"),
    *("/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/etc/timezone", "/etc/fonts", "/etc/ssl"),
    *("/etc/hosts", "/etc/host.conf", "/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services"),
    *("/etc/netsvc.conf", "/etc/svc.conf"),
)
"""Programs, libraries, fonts, time zones, devices, and how names of hosts are found."""
_TEMPORARY = ("/var/tmp/polars-",)
"""Where libraries look for what they left behind in earlier processes."""


class Opened(NamedTuple):
    path: str
    flags: int


class Looked(NamedTuple):
    """Asked whether something is there, or what it is; `follows` is whether a link is followed."""

    path: str
    follows: bool = True


class MadeFolder(NamedTuple):
    """Unless there was something of that name."""

    path: str


class Taken(NamedTuple):
    """Linked to, or a folder removed: what is there is used as it is."""

    path: str


class Changed(NamedTuple):
    """Moved, cut or deleted."""

    path: str


class Replaced(NamedTuple):
    """The path stands for something else from now on."""

    path: str


class Executed(NamedTuple):
    path: str


class Connected(NamedTuple):
    host: str
    port: int


class Drew(NamedTuple):
    """Took random numbers that nobody can take again."""


class ReadClock(NamedTuple):
    """Asked what time it is."""


class ReadVariable(NamedTuple):
    """Read a variable of the environment."""

    name: str


class Listed(NamedTuple):
    """Listed a folder for what is in it."""

    folder: str


class Imported(NamedTuple):
    """Listed folders to find modules."""

    folders: list[str]


class Missed(NamedTuple):
    """Did, or may have done, something that can't be made out."""


OfFile = Opened | Looked | MadeFolder | Taken | Changed | Replaced
Sighting = OfFile | Executed | Connected | Drew | ReadClock | ReadVariable | Listed | Imported | Missed
KINDS: tuple[type[Sighting], ...] = get_args(Sighting)


class Sightings:
    """What one run was seen to do. One thread at a time tells."""

    def __init__(
        self,
        scratch: Path,
        uncounted: tuple[str, ...],
        work_before: dict[str, Signs | None],
        home: Home | None = None,
    ) -> None:
        """Files below `uncounted` are not counted, nor those of the machine, nor scratch but for the work directory."""
        prefixes = (*_prefixes((*_OF_THE_MACHINE, *uncounted)), *_prefixes((str(scratch),)), *_TEMPORARY)
        self._files = Files((scratch / WORK).resolve(), prefixes, work_before, home)
        self._expected: set[Connected] = set()
        self._network: set[Connected] = set()
        self._programs: dict[str, None] = {}
        self._variables: dict[str, None] = {}
        self._import_folders: set[str] = set()
        self._listed: set[str] = set()
        self._randomness = False
        self._clock = False
        self._complete = True

    def take(self, sighting: Sighting, look: Callable[[str], Signs | None] = signs_of) -> None:
        """`look` tells the signs of a file as they are right before."""
        match sighting:
            case Opened(path) | Looked(path) | MadeFolder(path) | Taken(path) | Changed(path) | Replaced(path):
                if self._files.counts(path):
                    self._take_file(sighting, look(path))
            case Executed(path):
                # A program is looked for in one folder after the other.
                found = os.access(path, os.X_OK)
                if self._files.is_work(path) or (found and self._files.counts(path)):
                    self._files.taken(path, look(path))
                if found:
                    self._programs[path] = None
            case Connected():
                self._network.add(sighting)
            case ReadVariable(name):
                self._variables[name] = None
            case Listed(folder):
                self._listed.add(folder)
            case Imported(folders):
                self._import_folders |= set(folders)
            case _:
                self._randomness |= isinstance(sighting, Drew)
                self._clock |= isinstance(sighting, ReadClock)
                self._complete &= not isinstance(sighting, Missed)

    def _take_file(self, sighting: OfFile, signs: Signs | None) -> None:
        match sighting:
            case Opened(path, flags):
                self._files.opened(path, flags, signs)
            case Looked(path, follows):
                self._files.looked(path, signs, follows=follows)
            case MadeFolder(path):
                self._files.made_folder(path, signs)
            case Taken(path):
                self._files.taken(path, signs)
            case Changed(path):
                self._files.changed(path, signs)
            case Replaced(path):
                self._files.replaced(path, signs)

    def expect(self, url: str) -> None:
        """Connections to where the URL points are Trailbook's own."""
        parts = urlsplit(url)
        # A host that can't be found by now was reached by an address that nobody knows any more.
        with suppress(OSError):
            found = socket.getaddrinfo(parts.hostname, parts.port, type=socket.SOCK_STREAM)
            hosts = {str(address[0]) for *_, address in found}
            # Who is told to go to localhost tries both, whatever the machine's own list of names says.
            hosts |= {"127.0.0.1", "::1"} if hosts & {"127.0.0.1", "::1"} else set()
            self._expected |= {Connected(host, parts.port or 0) for host in hosts}

    def observed(self) -> Observed:
        """After the run's end."""
        only_imports = self._import_folders - self._listed
        work_written, work_deleted = self._files.work_changes()
        return Observed(
            files_read=self._files.read(only_imports),
            files_written=self._files.written(),
            work_read=self._files.work_read(),
            work_listed=self._files.work_listed(only_imports),
            work_written=work_written,
            work_deleted=work_deleted,
            variables_read=tuple(self._variables),
            # Port 0 is how the resolver finds out which of the machine's own addresses would be used.
            network=tuple(sorted(_endpoint(*to) for to in self._network - self._expected if to.port)),
            subprocesses=tuple(self._programs),
            randomness=self._randomness,
            clock=self._clock,
            complete=self._complete,
        )


@lru_cache(maxsize=16)
def _prefixes(folders: tuple[str, ...]) -> tuple[str, ...]:
    """Of the paths below them, also as the kernel knows them, which has followed all links."""
    return tuple({f"{path.rstrip('/')}/" for folder in folders for path in (folder, os.path.realpath(folder))})


def _endpoint(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
