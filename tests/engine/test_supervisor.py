from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from tests.engine.queries import endless
from trailbook.engine import Engine, EngineState, EngineStatus
from trailbook.engine.errors import spark_errors
from trailbook.engine.sessions import report_progress
from trailbook.engine.supervisor import Supervisor
from trailbook.errors import EngineLost, EngineUnavailable
from trailbook.settings import GIB, Settings


class Witness:
    """Sees each status of an engine, and can wait for one."""

    def __init__(self, engine: Engine) -> None:
        self.seen: list[EngineStatus] = []
        self._changed = threading.Condition()
        engine.on_change(self._note)

    def _note(self, status: EngineStatus) -> None:
        with self._changed:
            self.seen.append(status)
            self._changed.notify_all()

    def wait_for(self, *states: EngineState) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: [s.state for s in self.seen[-len(states) :]] == [*states], 120)


@pytest.fixture
def own_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """An engine that a test may break, in a place where paths are not plain."""
    monkeypatch.setenv("LC_ALL", "C")
    engine = Engine(Settings(data=tmp_path / "Zoë's data 🐘", engine_memory=GIB))
    yield engine
    engine.stop()


def the_jvm() -> psutil.Process:
    """The last Java that this process started."""
    children = [child for child in psutil.Process().children() if child.name() == "java"]
    return max(children, key=lambda child: child.create_time())


def test_a_killed_spark_is_started_again_and_its_work_reported_lost(own_engine: Engine, tmp_path: Path) -> None:
    witness = Witness(own_engine)
    own_engine.start()
    before = own_engine.url()
    jvm = the_jvm()
    with own_engine.session() as spark:
        report_progress(spark, lambda done, total: jvm.kill() if jvm.is_running() else None)
        with pytest.raises(EngineLost, match="started again"), spark_errors():
            endless(spark).collect()
    witness.wait_for(EngineState.READY, EngineState.STARTING, EngineState.READY)
    assert "killed by signal 9" in witness.seen[-2].message
    assert own_engine.url() != before
    with own_engine.session() as spark:
        spark.range(5).write.parquet(str(tmp_path / "five 🐘"))
        assert spark.read.parquet(str(tmp_path / "five 🐘")).count() == 5


def test_a_spark_that_keeps_dying_at_its_start_fails_and_is_tried_again_when_asked(
    settings: Settings, tmp_path: Path
) -> None:
    starts = tmp_path / "starts"
    java = tmp_path / "java"
    java.write_text(
        "#!/bin/sh\n"
        'if [ "$2" = -version ]; then echo "java.specification.version = 17" >&2; exit 0; fi\n'
        f"echo start >> {starts}\necho something is broken >&2\nexit 3\n"
    )
    java.chmod(0o755)
    engine = Engine(replace(settings, java=str(java)))
    witness = Witness(engine)
    engine.start()
    try:
        witness.wait_for(EngineState.STARTING, EngineState.FAILED)
        with pytest.raises(EngineUnavailable, match=r"exit code 3[^$]*something is broken"):
            engine.url()
        assert starts.read_text().count("start") == 3
        engine.start()
        witness.wait_for(EngineState.FAILED, EngineState.STARTING, EngineState.FAILED)
        assert starts.read_text().count("start") == 6
    finally:
        engine.stop()


def test_a_spark_that_does_not_come_up_in_time_is_ended(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trailbook.engine.embedded.START_SECONDS", 0.1)
    java = tmp_path / "java"
    java.write_text(
        "#!/bin/sh\n"
        'if [ "$2" = -version ]; then echo "java.specification.version = 17" >&2; exit 0; fi\n'
        "exec sleep 600\n"
    )
    java.chmod(0o755)
    engine = Engine(replace(settings, java=str(java)))
    before = psutil.Process().children()
    engine.start()
    try:
        with pytest.raises(EngineUnavailable, match="did not start within"):
            engine.url()
        assert psutil.Process().children() == before
    finally:
        engine.stop()


class Broken:
    """A server with a defect."""

    name = "Spark"
    attempts = 3
    retry_seconds: float | None = None

    def launch(self, stopping: threading.Event) -> str:
        raise AssertionError("nobody thought of this")

    def outlast(self, stopping: threading.Event) -> str:
        return ""

    def close(self) -> None:
        pass


def test_a_defect_at_the_start_is_told_and_leaves_the_engine_able_to_try_again() -> None:
    told: queue.Queue[EngineStatus] = queue.Queue()
    supervisor = Supervisor(Broken(), lambda status, url: told.put(status))
    supervisor.start()
    for _ in range(2):
        assert told.get().state is EngineState.STARTING
        assert told.get().message == "Spark could not be launched: AssertionError: nobody thought of this"
        supervisor.start()
    supervisor.stop()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"java": "/nowhere/java"}, "/nowhere/java .*can't be run as Java"),
        ({"engine_memory": 2**50}, "Spark can't start with 1073741824 MiB of memory"),
        ({"engine_memory": 2**20}, "Spark can't start with 1 MiB of memory"),
        ({"engine_memory": 2**28}, "Spark can't start with 256 MiB of memory"),
    ],
)
def test_a_start_that_can_never_work_fails_with_its_reason(
    settings: Settings, change: dict[str, object], reason: str
) -> None:
    engine = Engine(replace(settings, **change))  # type: ignore[arg-type]
    engine.start()
    try:
        with pytest.raises(EngineUnavailable, match=reason):
            engine.url()
        assert engine.status.state is EngineState.FAILED
    finally:
        engine.stop()


def test_a_data_directory_that_cannot_be_written_fails_with_its_reason(settings: Settings) -> None:
    settings.data.write_text("a file where a directory should be")
    engine = Engine(settings)
    engine.start()
    try:
        with pytest.raises(EngineUnavailable, match=str(settings.data)):
            engine.url()
    finally:
        engine.stop()


def test_spark_dies_with_its_parent_even_on_sigkill(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; import psutil;"
        "from trailbook.engine import Engine; from trailbook.settings import Settings;"
        "engine = Engine(Settings(data=Path(sys.argv[1]), engine_memory=2**30)); engine.start(); engine.url();"
        "print(psutil.Process().children()[0].pid, flush=True); time.sleep(600)"
    )
    parent = subprocess.Popen([sys.executable, "-W", "ignore", "-c", code, str(tmp_path)], stdout=subprocess.PIPE)
    assert parent.stdout
    jvm = psutil.Process(int(parent.stdout.readline()))
    assert jvm.name() == "java"
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    assert psutil.wait_procs([jvm], timeout=30)[0] == [jvm]
