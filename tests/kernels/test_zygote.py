"""What cells are forked from: a fresh interpreter for each, whatever became of the others."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.kernels.conftest import Bench
from trailbook.kernels.zygote import Zygote


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """A bench whose zygote can be harmed, and loads only what it learns."""
    monkeypatch.setattr("trailbook.kernels.zygote.LIBRARIES", ())
    zygote = Zygote()
    folder = tmp_path / "own"
    folder.mkdir()
    yield Bench(folder, zygote)
    zygote.close()


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages, as those of an environment."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return folder


def await_loaded(zygote: Zygote, module: str) -> None:
    """Wait until a process that tried to load the module is the one that serves."""
    deadline = time.monotonic() + 60
    while not (zygote._loaded and zygote._loaded.is_ready and module in zygote._loaded.modules):
        assert time.monotonic() < deadline, list(zygote._learned)
        time.sleep(0.05)


def test_a_run_sees_nothing_of_another(bench: Bench) -> None:
    bench.run("import os, sys, json, builtins\nos.environ['X'] = '1'\njson.x = sys.x = builtins.x = 1\nos.chdir('/')")
    run = bench.run(
        "import os, sys, json\nprint('X' in os.environ, hasattr(json, 'x'), hasattr(sys, 'x'), os.getcwd() == '/')"
    )
    assert run.text() == "False False False False\n"
    assert bench.run("x").error.message.startswith("NameError")


def test_runs_draw_different_random_numbers(bench: Bench) -> None:
    code = "import random, numpy as np, tempfile\nprint(random.random(), np.random.rand(), tempfile.mktemp())"
    drawn = [set(bench.run(code).text().split()) for _ in range(2)]
    assert not drawn[0] & drawn[1]


def test_a_run_is_forked_from_a_process_of_one_thread(bench: Bench) -> None:
    """With libraries loaded or without: a lock that another thread held would be held for ever."""
    threads = "import os, psutil\nprint(psutil.Process(os.getppid()).num_threads(), psutil.Process().num_threads())"
    for loaded in ("", "import numpy, pandas, pyarrow.parquet"):
        assert bench.run(f"{threads}\n{loaded}").text() == "1 1\n"


def test_runs_go_on_after_the_zygote_was_killed(own: Bench) -> None:
    error = own.run("import os, signal, time\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(600)").error
    assert error.code == "python_process_ended"
    assert "SIGKILL" in error.message
    assert own.run("print('on')").text() == "on\n"


def test_a_zygote_that_is_killed_before_it_is_asked_is_started_again(own: Bench) -> None:
    zygote = int(own.run("import os\nprint(os.getppid())").text())
    os.kill(zygote, signal.SIGKILL)
    psutil.wait_procs([psutil.Process(zygote)] if psutil.pid_exists(zygote) else [])
    assert own.run("print('on')").text() == "on\n"


def test_nothing_is_left_of_runs(own: Bench) -> None:
    zygote = psutil.Process(int(own.run("import os\nprint(os.getppid())").text()))
    for code in ("1 / 0", "import os\nos._exit(3)", "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", "x = 1"):
        own.run(code)
    # Asked to forget the last one before it is asked for another, it does.
    children = "psutil.Process(os.getppid()).children()"
    left = own.run(f"import os, psutil\nprint([one.status() for one in {children}].count('zombie'))").text()
    assert left == "0\n"
    own.zygote.close()
    psutil.wait_procs([zygote])


def test_a_zygote_ends_with_what_it_forked_when_it_is_closed(own: Bench) -> None:
    attempt = own.prepare("import time\ndisplay(1)\ntime.sleep(600)")
    attempt.python._on_message = lambda message: own.zygote.close()
    attempt.run()
    assert "SIGKILL" in attempt.error.message


def test_a_cell_that_needs_no_modules_does_not_wait_for_those_that_are_loaded(own: Bench) -> None:
    """It is forked from another process than one that does."""
    parent = "import os\nprint(os.getppid())"
    plain = own.run(parent).text()
    assert own.run(f"import pandas\n{parent}").text() != plain
    assert own.run(parent).text() == plain


def test_modules_that_cells_import_are_loaded_for_the_next(own: Bench) -> None:
    code = "import sys\nprint('nbformat' in sys.modules)\nimport nbformat"
    assert own.run(code).text() == "False\n"
    await_loaded(own.zygote, "nbformat")
    assert own.run(code).text() == "True\n"


def test_a_module_that_would_do_harm_is_given_up(own: Bench, packages: Path) -> None:
    (packages / "harmful.py").write_text(
        "import threading, time\nthreading.Thread(target=time.sleep, args=(9,)).start()"
    )
    (packages / "fatal.py").write_text("import os\nos._exit(1)")
    (packages / "harmless.py").write_text("")
    own.zygote.start()
    own.zygote._chosen(["harmful", "fatal", "harmless"])
    await_loaded(own.zygote, "harmless")
    assert list(own.zygote._learned) == ["harmless"]
    code = "import sys\nprint('harmful' in sys.modules, 'harmless' in sys.modules)\nimport harmless"
    assert own.run(code).text() == "False True\n"


def test_the_user_s_own_modules_are_loaded_by_each_run(
    own: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "mine.py").write_text("value = 1")
    assert own.run("import mine\nprint(mine.value)").text() == "1\n"
    await_loaded(own.zygote, "mine")
    (tmp_path / "mine.py").write_text("value = 'changed'")
    assert own.run("import mine\nprint(mine.value)").text() == "changed\n"


def test_sets_are_printed_in_one_order(bench: Bench, own: Bench) -> None:
    code = "print({'a', 'b', 'c', 'd'})"
    assert bench.run(code).text() == own.run(code).text()
