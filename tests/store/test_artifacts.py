"""Artifact records and pins."""

from __future__ import annotations

import pytest

from tests.store.notebook import Notebook
from trailbook.errors import Dropped, NotFound
from trailbook.model.artifacts import ArtifactState, Column
from trailbook.model.base import ArtifactId
from trailbook.store import artifacts
from trailbook.store.store import Store


def test_the_same_content_is_one_record_which_keeps_who_made_it_first(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        first = artifacts.get(tx, notebook.add_dataset(tx, [1, 2]))
        again = first.model_copy(update={"seconds": 99.0, "media_type": "other/type"})
        assert artifacts.register(tx, store.files, again) == first


def test_a_record_comes_back_as_it_was(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        known = artifacts.get(tx, notebook.add_dataset(tx, [1]))
        other = store.files.stage() / "x"
        other.write_text("other")
        id = store.files.adopt_file(other).id
        columns = (Column(name="a.b `c` 🏞", type="array<int>", nullable=False),)
        artifact = known.model_copy(update={"id": id, "columns": columns, "rows": 2**40})
        assert artifacts.register(tx, store.files, artifact) == artifact
        assert artifacts.many(tx, [id, known.id, ArtifactId("0" * 64)]) == {id: artifact, known.id: known}


@pytest.mark.parametrize("state", [ArtifactState.DROPPED, ArtifactState.GONE])
def test_content_made_again_is_present_again(store: Store, notebook: Notebook, state: ArtifactState) -> None:
    with store.writing() as tx:
        id = notebook.add_dataset(tx, [1, 2])
        artifacts.set_state(tx, id, state)
        store.files.remove(id)
        assert notebook.add_dataset(tx, [1, 2]) == id
    assert notebook.state(id) is ArtifactState.PRESENT


def test_nothing_is_recorded_as_present_without_files(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        artifact = artifacts.get(tx, notebook.add_dataset(tx, [1, 2]))
    store.files.remove(artifact.id)
    with pytest.raises(Dropped, match=artifact.id), store.writing() as tx:
        artifacts.register(tx, store.files, artifact)


def test_a_pin_is_a_persons_own(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        id = notebook.add_dataset(tx, [1, 2])
        artifacts.pin(tx, id, notebook.person)
        artifacts.pin(tx, id, notebook.person)
        assert [(pin.artifact, pin.person) for pin in artifacts.pins(tx)] == [(id, notebook.person)]
        artifacts.unpin(tx, id, notebook.person)
        assert artifacts.pins(tx) == []


def test_an_unknown_artifact_is_named(store: Store, notebook: Notebook) -> None:
    unknown = ArtifactId("0" * 64)
    with store.writing() as tx:
        for call in (
            lambda: artifacts.get(tx, unknown),
            lambda: artifacts.set_state(tx, unknown, ArtifactState.GONE),
            lambda: artifacts.pin(tx, unknown, notebook.person),
        ):
            with pytest.raises(NotFound, match=unknown):
                call()
