"""Run as a process of its own, and killed at a fault point: does one kind of work on a store, again and again.

Prints a line for each piece of work that was acknowledged.
"""

from __future__ import annotations

import sys
from datetime import timedelta

from tests.store.notebook import Notebook
from trailbook.faults import reach
from trailbook.model.base import now
from trailbook.model.notebook import Spec
from trailbook.model.runs import CellState
from trailbook.settings import load_settings
from trailbook.store import runs
from trailbook.store.gc import gc
from trailbook.store.store import Store

store = Store.open(load_settings({}))
notebook = Notebook(store)
print("notebook", notebook.branch, flush=True)
for i in range(int(sys.argv[1])):
    with store.writing() as tx:
        ref = notebook.add_version(tx, a=Spec(kind="python", parameters={"i": i}))
    reach("version.after_commit")
    print("version", ref.number, flush=True)
    with store.writing() as tx:
        run = notebook.add_run(tx, ref, "a", state=CellState.RUNNING)
    with store.writing() as tx:
        id = notebook.add_dataset(tx, [i], run)
        runs.update(tx, run.model_copy(update={"writes": {"x": id}, "state": CellState.DONE}))
    print("run", run.id, flush=True)
    with store.writing() as tx:
        notebook.add_file(tx, f"garbage {i}")
    gc(store, now() + timedelta(seconds=1), 0)
