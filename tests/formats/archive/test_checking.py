"""Records that don't fit together are refused, each with its line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.formats.archive.refusing import refuse
from tests.formats.archive.tampering import Record, Tampered
from tests.store.notebook import Notebook

Change = Callable[[Record], object]
PICTURE = {"type": "display", "artifacts": {"image/png": "0" * 64}}
OUTSIDE = ("./../x", ".//etc/x", "./a/../../x", "./../.", "./a\0b", "doubt:./../x")


def _writing(name: str) -> Change:
    """The run is said to have made what it made under another name."""
    return lambda run: run.update(writes={name: next(iter(run["writes"].values()))})


RECORDS: list[tuple[str, str, Change]] = [
    ("persons", "is no name", lambda person: person.update(name="A\nda")),
    ("persons", "line 1: name", lambda person: person.update(name=5)),
    ("persons", "token", lambda person: person.update(token="let me in")),
    ("specs", "kind", lambda spec: spec.pop("kind")),
    ("specs", "parameters", lambda spec: spec.update(parameters=[])),
    ("branches", "two branches are called", lambda branch: branch.update(name="other")),
    ("branches", "is no name", lambda branch: branch.update(name="")),
    ("branches", "is of another project", lambda branch: branch.update(project="another")),
    ("branches", "names the person nobody", lambda branch: branch.update(person="nobody")),
    ("branches", "created", lambda branch: branch.update(created="2001-02-03T04:05:06")),
    ("branches", "created", lambda branch: branch.update(created="0001-01-01T00:00:00+14:00")),
    ("branches", "created", lambda branch: branch.update(created=5)),
    ("artifacts", "is no artifact's id", lambda artifact: artifact.update(id="../../outside")),
    ("artifacts", "is no artifact's id", lambda artifact: artifact.update(id="A" * 64)),
    ("artifacts", "no such size", lambda artifact: artifact.update(size=2**63)),
    ("artifacts", "no such size", lambda artifact: artifact.update(rows=-1)),
    ("artifacts", "no such time", lambda artifact: artifact.update(seconds=-1.0)),
    ("artifacts", "no such type", lambda artifact: artifact.update(media_type="x" * 300)),
    ("artifacts", "names the run nobody", lambda artifact: artifact.update(run="nobody")),
    ("artifacts", "can't be in its record", lambda artifact: artifact.update(content="AAAA")),
    ("artifacts", "no record says that it is there", lambda artifact: artifact.update(state="gone")),
    ("artifacts", "kind", lambda artifact: artifact.update(kind="program")),
    ("artifacts", "it is not what a file is kept as", lambda artifact: artifact.update(kind="file")),
    ("runs", "has not ended", lambda run: run.update(state="running")),
    ("runs", "has not ended", lambda run: run.update(state="waiting")),
    ("runs", "has not ended", lambda run: run.update(finished=None)),
    ("runs", "starts in the future", lambda run: run.update(started="2999-01-01T00:00:00Z")),
    ("runs", "ends before it starts", lambda run: run.update(finished="1999-01-01T00:00:00Z")),
    ("runs", "is of no cell", lambda run: run.update(cell="../a")),
    ("runs", "has no environment", lambda run: run.update(environment="")),
    ("runs", "names the spec", lambda run: run.update(spec="0" * 64)),
    ("runs", "names the person", lambda run: run.update(person="nobody")),
    ("runs", "names the artifact", lambda run: run.update(writes={"x": "0" * 64})),
    ("runs", "names the artifact", lambda run: run.update(reads={"x": "0" * 64})),
    ("runs", "names the artifact", lambda run: run.update(messages=[PICTURE])),
    *(("runs", "is no file of a cell", _writing(name)) for name in OUTSIDE),
    ("runs", "which is no file", _writing("./x")),
    ("runs", "messages", lambda run: run.update(messages=[{"type": "surprise"}])),
    ("versions", "a parent", lambda version: version.update(parents=[version["ref"]])),
    ("versions", "a parent", lambda version: version.update(parents=[{**version["ref"], "number": 3}])),
    ("versions", "branch", lambda version: version["ref"].update(branch="nowhere")),
    ("versions", "no version has the number", lambda version: version["ref"].update(number=0)),
    ("versions", "no version has the number", lambda version: version["ref"].update(number=2**31)),
    ("versions", "names the spec", lambda version: version.update(cells=[{"handle": "a", "spec": "0" * 64}])),
    ("versions", "cells.0.handle", lambda version: version.update(cells=[{"handle": "../a", "spec": "0" * 64}])),
    ("versions", "edit", lambda version: version.update(edit={"action": "format the disk"})),
    ("versions", "is no package", lambda version: version["packages"].update(locked=["--index-url=evil"])),
    ("moves", "names the version", lambda move: move.update(number=99)),
    ("moves", "names the version", lambda move: move.update(branch="gone")),
    ("uploads", "is no name of a file", lambda upload: upload.update(name="../a.csv")),
    ("uploads", "is no name of a file", lambda upload: upload.update(name="a\\b.csv")),
    ("uploads", "which is no file of the archive", lambda upload: upload.update(artifact="0" * 64)),
    ("uploads", "is of another project", lambda upload: upload.update(project="another")),
    ("pins", "names the artifact", lambda pin: pin.update(artifact="0" * 64)),
]


@pytest.mark.parametrize(("kind", "expected", "change"), RECORDS)
def test_records_must_fit_together(
    archive: bytes, elsewhere: Notebook, kind: str, expected: str, change: Change
) -> None:
    tampered = Tampered(archive)
    tampered.change(kind, change)
    refuse(elsewhere, tampered.packed(), expected)


@pytest.mark.parametrize("kind", ["persons", "specs", "branches", "artifacts", "runs", "versions"])
def test_nothing_is_there_twice(archive: bytes, elsewhere: Notebook, kind: str) -> None:
    tampered = Tampered(archive)
    records = tampered.records(kind)
    again = records[-1] if kind != "branches" else {**records[-1], "name": "a new name"}
    tampered.put(kind, [*records, again])
    refuse(elsewhere, tampered.packed(), "is there twice")


def test_parameters_must_have_a_hash(archive: bytes, elsewhere: Notebook) -> None:
    tampered = Tampered(archive)
    entry = "records/specs.jsonl"
    tampered.entries[entry] = tampered.entries[entry].replace(b'"x = 1"', b"1e999")
    refuse(elsewhere, tampered.packed(), "its parameters have no hash")


def test_times_without_end_are_refused(archive: bytes, elsewhere: Notebook) -> None:
    tampered = Tampered(archive)
    entry = "records/artifacts.jsonl"
    tampered.entries[entry] = tampered.entries[entry].replace(b'"seconds":2.5', b'"seconds":1e999')
    refuse(elsewhere, tampered.packed(), "took no such time")


def test_versions_come_after_their_parents(archive: bytes, elsewhere: Notebook) -> None:
    tampered = Tampered(archive)
    tampered.put("versions", tampered.records("versions")[::-1])
    refuse(elsewhere, tampered.packed(), "that does not come before it")


def test_versions_in_a_circle_are_refused(archive: bytes, elsewhere: Notebook) -> None:
    tampered = Tampered(archive)
    last = tampered.records("versions")[-1]["ref"]
    tampered.change("versions", lambda first: first.update(parents=[last]))
    refuse(elsewhere, tampered.packed(), "that does not come before it")


def test_artifacts_that_are_made_of_each_other_are_refused(archive: bytes, elsewhere: Notebook) -> None:
    tampered = Tampered(archive)
    first, second, *_ = tampered.records("runs")
    first["reads"] = second["writes"]
    tampered.change("runs", lambda run: run.update(first))
    refuse(elsewhere, tampered.packed(), "artifacts are made in a circle")


def test_a_cell_is_once_in_a_version(archive: bytes, elsewhere: Notebook) -> None:
    tampered = Tampered(archive)
    tampered.change("versions", lambda version: version["cells"].extend(version["cells"]), 1)
    refuse(elsewhere, tampered.packed(), "has a cell twice")


def test_a_project_has_a_branch_and_a_branch_a_head(archive: bytes, elsewhere: Notebook) -> None:
    tampered = Tampered(archive)
    tampered.put("moves", tampered.records("moves")[:-1])
    refuse(elsewhere, tampered.packed(), "the head of branch other can't have moved so")
    for kind in ("branches", "versions", "moves"):
        tampered.put(kind, [])
    refuse(elsewhere, tampered.packed(), "the project has no branch")


def test_nothing_is_undone_that_was_not_done(archive: bytes, elsewhere: Notebook) -> None:
    tampered = Tampered(archive)
    tampered.change("moves", lambda move: move.update(reason="undo"), 1)
    refuse(elsewhere, tampered.packed(), "the head of branch main can't have moved so")
