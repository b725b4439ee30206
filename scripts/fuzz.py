"""Holds a guarantee against random cases until stopped: `make fuzz`, `make fuzz OF=schedules CASES=5000 SEED=1`.

`worlds`: caveats against possible worlds. `schedules`: cells that run side by side against a serial run.
"""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import replace
from functools import cache, partial
from itertools import count, islice
from multiprocessing import Pool
from pathlib import Path
from random import SystemRandom

from tests.caveats.cases import problem, random_case, shrunk
from tests.caveats.forms import FORMS
from tests.workflow import schedules
from trailbook.settings import Settings
from trailbook.workflow.workbench import Workbench

OFTEN = 500
"""It says how far it is after so many cases."""


def world_violation(seed: int) -> str | None:
    form, depth = list(FORMS)[seed % len(FORMS)], 1 + seed % 4
    if not problem(random_case(seed, form, depth), seed):
        return None
    small = shrunk(random_case(seed, form, depth), seed)
    return f"form {form}, depth {depth}\n{small}\n{problem(small, seed, 60)}"


def schedule_violation(seed: int) -> str | None:
    return schedules.problem(_workbench(), seed)


@cache
def _workbench() -> Workbench:
    """One in each process."""
    return Workbench(replace(Settings(), data=Path(tempfile.mkdtemp()), workers=4))


VIOLATIONS = {"worlds": world_violation, "schedules": schedule_violation}


def main() -> None:
    chosen = os.environ.get("OF") or "worlds"
    if chosen not in VIOLATIONS:
        sys.exit(f"OF={chosen} is none of {', '.join(VIOLATIONS)}.")
    start = int(os.environ.get("SEED") or SystemRandom().randrange(10**9))
    most = int(os.environ.get("CASES") or 0)
    print(f"OF={chosen} SEED={start}", flush=True)
    seeds = islice(count(start), most or None)
    with tempfile.TemporaryDirectory() as folder, Pool(initializer=_put_temporary_files, initargs=(folder,)) as pool:
        found = pool.imap_unordered(partial(_tried, chosen), seeds, chunksize=8)
        for done, (seed, violation) in enumerate(found, start=1):
            if violation:
                sys.exit(f"seed {seed}: {violation}")
            if done % OFTEN == 0:
                print(f"{done} cases, no violation", flush=True)
    print(f"{most} cases of {chosen} from seed {start}: no violation")


def _put_temporary_files(folder: str) -> None:
    tempfile.tempdir = folder


def _tried(chosen: str, seed: int) -> tuple[int, str | None]:
    return seed, VIOLATIONS[chosen](seed)


if __name__ == "__main__":
    main()
