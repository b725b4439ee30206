"""What was exported and imported is the same project."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from tests.formats.archive.rivers import LATER, Rivers, exported, imported
from tests.formats.archive.tampering import Tampered
from tests.store.notebook import Notebook
from trailbook.errors import Dropped, NotFound
from trailbook.formats.archive.export import Export
from trailbook.model.artifacts import ArtifactState
from trailbook.model.base import CellHandle, ProjectId, now
from trailbook.model.notebook import Spec, VersionRef
from trailbook.settings import Settings
from trailbook.store import artifacts, branches, heads, persons, runs, tables, uploads, versions
from trailbook.store.doctor import doctor
from trailbook.store.gc import gc
from trailbook.store.store import Store
from trailbook.workflow.history import possible_steps


@pytest.fixture
def own(settings: Settings) -> Iterator[Rivers]:
    """A project for a test that does it harm."""
    store = Store.open(settings)
    yield Rivers(store)
    store.close()


def told(archive: bytes) -> dict[str, str]:
    """The records of an archive, with ids as numbers in the order of their first appearance."""
    content = Tampered(archive)
    for kind, left_out in (("pins", ("person", "time")), ("persons", ("id",))):
        records = [{k: v for k, v in record.items() if k not in left_out} for record in content.records(kind)]
        content.put(kind, records)
    numbers: dict[str, int] = {}
    return {
        name: re.sub(r"\b[0-9a-f]{16}\b", lambda id: f"id {numbers.setdefault(id[0], len(numbers))}", text.decode())
        for name, text in content.entries.items()
        if name.startswith("records/")
    }


def files(archive: bytes) -> dict[str, bytes]:
    return {name: content for name, content in Tampered(archive).entries.items() if name.startswith("artifacts/")}


def require_same(before: bytes, after: bytes) -> None:
    """One archive holds what the other does, but for ids, and who has imported it."""
    specs, specs_after = ({run["spec"] for run in Tampered(archive).records("runs")} for archive in (before, after))
    # Who acknowledged something is part of a spec, so its hash is another one; all others stay.
    (old,), (new,) = specs - specs_after, specs_after - specs
    expected = {name: text.replace(old, new) for name, text in told(before).items()}
    expected["records/persons.jsonl"] *= 2
    assert told(after) == expected
    assert files(after) == files(before)


def staged(store: Store) -> set[str]:
    return {path.name for path in store.files.staging.iterdir()}


def test_the_same_records_come_out_again_up_to_ids(archive: bytes, elsewhere: Notebook) -> None:
    project = imported(elsewhere.store, archive, elsewhere.person)
    require_same(archive, exported(elsewhere.store, project.id))
    assert doctor(elsewhere.store, now(), 3600, deep=True).healthy


def test_postgres_holds_it_as_well(archive: bytes, postgres_settings: Settings) -> None:
    store = Store.open(postgres_settings)
    there = Notebook(store)
    require_same(archive, exported(store, imported(store, archive, there.person).id))
    store.close()


def test_an_imported_project_has_its_history_and_results(archive: bytes, rivers: Rivers, elsewhere: Notebook) -> None:
    project = imported(elsewhere.store, archive, elsewhere.person)
    with elsewhere.store.reading() as tx:
        main, other = branches.of_project(tx, project.id)
        assert (main.name, main.head, other.name, other.head) == ("main", 3, "other", 1)
        assert possible_steps(heads.log(tx, main.id)) == ([1, 2], [])
        forked = versions.get(tx, VersionRef(branch=other.id, number=1))
        assert forked.parents == (VersionRef(branch=main.id, number=3),)
        assert forked.packages.locked == ("tiny==1.0",)
        shown = runs.results(tx, forked.ref)
        assert {handle: result.current for handle, result in shown.items()} == {"a": True, "b": True, "c": True}
        assert shown[CellHandle("c")].run.writes == {"x": rivers.value}
        assert artifacts.contents(tx, [rivers.value]) == {rivers.value: b"a pickle in doubt"}
        assert artifacts.get(tx, rivers.dataset).doubt.values == {"v": 1}
        assert artifacts.get(tx, rivers.dropped).state is ArtifactState.DROPPED
        assert [file.name for file in uploads.of_project(tx, project.id)] == ["a.csv"]
        assert [(pin.artifact, pin.person) for pin in artifacts.pins(tx)] == [(rivers.dataset, elsewhere.person)]
        (accepted,) = forked.cells[1].spec.acknowledged
        assert persons.get(tx, accepted.person).name == "Ada"


def test_an_archive_twice_is_two_projects_beside_the_one_it_came_from(archive: bytes, rivers: Rivers) -> None:
    found = {rivers.project, *(imported(rivers.store, archive, rivers.person).id for _ in range(2))}
    assert len(found) == 3
    with rivers.store.reading() as tx:
        assert len({branch.id for project in found for branch in branches.of_project(tx, project)}) == 6
    assert doctor(rivers.store, now(), 3600, deep=True).healthy


def test_persons_of_an_archive_are_names_without_a_way_in(rivers: Rivers, elsewhere: Notebook) -> None:
    with rivers.store.writing() as tx:
        persons.add_token(tx, rivers.person, "a secret token", "server")
    archive = exported(rivers.store, rivers.project)
    assert b"a secret token" not in archive
    assert persons.hash_of_token("a secret token").encode() not in archive
    project = imported(elsewhere.store, archive, elsewhere.person)
    with elsewhere.store.reading() as tx:
        author = branches.of_project(tx, project.id)[0].person
        assert project.person == elsewhere.person != author
        assert not tx.execute(select(tables.persons.c.local).where(tables.persons.c.id == author)).scalar()
        assert tx.execute(select(func.count()).select_from(tables.tokens)).scalar() == 0


def test_nothing_of_another_project_is_exported(own: Rivers) -> None:
    other = Notebook(own.store)
    with own.store.writing() as tx:
        secret = other.add_file(tx, "their secret", upload=True)
        ref = other.add_version(tx, s=Spec(kind="python", parameters={"code": "their code"}))
        # The same content, made first over there.
        made = other.add_run(tx, ref, "s", finished=LATER - timedelta(days=1), writes={"rivers": own.dataset})
        tx.execute(tables.artifacts.update().where(tables.artifacts.c.id == own.dataset).values(run=made.id))
    archive = exported(own.store, own.project)
    for word in (secret, "their secret", "their code", other.branch, other.project, made.id):
        assert word.encode() not in archive
    dataset = next(one for one in Tampered(archive).records("artifacts") if one["id"] == own.dataset)
    assert dataset["run"] in {run["id"] for run in Tampered(archive).records("runs")}


def test_an_export_has_one_moment_whatever_happens_meanwhile(own: Rivers) -> None:
    before = staged(own.store)
    export = Export(own.store, own.project)
    pieces = export.pieces()
    with own.store.writing() as tx:
        own.add_version(tx)
        artifacts.unpin(tx, own.dataset, own.person)
        tx.execute(tables.projects.update().values(deleted=LATER))
    gc(own.store, now() + timedelta(seconds=5), 0)
    assert not own.store.files.has(own.dataset)
    archive = Tampered(b"".join(pieces))
    export.close()
    assert len(archive.records("versions")) == 4
    assert any(own.dataset in name for name in archive.entries)
    assert staged(own.store) == before


def test_an_export_that_is_given_up_leaves_nothing(rivers: Rivers) -> None:
    before = staged(rivers.store)
    export = Export(rivers.store, rivers.project)
    pieces = export.pieces()
    next(pieces)
    pieces.close()
    export.close()
    assert staged(rivers.store) == before


def test_what_is_not_there_can_not_be_exported(own: Rivers) -> None:
    before = staged(own.store)
    with pytest.raises(NotFound):
        Export(own.store, ProjectId("0" * 16))
    own.store.files.remove(own.dataset)
    with pytest.raises(Dropped, match=own.dataset):
        Export(own.store, own.project)
    assert staged(own.store) == before


def test_the_size_is_known_of_large_files_too(rivers: Rivers, monkeypatch: pytest.MonkeyPatch) -> None:
    export = Export(rivers.store, rivers.project)
    # Zip has another form for what is large, which is two gigabytes otherwise.
    monkeypatch.setattr("zipfile.ZIP64_LIMIT", 500)
    assert export.size == sum(map(len, export.pieces()))
    export.close()
