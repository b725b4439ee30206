"""The process of one run: a fresh interpreter that leads a process group of its own and dies with the server."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import trailbook
from trailbook.kernels.wire import Wire

PACKAGE_ROOT = str(Path(trailbook.__file__).resolve().parent.parent)
BOOTSTRAP = "import sys; sys.path.append(sys.argv[1]); from trailbook.kernels.child.main import main; main()"
BACKEND = "module://trailbook.kernels.child.backend"


class ChildProcess:
    """A running child and the wire to it.

    The thread that makes it must live as long as it does: Linux ends the child with that thread.
    """

    def __init__(self, scratch: Path) -> None:
        work, temporary = scratch / "work", scratch / "tmp"
        work.mkdir()
        temporary.mkdir()
        ours, theirs = socket.socketpair()
        with theirs:
            arguments = [PACKAGE_ROOT, str(theirs.fileno()), str(os.getpid())]
            self._process = subprocess.Popen(
                [sys.executable, "-c", BOOTSTRAP, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
                cwd=work,
                env=child_environment(temporary),
                start_new_session=True,
            )
        stdout, stderr = self._process.stdout, self._process.stderr
        assert stdout is not None
        assert stderr is not None
        self.wire = Wire(stdout, stderr, ours)

    def exit_code(self) -> int | None:
        """Nothing while it runs; negative if a signal ended it."""
        return self._process.poll()

    def interrupt(self) -> None:
        self._signal(signal.SIGINT)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    def close(self) -> None:
        """End it with everything it started."""
        self.kill()
        self._process.wait()
        self.wire.close()

    def _signal(self, number: signal.Signals) -> None:
        # macOS refuses to signal a group whose members are all dead but not yet waited for.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)


def child_environment(temporary: Path) -> dict[str, str]:
    """The server's environment, without what is meant for the server alone."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("TRAILBOOK_")}
    return {**inherited, "MPLBACKEND": BACKEND, "TMPDIR": str(temporary), "SPARK_CONNECT_MODE_ENABLED": "1"}


def describe_exit(code: int) -> str:
    """Why a process that never said it was done is gone."""
    if code >= 0:
        return f"The process ended with exit code {code} before the cell was done."
    # Real-time signals have numbers only.
    name = next((known.name for known in signal.Signals if known == -code), str(-code))
    hint = " Most often that means that the machine ran out of memory." if name == "SIGKILL" else ""
    return f"The process ended with signal {name}.{hint}"
