"""A project with something of everything, made without running anything."""

from __future__ import annotations

import hashlib
from contextlib import closing
from datetime import timedelta
from io import BytesIO

import pyarrow as pa
import pyarrow.parquet as pq
from sqlalchemy import Connection

from tests.store.notebook import LONG_AGO, Notebook
from trailbook.formats.archive.entries import Limits
from trailbook.formats.archive.export import Export
from trailbook.formats.archive.importing import import_archive
from trailbook.kernels.child.values.packed import DOUBTFUL
from trailbook.model.acknowledged import Acknowledgement
from trailbook.model.artifacts import Artifact, ArtifactKind, ArtifactState
from trailbook.model.base import ArtifactId, BranchId, PersonId, ProjectId, new_id
from trailbook.model.notebook import Branch, Project, Spec, VersionRef
from trailbook.model.packages import Packages
from trailbook.model.runs import DisplayMessage, Run, TextMessage
from trailbook.settings import Settings
from trailbook.store import artifacts, branches, runs, versions
from trailbook.store.masks import mask_columns
from trailbook.store.parquet import describe
from trailbook.store.store import Store

LIMITS = Limits.of(Settings())
LATER = LONG_AGO + timedelta(seconds=1)


class Rivers(Notebook):
    """A file, a dataset in doubt and a dropped one, a value, a picture, two branches and an edit that was undone."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        with store.writing() as tx:
            self.file = self.add_file(tx, "river,length\nElbe,1094\n", upload=True)
            load = Spec(kind="load", parameters={"file": self.file, "name": "rivers"})
            accepted = Acknowledgement(place="cast", note="typed by hand", person=self.person, time=LONG_AGO)
            query = Spec(kind="sql", parameters={"query": "SELECT 1"}, acknowledged=(accepted,))
            code = Spec(kind="python", parameters={"code": "x = 1"})
            self.first = self.add_version(tx, a=load)
            self._load(tx)
            self.second = self.add_version(tx, a=load, b=query, c=code)
            runs.carry_results(tx, self.first, self.second, current=True)
            self._query(tx)
            self._code(tx)
            self.move_head(tx, self.first, "undo")
            self.move_head(tx, self.second, "redo")
            self._fork(tx)
            artifacts.pin(tx, self.dataset, self.person)

    def _load(self, tx: Connection) -> None:
        run = self.add_run(tx, self.first, "a", finished=LATER)
        staged = self.store.files.stage()
        (mask,) = mask_columns(1)
        pq.write_table(pa.table({"v": [1, 2, 3], mask: pa.array([0, 2, 1], pa.int64())}), staged / "x.parquet")
        (staged / "_phantoms").mkdir()
        pq.write_table(pa.table({"v": [4], mask: pa.array([0], pa.int64())}), staged / "_phantoms" / "y.parquet")
        content = self.store.files.adopt_directory(staged)
        facts = vars(describe(self.store.files.path(content.id)))
        self._made(tx, run, content.id, ArtifactKind.DATASET, content.size, **facts)
        self.dataset = content.id
        runs.update(tx, run.model_copy(update={"writes": {"rivers": self.dataset}}))

    def _query(self, tx: Connection) -> None:
        run = self.add_run(tx, self.second, "b", finished=LATER)
        self.dropped = self.add_dataset(tx, [7, 8, 9], run)
        reads = {"rivers": self.dataset, "file:/etc/hosts": "0" * 64}
        runs.update(tx, run.model_copy(update={"reads": reads, "writes": {"d": self.dropped}}))
        artifacts.set_state(tx, self.dropped, ArtifactState.DROPPED)
        self.store.files.remove(self.dropped)

    def _code(self, tx: Connection) -> None:
        run = self.add_run(tx, self.second, "c", finished=LATER)
        content = b"a pickle" + DOUBTFUL
        self.value = ArtifactId(hashlib.sha256(content).hexdigest())
        facts = {"about": {"x": {"type": "int", "text": "1"}}, "doubt": {"coarse": True}}
        data = hashlib.sha256(b"a pickle").hexdigest()
        self._made(tx, run, self.value, ArtifactKind.VALUE, len(content), content, data=data, **facts)
        self.picture = self.add_file(tx, "<svg/>")
        said = (
            TextMessage(stream="stdout", text="hällo\n"),
            DisplayMessage(artifacts={"image/svg+xml": self.picture}),
        )
        done = {"reads": {"rivers": self.dataset}, "writes": {"x": self.value}, "messages": said}
        runs.update(tx, run.model_copy(update=done))

    def _made(
        self,
        tx: Connection,
        run: Run,
        id: ArtifactId,
        kind: ArtifactKind,
        size: int,
        content: bytes | None = None,
        **facts: object,
    ) -> None:
        known = {"id": id, "kind": kind, "size": size, "state": "present", "media_type": "a/b", "run": run.id}
        artifact = Artifact.model_validate({**known, "created": LONG_AGO, **facts})
        artifacts.register(tx, self.store.files, artifact, content)

    def _fork(self, tx: Connection) -> None:
        self.other = BranchId(new_id())
        made = {"project": self.project, "person": self.person, "created": LATER, "head": 1}
        branches.insert(tx, Branch.model_validate({"id": self.other, "name": "other", **made}))
        ref = VersionRef(branch=self.other, number=1)
        named = Packages(wanted=("tiny",), locked=("tiny==1.0",))
        forked = {"ref": ref, "parents": (self.second,), "packages": named}
        versions.insert(tx, versions.get(tx, self.second).model_copy(update=forked))
        runs.carry_results(tx, self.second, ref, current=True)
        self.move_head(tx, ref, "create")


def exported(store: Store, project: ProjectId) -> bytes:
    with closing(Export(store, project)) as export:
        archive = b"".join(export.pieces())
        assert export.size == len(archive)
        return archive


def imported(store: Store, archive: bytes, person: PersonId, limits: Limits = LIMITS) -> Project:
    return import_archive(store, BytesIO(archive), limits, person)
