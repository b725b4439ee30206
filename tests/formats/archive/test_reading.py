"""A manifest and records that are not of the right form are refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.formats.archive.refusing import refuse
from tests.formats.archive.tampering import Record, Tampered
from tests.store.notebook import Notebook

Change = Callable[[Record], object]
MANIFESTS: list[tuple[str, Change]] = [
    ("its version is 2", lambda manifest: manifest.update(version=2, new="field")),
    ("version", lambda manifest: manifest.update(version=0)),
    ("version", lambda manifest: manifest.update(version="1")),
    ("format", lambda manifest: manifest.update(format="something else")),
    ("extra: it is not known here", lambda manifest: manifest.update(extra=1)),
    ("project", lambda manifest: manifest.pop("project")),
    ("the project's name", lambda manifest: manifest["project"].update(name="\u202e")),
    ("the project's name", lambda manifest: manifest["project"].update(person="nobody")),
    ("records.runs", lambda manifest: manifest["records"].update(runs=-1)),
    ("has 2 lines", lambda manifest: manifest["records"].update(runs=2)),
    ("has 4 lines", lambda manifest: manifest["records"].update(runs=4)),
    ("has None lines", lambda manifest: manifest["records"].pop("runs")),
]


@pytest.mark.parametrize(("expected", "change"), MANIFESTS)
def test_the_manifest_must_be_right(archive: bytes, elsewhere: Notebook, expected: str, change: Change) -> None:
    tampered = Tampered(archive)
    tampered.manifest(change)
    refuse(elsewhere, tampered.packed(), expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"{", "EOF while parsing"),
        (b"[]", "it should be an object"),
        (b"null", "it should be an object"),
        (b"", "EOF while parsing"),
        (b'{"id": "\xff", "name": "x"}', "it is no JSON"),
        (b'{"id": "\\ud800", "name": "x"}', "it is no JSON"),
        (b'{"id": ' + b"[" * 100_000, "recursion limit"),
        (b'{"id": ' + b'{"a": ' * 100_000, "recursion limit"),
        (b'{"id": 1' + b"0" * 5000 + b', "name": ""}', "number out of range"),
    ],
)
def test_a_line_is_a_record(archive: bytes, elsewhere: Notebook, line: bytes, expected: str) -> None:
    tampered = Tampered(archive)
    tampered.entries["records/persons.jsonl"] += line + b"\n"
    tampered.manifest(lambda manifest: manifest["records"].update(persons=2))
    refuse(elsewhere, tampered.packed(), expected)
