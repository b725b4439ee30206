"""Runs: what cells did."""

from __future__ import annotations

from fastapi import APIRouter

from trailbook.model.runs import Run
from trailbook.server.access import Bench, CurrentPerson
from trailbook.server.errors import documented
from trailbook.server.parameters import RunPath
from trailbook.store import runs

router = APIRouter(prefix="/runs", tags=["runs"], responses=documented())


@router.get("/{run}")
def get_run(run: RunPath, bench: Bench, person: CurrentPerson) -> Run:
    """One execution of a cell: what it read, wrote and said."""
    with bench.store.reading() as tx:
        return runs.get(tx, run)
