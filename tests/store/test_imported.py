"""What came in an archive: runs count in their own project, and records until somebody here knows better."""

from __future__ import annotations

from tests.store.notebook import ENVIRONMENT, LONG_AGO, Notebook
from trailbook.model.artifacts import Artifact, ArtifactKind, ArtifactState
from trailbook.model.base import ArtifactId, CellHandle, RunId, new_id
from trailbook.model.notebook import Spec
from trailbook.model.runs import CellState, Run
from trailbook.store import artifacts, runs, versions

SPEC = Spec(kind="python", parameters={"code": "x = 1"})


def run_of(notebook: Notebook) -> Run:
    return Run(
        id=RunId(new_id()),
        cell=CellHandle("a"),
        spec=SPEC.hash,
        environment=ENVIRONMENT,
        person=notebook.person,
        state=CellState.DONE,
        started=LONG_AGO,
        finished=LONG_AGO,
    )


def test_imported_runs_are_candidates_in_their_own_project_only(notebook: Notebook) -> None:
    other = Notebook(notebook.store)
    seen, told = run_of(notebook), run_of(notebook)
    with notebook.store.writing() as tx:
        versions.insert_specs(tx, [SPEC])
        runs.insert(tx, seen)
        runs.insert_imported(tx, notebook.project, [told])
    with notebook.store.reading() as tx:
        own = runs.candidates(tx, [SPEC.hash], ENVIRONMENT, notebook.project)[SPEC.hash]
        others = runs.candidates(tx, [SPEC.hash], ENVIRONMENT, other.project)[SPEC.hash]
        assert {run.id for run in own} == {seen.id, told.id}
        assert [run.id for run in others] == [seen.id]
        assert runs.get(tx, told.id) == told


def claimed(id: str, state: ArtifactState, media_type: str) -> Artifact:
    return Artifact(
        id=ArtifactId(id), kind=ArtifactKind.VALUE, state=state, size=1, media_type=media_type, created=LONG_AGO
    )


def test_a_claim_gives_way_to_what_was_seen(notebook: Notebook) -> None:
    store, id = notebook.store, "0" * 64
    gone = claimed(id, ArtifactState.GONE, "a/lie")
    there = claimed(id, ArtifactState.PRESENT, "a/claim")
    for artifact, content in ((gone, None), (there, b"x"), (claimed(id, ArtifactState.PRESENT, "a/later"), b"x")):
        with store.writing() as tx:
            artifacts.claim(tx, store.files, artifact, content)
    # What was checked stays; what was only said does not.
    with store.reading() as tx:
        assert artifacts.many(tx, [there.id]) == {there.id: there}
    seen = claimed(id, ArtifactState.PRESENT, "a/truth")
    with store.writing() as tx:
        artifacts.register(tx, store.files, seen, b"x")
        artifacts.claim(tx, store.files, there, b"x")
        artifacts.claim(tx, store.files, gone, None)
    with store.reading() as tx:
        assert artifacts.many(tx, [seen.id]) == {seen.id: seen}
        assert artifacts.get(tx, seen.id) == seen
