"""A notebook to put into a store under test."""

from __future__ import annotations

from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.parquet as pq
from sqlalchemy import Connection

from trailbook.model.artifacts import Artifact, ArtifactKind, ArtifactState, UploadedFile
from trailbook.model.base import ArtifactId, BranchId, CellHandle, Digest, ProjectId, RunId, new_id
from trailbook.model.edits import CreateNotebook
from trailbook.model.notebook import Branch, Cell, Project, Spec, Version, VersionRef
from trailbook.model.runs import CellState, Run
from trailbook.store import artifacts, branches, heads, persons, projects, runs, uploads, versions
from trailbook.store.store import Store

LONG_AGO = datetime(2001, 2, 3, 4, 5, 6, 789, UTC)
ENVIRONMENT = Digest("e" * 64)


class Notebook:
    """A project with one branch, and short ways to fill it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.project, self.branch = ProjectId(new_id()), BranchId(new_id())
        with store.writing() as tx:
            self.person = persons.local_person(tx, "Ada").id
            projects.insert(tx, Project(id=self.project, name="Rivers", person=self.person, created=LONG_AGO))
            main = Branch(
                id=self.branch, project=self.project, name="main", person=self.person, created=LONG_AGO, head=1
            )
            branches.insert(tx, main)
            self.add_version(tx, "create")

    def add_version(self, tx: Connection, reason: str = "edit", **specs: Spec) -> VersionRef:
        """A new head with a cell for each spec, the handle being its name."""
        last = versions.last_number(tx, self.branch)
        ref = VersionRef(branch=self.branch, number=last + 1)
        version = Version(
            ref=ref,
            parents=(VersionRef(branch=self.branch, number=last),) if last else (),
            cells=tuple(Cell(handle=CellHandle(handle), spec=spec) for handle, spec in specs.items()),
            edit=CreateNotebook(),
            description="An edit",
            person=self.person,
            time=LONG_AGO,
        )
        versions.insert(tx, version)
        self.move_head(tx, ref, reason)
        return ref

    def move_head(self, tx: Connection, ref: VersionRef, reason: str) -> None:
        move = {"branch": ref.branch, "number": ref.number, "reason": reason, "person": self.person}
        heads.append(tx, heads.HeadMove.model_validate({**move, "time": LONG_AGO}))

    def add_run(self, tx: Connection, ref: VersionRef, handle: str, **facts: object) -> Run:
        """A run that is the result of a cell."""
        cell = next(cell for cell in versions.get(tx, ref).cells if cell.handle == handle)
        run = Run.model_validate(
            {
                "id": RunId(new_id()),
                "cell": cell.handle,
                "spec": cell.spec.hash,
                "environment": ENVIRONMENT,
                "person": self.person,
                "state": CellState.DONE,
                "started": LONG_AGO,
                **facts,
            }
        )
        runs.insert(tx, run)
        runs.set_result(tx, ref, cell.handle, run.id)
        return run

    def add_dataset(self, tx: Connection, values: list[int], run: Run | None = None) -> ArtifactId:
        staged = self.store.files.stage()
        pq.write_table(pa.table({"v": values}), staged / "x.parquet")
        content = self.store.files.adopt_directory(staged)
        self._register(tx, content.id, content.size, ArtifactKind.DATASET, run)
        return content.id

    def add_file(self, tx: Connection, text: str, *, upload: bool = False) -> ArtifactId:
        staged = self.store.files.stage() / "file"
        staged.write_text(text, "utf-8")
        content = self.store.files.adopt_file(staged)
        self._register(tx, content.id, content.size, ArtifactKind.FILE, None)
        if upload:
            given = {"project": self.project, "name": "a.csv", "artifact": content.id, "size": content.size}
            uploads.add(tx, UploadedFile.model_validate({**given, "person": self.person, "time": LONG_AGO}))
        return content.id

    def _register(self, tx: Connection, id: ArtifactId, size: int, kind: ArtifactKind, run: Run | None) -> None:
        facts = {"id": id, "kind": kind, "size": size, "state": ArtifactState.PRESENT, "media_type": "a/b"}
        made = {"run": run and run.id, "seconds": 2.5, "created": LONG_AGO}
        artifacts.register(tx, self.store.files, Artifact.model_validate({**facts, **made}))

    def state(self, id: ArtifactId) -> ArtifactState:
        with self.store.reading() as tx:
            return artifacts.get(tx, id).state
