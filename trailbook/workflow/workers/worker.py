"""The process that runs cells for a server on another machine."""

from __future__ import annotations

import os
import socket
import threading
import time
import warnings
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import ValidationError

import trailbook
from trailbook.engine import Engine
from trailbook.errors import WorkerUnfit
from trailbook.kernels.environments.environments import Environments
from trailbook.kernels.isolation import settled
from trailbook.kernels.zygote import Zygote
from trailbook.model.base import RunId
from trailbook.model.runs import CellState
from trailbook.settings import Settings
from trailbook.store import runs
from trailbook.store.store import Store
from trailbook.workflow.environment import run_environment
from trailbook.workflow.execution import Bench, described
from trailbook.workflow.slots import Slots
from trailbook.workflow.workers import words
from trailbook.workflow.workers.broker import TASK, celery_app, connect, require_broker
from trailbook.workflow.workers.line import Line
from trailbook.workflow.workers.performance import Performance
from trailbook.workflow.workers.places import Place
from trailbook.workflow.workers.words import Errand


class Worker:
    """Takes up to `concurrency` runs at once, each in a thread, as a server does."""

    def __init__(self, settings: Settings, concurrency: int) -> None:
        require_broker(settings)
        settings = settled(settings)
        self.name = f"{socket.gethostname()}-{os.getpid()}"
        self._settings = settings
        self._concurrency = concurrency
        self._store = Store.visit(settings)
        self._celery = celery_app(settings, self._store.identity())
        self._redis = connect(settings)
        # The engine's files are not for others, and those of the server's are in the data directory.
        self._scratch = TemporaryDirectory(prefix="trailbook-worker-")
        zygote = Zygote()
        self._bench = Bench(
            settings,
            self._store,
            Engine(replace(settings, data=Path(self._scratch.name))),
            zygote,
            run_environment(settings),
            Environments(settings, zygote),
            Slots(concurrency),
        )
        self._lock = threading.Lock()
        self._performances: set[Performance] = set()

    def work(self, grace: float) -> int:
        """Take runs until a signal says to stop; those that last longer than `grace` seconds then are handed back."""
        from celery import signals  # type: ignore[import-untyped]
        from celery.platforms import SecurityWarning  # type: ignore[import-untyped]

        # It warns of root, and tells to use a flag that is not ours.
        warnings.simplefilter("ignore", SecurityWarning)
        signals.setup_logging.connect(_keep_logging, weak=False)
        stopping = threading.Event()
        signals.worker_shutting_down.connect(lambda **_: stopping.set(), weak=False)
        threading.Thread(target=self._hand_back, args=(stopping, grace), daemon=True).start()
        signals.worker_ready.connect(lambda **_: self._announce(), weak=False)
        self._celery.task(self.take, name=TASK)
        self._bench.engine.start()
        self._bench.zygote.start()
        worker = self._celery.Worker(
            pool="threads",
            concurrency=self._concurrency,
            hostname=f"trailbook@{self.name}",
            quiet=True,
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
        )
        worker.start()
        # Those that wait for a name have no thread of Celery's.
        for performance in self._under_way():
            performance.join()
        return int(worker.exitcode or 0)

    def close(self) -> None:
        self._bench.environments.close()
        self._bench.zygote.close()
        self._bench.engine.stop()
        self._store.close()
        self._redis.close()
        self._scratch.cleanup()

    def _announce(self) -> None:
        print(f"Trailbook worker {self.name} is ready for {self._concurrency} cells at once.", flush=True)

    def take(self, run: str, version: str, payload: str) -> None:
        """Do the errand of a run; stay until somebody else can have its place here."""
        place = Place(self._bench.slots)
        place.take()
        try:
            self._begin(RunId(run), version, payload, place)
        except BaseException:
            place.leave()
            raise
        place.wait_until_left()

    def _begin(self, run: RunId, version: str, payload: str, place: Place) -> None:
        line = Line(self._redis, self._settings, run, at_worker=True)
        if not self._is_wanted(run) or not line.take(self.name):
            place.leave()
            return
        try:
            errand = self._fitting(version, payload)
        except WorkerUnfit as error:
            line.say(words.Failed(error=described(error)))
            place.leave()
            return
        performance = Performance(self._bench, errand, line, place)
        with self._lock:
            self._performances = {one for one in self._performances if one.is_alive} | {performance}
        performance.start()

    def _is_wanted(self, run: RunId) -> bool:
        """Whether nobody has cancelled the run, or given it up, before it came here."""
        with self._store.reading() as tx:
            return runs.get(tx, run).state is CellState.RUNNING

    def _fitting(self, version: str, payload: str) -> Errand:
        """The errand, if what is made of it here is what the server would make, and where the server finds it."""
        if version != trailbook.__version__:
            raise WorkerUnfit(f"Worker {self.name} has Trailbook {trailbook.__version__}, the server has {version}.")
        try:
            errand = Errand.model_validate_json(payload)
        except ValidationError as error:
            raise WorkerUnfit(f"Worker {self.name} was asked for something that it does not understand.") from error
        work = errand.work
        if work.run.environment != self._bench.environment.of(work.cell.spec, work.packages):
            raise WorkerUnfit(
                f"Worker {self.name} would make something else of this cell than the server: its packages, its Python, "
                "and the settings spark, isolation and container_image must be the same, and the time zone."
            )
        if not (self._store.files.staging / errand.server).exists():
            raise WorkerUnfit(
                f"Worker {self.name} does not see the server's files in {self._settings.data}. "
                "Put the data directory on storage that both mount, and name it with --data."
            )
        return errand

    def _hand_back(self, stopping: threading.Event, grace: float) -> None:
        """What still goes on so many seconds after the worker was told to stop."""
        stopping.wait()
        time.sleep(grace)
        for performance in self._under_way():
            performance.hand_back()

    def _under_way(self) -> list[Performance]:
        with self._lock:
            return list(self._performances)


def _keep_logging(**_: object) -> None:
    """Celery leaves logging alone where somebody else sees to it."""
