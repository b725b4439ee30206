"""Projects and uploads."""

from __future__ import annotations

import pytest

from tests.store.notebook import LONG_AGO, Notebook
from trailbook.errors import NotFound
from trailbook.model.base import ProjectId
from trailbook.store import projects, uploads
from trailbook.store.store import Store


def test_a_project_comes_back_as_it_was_with_an_aware_time(store: Store, notebook: Notebook) -> None:
    with store.reading() as tx:
        project = projects.get(tx, notebook.project)
    assert (project.name, project.person, project.created) == ("Rivers", notebook.person, LONG_AGO)
    assert project.created.utcoffset() is not None


def test_a_deleted_project_is_only_out_of_sight_and_can_come_back(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        projects.set_deleted(tx, notebook.project, LONG_AGO)
        assert projects.all(tx) == []
        assert [p.id for p in projects.all(tx, deleted=True)] == [notebook.project]
        assert projects.get(tx, notebook.project).deleted == LONG_AGO
        projects.set_deleted(tx, notebook.project, None)
        projects.rename(tx, notebook.project, "Lakes 🏞")
        assert [p.name for p in projects.all(tx)] == ["Lakes 🏞"]


def test_an_unknown_project_is_named(store: Store) -> None:
    with store.writing() as tx:
        for call in (
            lambda: projects.get(tx, ProjectId("none")),
            lambda: projects.rename(tx, ProjectId("none"), "x"),
            lambda: projects.set_deleted(tx, ProjectId("none"), None),
        ):
            with pytest.raises(NotFound, match="none"):
                call()


def test_uploads_are_listed_newest_first(store: Store, notebook: Notebook) -> None:
    with store.writing() as tx:
        first = notebook.add_file(tx, "1", upload=True)
        second = notebook.add_file(tx, "22", upload=True)
        listed = uploads.of_project(tx, notebook.project)
        assert [(u.artifact, u.size, u.person) for u in listed] == [
            (second, 2, notebook.person),
            (first, 1, notebook.person),
        ]
