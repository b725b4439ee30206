"""What all ways to shut a run in have in common: it can read what it is given, and all that it started ends with it."""

from __future__ import annotations

import os
import select
import shutil
import signal
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from trailbook.errors import CellFailed
from trailbook.kernels.forking import Forked, ZygoteProcess, child_environment
from trailbook.kernels.modules import package_of
from trailbook.kernels.names import Given, GivenDataset, GivenValue
from trailbook.kernels.zygote import LIBRARIES

GIVEN = "given"
"""The folder below scratch that only the host can write to."""
HOME = "/tmp"
NO_SPARK = (
    "a cell that is shut in has none, since what Spark runs for it would run outside. "
    "Query the data in a SQL cell, or start the server with isolation = process."
)
_PASSED_ON = frozenset({"LANG", "MPLBACKEND", "PYTHONHASHSEED", "SPARK_CONNECT_MODE_ENABLED", "TZ"})


class Enclosure(ABC):
    """Shuts in each run by itself. All paths inside are those outside, as far as they are there at all."""

    takes_packages: ClassVar[bool] = True
    """Whether a notebook can have packages of its own in there."""

    def fork(self, directory: Path, temporary: Path, descriptors: list[int], modules: Collection[str]) -> Forked:
        """A fresh process in a fresh enclosure; see `Zygote.fork`."""
        scratch = directory.parent
        (scratch / GIVEN).mkdir()
        # Loaded before the cell's code starts, none of what they open has to be watched.
        loaded = [name for name in LIBRARIES if package_of(name) in set(map(package_of, modules))]
        zygote = self._started(scratch, temporary, loaded)
        # The host takes it for the work directory by its real path.
        request = {"directory": str(directory.resolve()), "temporary": str(temporary), "modules": sorted(modules)}
        forked = zygote.fork(request, descriptors)
        if forked is None:
            raise CellFailed(f"This cell could not be shut in (setting isolation){zygote.problem}.")
        return forked

    def admit(self, given: Given, scratch: Path) -> Given:
        """The same, where the run can read it, and nobody can change it."""
        match given:
            case GivenDataset(_, path):
                return replace(given, path=_linked(path, scratch))
            case GivenValue(_, Path() as path):
                return replace(given, source=_linked(path, scratch))
        return given

    @abstractmethod
    def check(self) -> None:
        """Make sure, before anybody needs it, that there can be one. Raises BadSetting."""

    @abstractmethod
    def _started(self, scratch: Path, temporary: Path, modules: list[str]) -> EnclosedZygote:
        """A zygote that is forked once; `modules` are those to load before."""


class EnclosedZygote(ZygoteProcess):
    """In an enclosure of its own, with which it ends."""

    problem = ""
    """Why it could not be started, if that is known."""
    _init: int | None = None
    """Of the first process inside."""

    def signal(self, pid: int, number: int) -> None:
        """Numbers of processes mean something else inside; what is to end at once must not be asked to."""
        if number == signal.SIGKILL:
            self.close()
        else:
            self._send({"signal": number, "pid": pid})

    def reap(self, pid: int) -> None:
        """Wait for the end of all that was started inside."""
        self.close()
        with self._changed:
            self._changed.wait_for(lambda: self.is_gone)

    def _end(self) -> None:
        if self._init is not None:
            # The kernel ends all others with the first process, before that counts as ended.
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._init, signal.SIGKILL)
            select.select([self._init], [], [])
            os.close(self._init)
        super()._end()


def spellings(path: Path) -> set[str]:
    """As it is called, and as it is called once all links are followed."""
    return {str(path), str(path.resolve())}


def harmless_variables() -> dict[str, str]:
    """Those of which it is known that they hold no secrets, and mean the same inside."""
    passed = {
        name: value
        for name, value in child_environment().items()
        if name in _PASSED_ON or name.startswith(("LC_", "JE_")) or name.endswith("_NUM_THREADS")
    }
    return {**passed, "HOME": HOME, "USER": "cell"}


def _linked(path: Path, scratch: Path) -> Path:
    target = Path(tempfile.mkdtemp(dir=scratch / GIVEN)) / path.name
    if path.is_dir():
        shutil.copytree(path, target, copy_function=os.link)
    else:
        os.link(path, target)
    return target
