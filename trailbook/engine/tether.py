"""Runs a program that ends when its parent does, however that ends: `python tether.py PARENT_PID PROGRAM ARGUMENT…`.

Run as a file by a bare interpreter (no site, no packages), so it imports the standard library only.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time

PR_SET_PDEATHSIG = 1
POLL_SECONDS = 0.5


def replace_self(parent: int, command: list[str]) -> None:
    """Linux: the kernel kills the program with the thread that started it."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    # The parent may have died before the line above took hold.
    if os.getppid() == parent:
        os.execvp(command[0], command)


def stand_by(parent: int, command: list[str]) -> int:
    """Elsewhere: stay beside the program, and end it when the parent is gone."""
    child = subprocess.Popen(command)
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    while child.poll() is None:
        if os.getppid() != parent:
            child.kill()
        time.sleep(POLL_SECONDS)
    return child.returncode


def main() -> None:
    parent, command = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":
        replace_self(parent, command)
    else:
        sys.exit(stand_by(parent, command))


if __name__ == "__main__":
    main()
