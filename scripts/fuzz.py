"""Hold the guarantee of caveats against possible worlds: `make fuzz`, or `CASES=10000 SEED=1 make fuzz`."""

from __future__ import annotations

import os
import sys
from itertools import count, cycle, islice
from multiprocessing import Pool
from random import SystemRandom

from tests.caveats.cases import problem, random_case, shrunk
from tests.caveats.forms import FORMS


def violates(task: tuple[int, str, int]) -> tuple[int, str, int] | None:
    """The task back if its case breaks the guarantee."""
    seed, form, depth = task
    return task if problem(random_case(seed, form, depth), seed) else None


def main() -> None:
    start = int(os.environ.get("SEED", SystemRandom().randrange(10**9)))
    most = int(os.environ.get("CASES", 0))
    print(f"SEED={start}", flush=True)
    tasks = ((start + number, form, 1 + number % 4) for number, form in zip(count(), cycle(FORMS), strict=False))
    limited = islice(tasks, most) if most else tasks
    with Pool() as pool:
        for done, broken in enumerate(pool.imap_unordered(violates, limited, chunksize=8), start=1):
            if broken:
                seed, form, depth = broken
                small = shrunk(random_case(seed, form, depth), seed)
                sys.exit(f"seed {seed}, form {form}, depth {depth}\n{small}\n{problem(small, seed, 60)}")
            if done % 1000 == 0:
                print(f"{done} cases, no violation", flush=True)
    print(f"{most} cases from seed {start}: no violation")


if __name__ == "__main__":
    main()
