"""Interpreters with packages: built when they are needed, there as a whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from pathlib import Path

import psutil
import pytest

from tests.kernels.conftest import Bench
from tests.support.server import eventually
from tests.support.wheels import write_wheel
from trailbook.errors import CellCancelled, EnvironmentFailed, EnvironmentInUse, NotFound
from trailbook.kernels.environments.environments import Environments, digest_of_environment
from trailbook.kernels.environments.folders import ASIDE, RECORD, sweep
from trailbook.kernels.environments.zygotes import Zygotes
from trailbook.kernels.sandbox import Sandbox
from trailbook.kernels.zygote import Zygote
from trailbook.model.packages import NO_PACKAGES, Environment, EnvironmentState, Packages
from trailbook.settings import Settings


def silent(step: str) -> None:
    """Nobody wants to know."""


def ran(environments: Environments, packages: Packages, code: str, folder: Path) -> str:
    """What code prints there."""
    with environments.lease(packages, silent) as lease:
        scratch = folder / f"run-{len(list(folder.iterdir()))}"
        scratch.mkdir()
        return Bench(scratch, lease.zygote).run(code).text()


def test_a_package_is_there_in_its_environment_and_trailbooks_own_behind_it(
    environments: Environments, wheels: Path, tmp_path: Path
) -> None:
    packages = environments.lock([write_wheel(wheels, "tiny", "1.0", "x = 41")])
    code = "import sys, tiny, pandas, tqdm\nprint(tiny.x + len(pandas.DataFrame({'a': [1]})), sys.prefix)"
    number, prefix = ran(environments, packages, code, tmp_path).split()
    about = environments.about(packages)
    assert about
    assert (number, Path(prefix).name) == ("42", about.digest)


def test_a_package_stands_before_one_of_the_same_name_behind_it(
    environments: Environments, wheels: Path, tmp_path: Path
) -> None:
    packages = environments.lock([write_wheel(wheels, "tqdm", "99.0", "x = 'its own'")])
    assert ran(environments, packages, "import tqdm\nprint(tqdm.x)", tmp_path) == "its own\n"


def test_a_sandbox_has_the_packages_and_nobody_in_it_can_change_them(
    environments: Environments, settings: Settings, wheels: Path, bench: Bench
) -> None:
    packages = environments.lock([write_wheel(wheels, "tiny", "1.0", "x = 41")])
    code = """
import os, sys, tiny, pandas
try:
    open(tiny.__file__, "w")
except OSError as error:
    print(error.strerror)
print(tiny.x, os.listdir(os.path.dirname(sys.prefix)))
"""
    with environments.lease(packages, silent) as lease:
        sandbox = Sandbox((settings.data,), lease.folder)
        assert lease.folder
        assert bench.run(code, enclosure=sandbox).text() == f"Read-only file system\n41 ['{lease.folder.name}']\n"


def test_a_notebook_without_packages_runs_where_trailbook_does(environments: Environments, tmp_path: Path) -> None:
    assert ran(environments, NO_PACKAGES, "import sys\nprint(sys.prefix)", tmp_path) == f"{sys.prefix}\n"
    assert environments.about(NO_PACKAGES) is None
    assert environments.all() == []


def test_those_that_wait_for_the_same_environment_build_it_once(
    environments: Environments, wheels: Path, told: list[Environment], settings: Settings
) -> None:
    packages = environments.lock([write_wheel(wheels, "tiny", "1.0", "")])
    waiting = [threading.Thread(target=environments._await, args=(packages, silent)) for _ in range(4)]
    for thread in waiting:
        thread.start()
    for thread in waiting:
        thread.join()
    eventually(lambda: told[-1].state, lambda state: state is EnvironmentState.READY)
    assert [one.state for one in told].count(EnvironmentState.READY) == 1
    assert "Installing 1 package" in {one.step for one in told}
    (listed,) = environments.all()
    assert listed.state is EnvironmentState.READY
    assert listed.packages == packages
    assert listed.size
    assert [path.name for path in settings.environments_folder.iterdir()] == [listed.digest]


def test_a_file_that_is_not_what_it_was_is_not_installed_until_it_is_again(
    environments: Environments, wheels: Path, tmp_path: Path
) -> None:
    packages = environments.lock([write_wheel(wheels, "tiny", "1.0", "x = 1")])
    write_wheel(wheels, "tiny", "1.0", "x = 'something else'")
    for _ in range(2):
        with pytest.raises(EnvironmentFailed, match=r"(?s)could not be installed.*Hash mismatch"):
            ran(environments, packages, "import tiny", tmp_path)
    about = environments.about(packages)
    assert about
    assert (about.state, about.size) == (EnvironmentState.FAILED, None)
    assert about.problem
    assert "tiny" in about.problem
    write_wheel(wheels, "tiny", "1.0", "x = 1")
    environments.start(packages)
    assert ran(environments, packages, "import tiny\nprint(tiny.x)", tmp_path) == "1\n"


def test_an_environment_that_is_gone_is_built_again(environments: Environments, wheels: Path, tmp_path: Path) -> None:
    packages = environments.lock([write_wheel(wheels, "tiny", "1.0", "x = 1")])
    for _ in range(2):
        assert ran(environments, packages, "import tiny\nprint(tiny.x)", tmp_path) == "1\n"
        environments.delete(digest_of_environment(packages))
        about = environments.about(packages)
        assert about
        assert about.state is EnvironmentState.ABSENT
    with pytest.raises(NotFound):
        environments.delete(digest_of_environment(packages))


def test_an_environment_is_not_deleted_while_cells_run_in_it(environments: Environments, wheels: Path) -> None:
    packages = environments.lock([write_wheel(wheels, "tiny", "1.0", "x = 1")])
    with environments.lease(packages, silent), pytest.raises(EnvironmentInUse):
        environments.delete(digest_of_environment(packages))
    environments.delete(digest_of_environment(packages))


def test_building_can_be_cancelled_and_leaves_nothing(
    environments: Environments, wheels: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = environments.lock([write_wheel(wheels, "tiny", "1.0", "x = 1")])
    monkeypatch.setattr("uv.find_uv_bin", lambda: _sleeper(wheels))
    environments.start(packages)
    digest = digest_of_environment(packages)
    eventually(lambda: environments.about(packages), lambda about: about.state is EnvironmentState.BUILDING)
    cancelled = environments.cancel(digest)
    assert (cancelled.state, cancelled.problem) == (EnvironmentState.FAILED, "Building it was cancelled.")
    assert list(settings.environments_folder.iterdir()) == []


def test_a_run_that_waits_for_its_environment_can_be_cancelled(
    environments: Environments, wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = environments.lock([write_wheel(wheels, "tiny", "1.0", "x = 1")])
    monkeypatch.setattr("uv.find_uv_bin", lambda: _sleeper(wheels))

    def cancel(step: str) -> None:
        raise CellCancelled(step)

    with pytest.raises(CellCancelled, match="Making a virtual environment"), environments.lease(packages, cancel):
        pass


def test_what_a_killed_build_left_is_swept_after_a_day(settings: Settings, environments: Environments) -> None:
    old, new = (settings.environments_folder / f"{ASIDE}{age}" for age in ("old", "new"))
    for left in (old, new):
        left.mkdir(parents=True)
    os.utime(old, (0, 0))
    Environments(settings, environments._own).close()
    assert [path.name for path in settings.environments_folder.iterdir()] == [new.name]
    shutil.rmtree(new)


def test_an_environment_that_nobody_has_used_for_months_is_deleted(
    environments: Environments, settings: Settings, wheels: Path, tmp_path: Path
) -> None:
    first, second = (environments.lock([write_wheel(wheels, name, "1.0", "x = 1")]) for name in ("tiny", "small"))
    for packages in (first, second):
        assert ran(environments, packages, "print(1)", tmp_path) == "1\n"
    os.utime(settings.environments_folder / digest_of_environment(first) / RECORD, (0, 0))
    sweep(settings.environments_folder)
    assert [one.packages for one in environments.all()] == [second]


@pytest.mark.parametrize(
    "line", ["--index-url=https://example.com", "-e .", "x @ https://example.com/x.whl", "trailbook==0"]
)
def test_what_an_archive_says_is_locked_is_not_believed(settings: Settings, zygote: Zygote, line: str) -> None:
    environments = Environments(settings, zygote)
    with pytest.raises(EnvironmentFailed) as refused, environments.lease(Packages(locked=(line,)), silent):
        pass
    assert line in refused.value.message
    environments.close()


def test_an_interpreter_that_nobody_needs_any_more_is_ended(
    environments: Environments, wheels: Path, tmp_path: Path
) -> None:
    environments._zygotes = Zygotes(idle_seconds=0.1)
    packages = environments.lock([write_wheel(wheels, "tiny", "1.0", "x = 1")])
    parent = int(ran(environments, packages, "import os\nprint(os.getppid())", tmp_path))
    eventually(lambda: psutil.pid_exists(parent), lambda lives: not lives)
    assert ran(environments, packages, "import tiny\nprint(tiny.x)", tmp_path) == "1\n"


def _sleeper(folder: Path) -> str:
    """A program that takes its time."""
    program = folder / "sleeper"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o755)
    return str(program)
