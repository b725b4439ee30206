"""A run of one cell over a real Spark, without a notebook around it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.sources.web import Web, serving
from trailbook.cells.context import PARQUET, RunContext
from trailbook.cells.kind import parse
from trailbook.cells.scope import Scope
from trailbook.engine import Engine
from trailbook.errors import NotFound
from trailbook.kernels.environments.environments import Environments
from trailbook.kernels.zygote import Zygote
from trailbook.model.artifacts import Artifact
from trailbook.model.base import ArtifactId, RunId, new_id, now
from trailbook.model.notebook import Spec
from trailbook.model.publications import Publication
from trailbook.model.runs import LiveMessage
from trailbook.settings import Settings
from trailbook.sinks.report import CaveatReport
from trailbook.store.files import ArtifactFiles
from trailbook.store.parquet import describe


class Desk:
    """Artifact files of its own, with what runs said."""

    def __init__(self, folder: Path, engine: Engine, zygote: Zygote) -> None:
        self.settings = Settings(data=folder / "data", folders=(folder,))
        self.settings.data.mkdir()
        self.files = ArtifactFiles(self.settings.data)
        self.files.prepare()
        self.said: list[LiveMessage] = []
        self.made: dict[ArtifactId, tuple[Artifact, bytes | None]] = {}
        self._engine = engine
        self._zygote = zygote

    def dataset(self, **columns: list[Any]) -> ArtifactId:
        directory = self.files.stage() / "dataset"
        directory.mkdir()
        pq.write_table(pa.table(columns), directory / "part.parquet")
        return self.files.adopt_directory(directory).id

    def context(self, **artifacts: ArtifactId) -> RunContext:
        return RunContext(
            run=RunId(new_id()),
            scope=Scope(artifacts),
            settings=self.settings,
            engine=self._engine,
            environments=Environments(self.settings, self._zygote),
            files=self.files,
            on_message=self.said.append,
            on_progress=lambda progress: None,
            record=lambda artifact: None,
            shelf=self,
            await_name=lambda name: Scope(artifacts),
        )

    def artifacts(self, ids: Collection[ArtifactId]) -> dict[ArtifactId, Artifact]:
        there = (id for id in ids if self.files.has(id) or id in self.made)
        return {id: self.made[id][0] if id in self.made else self.described(id) for id in there}

    def contents(self, ids: Collection[ArtifactId]) -> dict[ArtifactId, bytes]:
        return {id: content for id in ids if (content := self.made[id][1]) is not None}

    def publication(self, name: str, edition: int) -> Publication:
        raise NotFound(f"Nothing is published as {name}.")

    def caveat_report(self, name: str, id: ArtifactId) -> CaveatReport:
        artifact = self.described(id)
        names = tuple(column.name for column in artifact.columns)
        return CaveatReport(
            dataset=name, origin="", time=now(), rows=artifact.rows or 0, columns=names, doubt=artifact.doubt
        )

    def described(self, id: ArtifactId) -> Artifact:
        """What the store would know of an artifact."""
        facts = {"kind": "dataset", "state": "present", "size": 0, "media_type": PARQUET, "created": now()}
        return Artifact.model_validate({**facts, "id": id, **vars(describe(self.files.path(id)))})

    def run(self, context: RunContext, kind: str, **parameters: Any) -> None:
        parse(Spec(kind=kind, parameters=parameters)).run(context)
        self.made |= {artifact.id: (artifact, content) for artifact, content in context.made}

    def rows(self, context: RunContext, name: str) -> list[dict[str, Any]]:
        """The data of what a run wrote."""
        directory = self.files.path(context.writes[name])
        names = [column.name for column in describe(directory).columns]
        rows: list[dict[str, Any]] = pq.read_table(directory, columns=names).to_pylist()
        return rows


@pytest.fixture
def desk(tmp_path: Path, engine: Engine, zygote: Zygote) -> Desk:
    return Desk(tmp_path, engine, zygote)


@pytest.fixture
def web() -> Iterator[Web]:
    with serving() as server:
        yield server


@pytest.fixture
def open_desk(desk: Desk) -> Desk:
    """A desk whose cells may fetch from this machine."""
    desk.settings = replace(desk.settings, fetch="any")
    return desk
