"""Fault points: places where a test can have this process killed, to see what a crash leaves behind.

`TRAILBOOK_FAULT=artifact.renamed` kills at the first arrival at that point, `artifact.renamed:3` at the third.
"""

from __future__ import annotations

import os
import signal
from collections import Counter

POINTS = {
    "artifact.renamed": "files are in place, their record is not",
    "artifact.removed": "gc moved files away, and has not deleted them",
    "gc.marked": "gc recorded that files go, and has not touched them",
    "migration.halfway": "some of a migration's tables exist",
    "run.before_commit": "a run's end is written, not committed",
    "upload.halfway": "some bytes of an upload have arrived",
    "version.after_commit": "a version is committed, not acknowledged",
    "version.before_commit": "a version is written, not committed",
}

_arrivals: Counter[str] = Counter()


def reach(point: str) -> None:
    """Die here if TRAILBOOK_FAULT says so."""
    fault = os.environ.get("TRAILBOOK_FAULT")
    if not fault:
        return
    wanted, _, nth = fault.partition(":")
    if wanted not in POINTS:
        raise ValueError(f"TRAILBOOK_FAULT={fault} names no fault point. Known: {', '.join(POINTS)}.")
    if point == wanted:
        _arrivals[point] += 1
        if _arrivals[point] == int(nth or 1):
            os.kill(os.getpid(), signal.SIGKILL)
