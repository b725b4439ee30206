"""What cells are forked from: a fresh interpreter for each, whatever became of the others."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.kernels.conftest import Bench
from trailbook.kernels.zygote import Zygote


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Bench]:
    """A bench whose zygote can be harmed."""
    zygote = Zygote()
    yield Bench(tmp_path, zygote)
    zygote.close()


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


def test_a_run_is_forked_from_a_process_of_one_thread(own: Bench) -> None:
    """With libraries loaded or without: a lock that another thread held would be held for ever."""
    threads = "import os, psutil\nprint(psutil.Process(os.getppid()).num_threads(), psutil.Process().num_threads())"
    for loaded in ("", "import numpy, pandas, pyarrow.parquet"):
        assert own.run(f"{threads}\n{loaded}").text() == "1 1\n"


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
    left = own.run("import os, psutil\nprint(len(psutil.Process(os.getppid()).children()))").text()
    assert left == "1\n"
    own.zygote.close()
    psutil.wait_procs([zygote])


def test_a_zygote_ends_with_what_it_forked_when_it_is_closed(own: Bench) -> None:
    attempt = own.prepare("import time\ndisplay(1)\ntime.sleep(600)")
    attempt.python._on_message = lambda message: own.zygote.close()
    attempt.run()
    assert "SIGKILL" in attempt.error.message
