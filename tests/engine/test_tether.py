from __future__ import annotations

import subprocess
import sys

import psutil
import pytest

START = """
import os, subprocess, sys, time
code = f"from trailbook.engine.tether import {sys.argv[1]}; {sys.argv[1]}({os.getpid()}, ['sleep', '600'])"
subprocess.Popen([sys.executable, "-c", code])
time.sleep(600)
"""


def sleeping(process: psutil.Process) -> list[psutil.Process]:
    return [child for child in process.children(recursive=True) if child.name() == "sleep"]


@pytest.mark.parametrize("way", ["replace_self", "stand_by"])
def test_a_tethered_program_ends_when_its_parent_is_killed(way: str) -> None:
    parent = psutil.Popen([sys.executable, "-c", START, way], stdin=subprocess.DEVNULL)
    while not sleeping(parent):
        assert parent.is_running()
    [program] = sleeping(parent)
    parent.kill()
    parent.wait()
    gone, _ = psutil.wait_procs([program], timeout=60)
    assert gone == [program]
