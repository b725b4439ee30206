"""What was decided when a dataset was made stays with it, and makes it another dataset."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from trailbook.errors import Invalid
from trailbook.model.base import ArtifactId
from trailbook.store.decisions import DECISIONS, read_decisions, write_decisions
from trailbook.store.files import ArtifactFiles

DECIDED = {"amount": {"type": "int", "codes": ["é\ud800"]}}
READ = {"amount": {"type": "int", "codes": ["é?"]}}


@pytest.fixture
def files(tmp_path: Path) -> ArtifactFiles:
    files = ArtifactFiles(tmp_path)
    files.prepare()
    return files


def _stored(files: ArtifactFiles, decisions: Mapping[str, object] | None) -> ArtifactId:
    directory = files.stage() / "dataset"
    directory.mkdir()
    pq.write_table(pa.table({"amount": [1]}), directory / "part.parquet")
    if decisions is not None:
        write_decisions(directory, decisions)
    return files.adopt_directory(directory).id


def test_decisions_are_kept_with_the_dataset(files: ArtifactFiles) -> None:
    assert read_decisions(files.path(_stored(files, DECIDED))) == READ
    assert read_decisions(files.path(_stored(files, None))) == {}


def test_the_same_data_by_another_decision_is_another_dataset(files: ArtifactFiles) -> None:
    ids = [_stored(files, decisions) for decisions in (None, DECIDED, {"amount": {"type": "int"}}, DECIDED)]
    assert len(set(ids)) == 3
    assert ids[1] == ids[3]


@pytest.mark.parametrize("content", ["{", "[]", "[" * 100_000])
def test_what_can_not_be_read_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / DECISIONS).write_text(content)
    with pytest.raises(Invalid, match="What was decided for a dataset can't be read"):
        read_decisions(tmp_path)
