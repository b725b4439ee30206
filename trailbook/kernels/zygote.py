"""Processes that are forked for each run, so that an interpreter is ready at once, with the libraries that it needs.

A plain one is there from the start, and has no libraries. From that, others are forked that load the usual ones, and
those that cells imported of late. While one loads, the one before serves the cells; what it must not have loaded ends
it, and is not loaded again.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Collection
from pathlib import Path

from trailbook.errors import CellFailed
from trailbook.kernels.forking import Forked, LoadedZygote, PlainZygote, ZygoteProcess
from trailbook.kernels.modules import Learned, package_of

LIBRARIES = (
    "numpy",
    "numpy.rec",
    "pyarrow.parquet",
    "trailbook.kernels.child.frames.tables",
    "pandas",
    "pandas.io.formats.html",
    "pandas.io.formats.string",
    "pandas.io.formats.csvs",
    "pandas.core.reshape.reshape",
    "pyarrow.pandas_compat",
    "trailbook.kernels.child.frames.blocks",
    "pyarrow.dataset",
    "matplotlib.pyplot",
    "matplotlib.backends.backend_agg",
    "trailbook.kernels.child.spark.session",
    "asyncio",
)
"""What is needed first stands first: who needs a package waits for all of it that is listed, and for what is before.

Some are parts that a library loads no sooner than it needs them.
"""
PACKAGES = frozenset(map(package_of, LIBRARIES))
IDLE_SECONDS = 0.5
"""Without a run that starts for so long, there is time to load modules."""


class Zygote:
    """Can be asked to fork at any time: if no process is there yet, or it is gone, one is started."""

    def __init__(self, interpreter: str = sys.executable) -> None:
        self._interpreter = interpreter
        self._lock = threading.RLock()
        self._plain: PlainZygote | None = None
        self._loaded: LoadedZygote | None = None
        self._next: LoadedZygote | None = None
        self._learned = Learned()
        self._timer: threading.Timer | None = None

    def start(self) -> None:
        """Have it ready before it is needed."""
        with self._lock:
            self._alive()
            self._load_soon()

    def fork(
        self, directory: Path, temporary: Path, descriptors: list[int], modules: Collection[str] = frozenset()
    ) -> Forked:
        """A fresh process in the directory, with these as its stdout, its stderr and its talk with the host.

        `modules` are those that its code needs, as far as that is known.
        """
        request = {"directory": str(directory), "temporary": str(temporary), "modules": sorted(modules)}
        for _ in range(3):
            forked = self._chosen(modules).fork(request, descriptors)
            if forked:
                return forked
        raise CellFailed("No process could be started for this cell: the one it is forked from keeps ending.")

    def close(self) -> None:
        """End all, and with them what was forked."""
        with self._lock:
            if self._timer:
                self._timer.cancel()
            ended = [self._plain, self._loaded, self._next]
            self._plain = self._loaded = self._next = None
        for process in ended:
            if process:
                process.close()

    def _chosen(self, modules: Collection[str]) -> ZygoteProcess:
        """The plain one for a run that needs no modules, or none of those that are being loaded."""
        with self._lock:
            plain = self._alive()
            others = {module for module in modules if package_of(module) not in PACKAGES}
            self._learned.learn(others)
            if self._loaded is None and len(others) < len(modules):
                self._load()
            self._load_soon()
            if modules and self._loaded and (self._loaded.is_ready or len(others) < len(modules)):
                return self._loaded
            return plain

    def _alive(self) -> PlainZygote:
        if self._plain is None or self._plain.is_gone:
            self._plain = PlainZygote(self._interpreter)
        if self._loaded and self._loaded.is_gone:
            self._loaded = None
        return self._plain

    def _load_soon(self) -> None:
        if self._timer:
            self._timer.cancel()
        if self._lacking():
            self._timer = threading.Timer(IDLE_SECONDS, self._load)
            self._timer.daemon = True
            self._timer.start()

    def _lacking(self) -> bool:
        """Whether a process that is loaded anew would have something that the present one has not."""
        return self._loaded is None or not self._loaded.modules.issuperset(self._learned)

    def _load(self) -> None:
        with self._lock:
            if self._plain is None or self._plain.is_gone or self._next or not self._lacking():
                return
            if self._loaded is None:
                self._loaded = LoadedZygote(self._plain, LIBRARIES, self._hear)
            elif self._loaded.is_ready:
                self._next = LoadedZygote(self._plain, (*LIBRARIES, *self._learned), self._hear)

    def _hear(self, process: ZygoteProcess) -> None:
        """One of the processes is ready, or gone."""
        with self._lock:
            if process.is_gone and process.loading:
                self._learned.forget(process.loading)
            if process is self._next:
                self._next = None
                if process.is_ready and not process.is_gone:
                    retired, self._loaded = self._loaded, process
                    if retired:
                        retired.retire()
            if self._plain:
                self._load_soon()
