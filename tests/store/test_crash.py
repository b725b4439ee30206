"""A process killed at any fault point leaves a store that opens, is healthy, and holds what was acknowledged."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from sqlalchemy import inspect

from trailbook.model.base import BranchId, RunId, now
from trailbook.model.runs import CellState
from trailbook.settings import Settings
from trailbook.store import branches, runs, versions
from trailbook.store.database import database_url, engines
from trailbook.store.doctor import doctor
from trailbook.store.store import Store

POINTS = [
    ("sqlite", "artifact.removed:2"),
    ("sqlite", "artifact.renamed:3"),
    ("sqlite", "gc.marked:2"),
    ("sqlite", "run.before_commit:2"),
    ("sqlite", "version.after_commit:2"),
    ("sqlite", "version.before_commit:3"),
    ("postgres", "artifact.removed:2"),
    ("postgres", "version.before_commit:3"),
]


def work_until_killed(settings: Settings, fault: str) -> list[list[str]]:
    """The lines of what was acknowledged before the process was killed at the fault point."""
    given = {"DATA": str(settings.data), "DATABASE": settings.database, "FAULT": fault}
    environ = os.environ | {f"TRAILBOOK_{name}": value for name, value in given.items()}
    work = subprocess.run([sys.executable, "-m", "tests.store.crash", "4"], env=environ, capture_output=True, text=True)
    assert work.returncode == -signal.SIGKILL, work.stderr
    return [line.split() for line in work.stdout.splitlines()]


@pytest.mark.parametrize(("settings", "fault"), POINTS, indirect=["settings"])
def test_everything_acknowledged_is_there_and_the_store_is_healthy(settings: Settings, fault: str) -> None:
    acknowledged = work_until_killed(settings, fault)
    store = Store.open(settings)
    report = doctor(store, now(), 3600, deep=True)
    assert report.healthy, report
    with store.reading() as tx:
        branch = BranchId(next(words[1] for words in acknowledged if words[0] == "notebook"))
        numbers = [version.ref.number for version in versions.history(tx, branch, None, 100)]
        assert numbers == list(range(len(numbers), 0, -1))
        assert branches.get(tx, branch).head == len(numbers)
        assert {int(words[1]) for words in acknowledged if words[0] == "version"} <= set(numbers)
        for words in acknowledged:
            if words[0] == "run":
                run = runs.get(tx, RunId(words[1]))
                assert run.state is CellState.DONE
                assert all(map(store.files.has, run.writes.values()))
    store.close()


def test_a_migration_that_was_killed_left_nothing_and_is_done_at_the_next_start(settings: Settings) -> None:
    assert work_until_killed(settings, "migration.halfway") == []
    engine = engines(database_url(settings)).reader
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == []
    engine.dispose()
    store = Store.open(settings)
    assert doctor(store, now(), 3600).healthy
    store.close()
