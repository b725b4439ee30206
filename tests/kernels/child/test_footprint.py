"""What an import leaves behind that a process others are forked from must not have."""

from __future__ import annotations

import os

import numpy.random
import pytest

from trailbook.kernels.child.footprint import Footprint

HARMLESS, HARMFUL = 0, 3


def left_by(code: str) -> int:
    """Run the code in a process of its own, and look what it changed."""
    pid = os.fork()
    if not pid:
        status = 1
        try:
            before = Footprint.of_now()
            exec(code, {"numpy": numpy})
            status = HARMFUL if before.changed() else HARMLESS
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.parametrize(
    "code",
    [
        "import threading, time; threading.Thread(target=time.sleep, args=(9,), daemon=True).start()",
        "import builtins, socket; builtins.kept = socket.socketpair()",
        "import builtins, subprocess; builtins.kept = subprocess.Popen(['true'], stdin=subprocess.PIPE)",
        "import signal; signal.signal(signal.SIGCHLD, lambda *_: None)",
        "import os; os.environ['PATH'] = ''",
        "import os; os.chdir('/')",
        "import random; random.seed(1)",
        "numpy.random.seed(1)",
    ],
)
def test_harm_is_seen(code: str) -> None:
    assert left_by(code) == HARMFUL


@pytest.mark.parametrize(
    "code",
    ["x = 1", "import os; os.environ['NEW_VARIABLE'] = '1'", "import random; [random.random() for _ in range(9)]"],
)
def test_what_does_no_harm_is_let_pass(code: str) -> None:
    assert left_by(code) == HARMLESS
