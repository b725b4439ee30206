"""Artifacts of an archive are what their ids say, and described as they are."""

from __future__ import annotations

import base64
import hashlib
import random
from io import BytesIO

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.formats.archive.refusing import refuse
from tests.formats.archive.rivers import Rivers, exported, imported
from tests.formats.archive.tampering import Record, Tampered
from tests.formats.archive.test_export import require_same
from tests.store.notebook import Notebook
from trailbook.errors import TrailbookError
from trailbook.model.artifacts import Artifact, ArtifactState, Doubt
from trailbook.model.base import ArtifactId, digest_of
from trailbook.store import apart, artifacts
from trailbook.store.store import Store

MUTANTS = 100


def test_a_file_with_another_content_is_refused(archive: bytes, elsewhere: Notebook) -> None:
    tampered = Tampered(archive)
    tampered.entries[tampered.file] += b"!"
    refuse(elsewhere, tampered.packed(), f"{tampered.file}: its content has the digest")


def test_a_dataset_with_another_content_is_refused(archive: bytes, elsewhere: Notebook) -> None:
    tampered = Tampered(archive)
    tampered.entries[tampered.part] = parquet(v=[1, 2, 4])
    refuse(elsewhere, tampered.packed(), "its content has the digest")


def test_a_dataset_without_some_of_its_files_is_refused(archive: bytes, rivers: Rivers, elsewhere: Notebook) -> None:
    tampered = Tampered(archive)
    folder = f"artifacts/{rivers.dataset}"
    tampered.entries.pop(f"{folder}/_phantoms/part-00000.parquet")
    refuse(elsewhere, tampered.packed(), f"{folder}: its content has the digest")
    tampered.entries[f"{folder}/_coarse"] = tampered.entries.pop(f"{folder}/part-00000.parquet")
    refuse(elsewhere, tampered.packed(), f"{folder}: {rivers.dataset} holds no Parquet part files")


def with_dataset(archive: bytes, rivers: Rivers, *parts: bytes) -> bytes:
    """The archive with these parts as its dataset, under the id that they have."""
    tampered = Tampered(archive)
    id = digest_of("dataset", [hashlib.sha256(part).hexdigest() for part in parts])
    tampered.entries = {
        name: text.replace(rivers.dataset.encode(), id.encode())
        for name, text in tampered.entries.items()
        if rivers.dataset not in name
    }
    for number, part in enumerate(parts):
        tampered.entries[f"artifacts/{id}/part-{number:05}.parquet"] = part
    return tampered.packed()


def parquet(**columns: list[int]) -> bytes:
    out = BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


def test_what_is_no_parquet_is_no_dataset(archive: bytes, rivers: Rivers, elsewhere: Notebook) -> None:
    refuse(elsewhere, with_dataset(archive, rivers, b"not Parquet"), "it can't be read as a dataset")
    refuse(elsewhere, with_dataset(archive, rivers, parquet(v=[1]), b""), "it can't be read as a dataset")


def test_a_dataset_that_ends_its_reader_ends_nothing_else(
    archive: bytes, rivers: Rivers, fresh: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "DESCRIBING", "tests.formats.archive.aborting")
    refuse(fresh, archive, f"artifacts/{rivers.dataset}: it ends the process that reads it")


def test_a_value_with_another_content_is_refused(archive: bytes, elsewhere: Notebook) -> None:
    tampered = Tampered(archive)
    tampered.change("artifacts", lambda value: value.update(content=base64.b64encode(b"cos\nsystem").decode()), 2)
    refuse(elsewhere, tampered.packed(), "records/artifacts.jsonl, line 3: the content of artifact")


def test_files_without_a_record_and_records_without_files_are_refused(archive: bytes, elsewhere: Notebook) -> None:
    tampered = Tampered(archive)
    tampered.entries[f"artifacts/{hashlib.sha256(b'?').hexdigest()}"] = b"?"
    refuse(elsewhere, tampered.packed(), "no record says that it is there")
    tampered = Tampered(archive)
    file = tampered.file
    del tampered.entries[file]
    refuse(elsewhere, tampered.packed(), f"{file}: its record says that it is there")


def test_a_file_has_nothing_below_it(archive: bytes, elsewhere: Notebook) -> None:
    tampered = Tampered(archive)
    tampered.entries[f"{tampered.file}/part-00000.parquet"] = b""
    refuse(elsewhere, tampered.packed(), "it is not what a file is kept as")


def test_what_files_tell_is_not_taken_from_the_record(archive: bytes, rivers: Rivers, fresh: Notebook) -> None:
    lies: Record = {"doubt": Doubt().model_dump(), "columns": [], "rows": 9, "data": "0" * 64, "size": 1}
    tampered = Tampered(archive)
    for index in range(len(tampered.records("artifacts"))):
        tampered.change("artifacts", lambda artifact: artifact.update(lies), index)
    imported(fresh.store, tampered.packed(), fresh.person)
    for id in (rivers.dataset, rivers.value, rivers.file):
        assert described(fresh.store, id) == described(rivers.store, id)


def described(store: Store, id: ArtifactId) -> Artifact:
    with store.reading() as tx:
        return artifacts.get(tx, id).model_copy(update={"run": None})


def test_whoever_makes_an_artifact_knows_better_than_an_archive(
    archive: bytes, rivers: Rivers, fresh: Notebook
) -> None:
    tampered = Tampered(archive)
    lies: Record = {"about": {"v": {"type": "lie", "text": "lie"}}, "doubt": Doubt(rows=3).model_dump()}
    tampered.change("artifacts", lambda dropped: dropped.update(lies), 1)
    imported(fresh.store, tampered.packed(), fresh.person)
    assert described(fresh.store, rivers.dropped).doubt.rows == 3
    with fresh.store.writing() as tx:
        made = fresh.add_dataset(tx, [7, 8, 9])
    assert made == rivers.dropped
    true = described(fresh.store, made)
    assert (true.state, true.doubt, true.about) == (ArtifactState.PRESENT, Doubt(), {})
    imported(fresh.store, tampered.packed(), fresh.person)
    assert described(fresh.store, made) == true


def test_every_mutant_is_refused_or_the_same(archive: bytes, elsewhere: Notebook) -> None:
    chance = random.Random(1)
    refused = 0
    for _ in range(MUTANTS):
        mutant = bytearray(archive)
        for _ in range(chance.choice((1, 1, 2, 8))):
            mutant[chance.randrange(len(mutant))] ^= 1 << chance.randrange(8)
        try:
            project = imported(elsewhere.store, bytes(mutant), elsewhere.person)
        except TrailbookError:
            refused += 1
            continue
        require_same(archive, exported(elsewhere.store, project.id))
    assert MUTANTS > refused > MUTANTS / 2
