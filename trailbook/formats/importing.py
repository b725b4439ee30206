"""A document becomes a project. Nothing runs by that; the outputs that came along are shown until its cells do."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection

from trailbook.formats.document import Document, DocumentCell
from trailbook.formats.shown_files import keep_long_outputs
from trailbook.model.acknowledged import Acknowledgement
from trailbook.model.artifacts import Artifact
from trailbook.model.base import CellHandle, Digest, PersonId, RunId, new_id, now
from trailbook.model.notebook import Branch, Cell, Spec, VersionRef
from trailbook.model.runs import CellState, Message, Run
from trailbook.store import artifacts, runs
from trailbook.store.store import Store
from trailbook.workflow import history
from trailbook.workflow.workbench import Workbench

ELSEWHERE = Digest("elsewhere")
"""The environment of runs that were not ours. It is never that of a cell, so they stand for no run."""


def import_document(bench: Workbench, document: Document, name: str, file: str, person: PersonId) -> Branch:
    """The first branch of a new project that has the document's cells; they were read from `file`.

    What its packages mean is looked up now: raises BadPackages if they can't be had.
    """
    time, store = now(), bench.store
    packages = bench.environments.lock(document.packages)
    cells = tuple(_cell(cell, person, time) for cell in document.cells)
    kept = [keep_long_outputs(store.files, cell.messages) for cell in document.cells]
    with store.writing() as tx:
        branch = history.create_project(tx, name, person, cells, file, packages)
        ref = VersionRef(branch=branch.id, number=branch.head)
        for cell, source, (messages, files) in zip(cells, document.cells, kept, strict=True):
            if source.has_run:
                _record(tx, store, ref, _run(cell, source, messages, person, time), files)
    return branch


def _cell(cell: DocumentCell, person: PersonId, time: datetime) -> Cell:
    acknowledged = tuple(Acknowledgement(**one.model_dump(), person=person, time=time) for one in cell.acknowledged)
    spec = Spec(kind=cell.kind, parameters=cell.parameters, acknowledged=acknowledged)
    return Cell(handle=cell.handle or CellHandle(new_id()), spec=spec)


def _run(cell: Cell, source: DocumentCell, messages: tuple[Message, ...], person: PersonId, time: datetime) -> Run:
    return Run(
        id=RunId(new_id()),
        cell=cell.handle,
        spec=cell.spec.hash,
        environment=ELSEWHERE,
        person=person,
        state=CellState.ERROR if source.error else CellState.DONE,
        started=time - timedelta(seconds=source.seconds or 0),
        finished=time,
        messages=messages,
        error=source.error,
    )


def _record(tx: Connection, store: Store, ref: VersionRef, run: Run, files: tuple[Artifact, ...]) -> None:
    runs.insert(tx, run)
    runs.set_result(tx, ref, run.cell, run.id, current=False)
    for artifact in files:
        artifacts.register(tx, store.files, artifact)
