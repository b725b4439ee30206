"""Adopting content, finding it, removing it."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from trailbook.errors import Invalid, StoreError
from trailbook.model.base import ArtifactId
from trailbook.store.files import ArtifactFiles
from trailbook.store.masks import PHANTOMS, form_file, mark_coarsely


@pytest.fixture
def files(tmp_path: Path) -> ArtifactFiles:
    made = ArtifactFiles(tmp_path)
    made.prepare()
    return made


def staged_directory(files: ArtifactFiles, **contents: bytes) -> Path:
    directory = files.stage()
    for name, content in contents.items():
        (directory / name.replace("__", ".")).write_bytes(content)
    return directory


def test_a_file_is_named_by_the_digest_of_its_bytes_and_can_no_longer_be_written(files: ArtifactFiles) -> None:
    path = files.stage() / "anything"
    path.write_bytes(b"river,length\n")
    content = files.adopt_file(path)
    assert content.id == hashlib.sha256(b"river,length\n").hexdigest()
    assert content.size == 13
    assert files.path(content.id).read_bytes() == b"river,length\n"
    assert files.path(content.id).stat().st_mode & 0o222 == 0
    assert not path.exists()


def test_only_plain_files_are_adopted(files: ArtifactFiles, tmp_path: Path) -> None:
    outside = tmp_path / "outside.parquet"
    outside.write_bytes(b"not ours")
    for name, make in (("link", lambda path: path.symlink_to(outside)), ("pipe", os.mkfifo)):
        directory = files.stage()
        make(directory / f"{name}.parquet")
        with pytest.raises(Invalid, match=f"{name}.parquet is not a plain file"):
            files.adopt_directory(directory)
        with pytest.raises(Invalid, match=f"{name}.parquet is not a plain file"):
            files.adopt_file(directory / f"{name}.parquet")
    assert outside.read_bytes() == b"not ours"
    assert list(files.ids()) == []


@hypothesis_settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(max_size=50), min_size=1, max_size=4))
def test_the_same_content_is_adopted_once_and_other_content_elsewhere(
    files: ArtifactFiles, contents: list[bytes]
) -> None:
    adopted = {}
    for content in [*contents, *contents]:
        path = files.stage() / "x"
        path.write_bytes(content)
        adopted[content] = files.adopt_file(path).id
    assert len(set(adopted.values())) == len(set(contents))
    for content, id in adopted.items():
        assert files.path(id).read_bytes() == content
        assert files.is_intact(id)


def test_a_dataset_keeps_its_part_files_in_order_under_names_of_their_position(files: ArtifactFiles) -> None:
    directory = staged_directory(
        files,
        **{
            "part-00001-9f__c000__parquet": b"second",
            "part-00000-9f__c000__parquet": b"first",
            "_SUCCESS": b"",
            "__part-00000-9f__c000__parquet__crc": b"sum",
        },
    )
    path = files.path(files.adopt_directory(directory).id)
    assert {part.name: part.read_bytes() for part in path.iterdir()} == {
        "part-00000.parquet": b"first",
        "part-00001.parquet": b"second",
    }


def test_a_writers_names_that_look_like_ours_keep_their_order(files: ArtifactFiles) -> None:
    directory = staged_directory(files, **{"a__parquet": b"1", "part-00000__parquet": b"2", "0__parquet": b"0"})
    path = files.path(files.adopt_directory(directory).id)
    assert [part.read_bytes() for part in sorted(path.iterdir())] == [b"0", b"1", b"2"]


def test_a_datasets_identity_depends_on_content_and_order_not_on_the_writers_names(files: ArtifactFiles) -> None:
    one = files.adopt_directory(staged_directory(files, a__parquet=b"1", b__parquet=b"2"))
    same = files.adopt_directory(staged_directory(files, x__parquet=b"1", y__parquet=b"2"))
    turned = files.adopt_directory(staged_directory(files, a__parquet=b"2", b__parquet=b"1"))
    joined = files.adopt_directory(staged_directory(files, a__parquet=b"12"))
    assert one == same
    assert len({one.id, turned.id, joined.id}) == 3
    assert set(files.ids()) == {one.id, turned.id, joined.id}


def test_adopting_again_makes_it_young_again(files: ArtifactFiles) -> None:
    id = files.adopt_directory(staged_directory(files, a__parquet=b"1")).id
    os.utime(files.path(id), (0, 0))
    assert files.is_older(id, datetime(2020, 1, 1, tzinfo=UTC))
    files.adopt_directory(staged_directory(files, a__parquet=b"1"))
    assert not files.is_older(id, datetime(2020, 1, 1, tzinfo=UTC))


def test_a_directory_without_part_files_is_no_dataset(files: ArtifactFiles) -> None:
    with pytest.raises(Invalid, match="Parquet"):
        files.adopt_directory(staged_directory(files, _SUCCESS=b""))


def test_changed_content_is_not_intact(files: ArtifactFiles) -> None:
    id = files.adopt_directory(staged_directory(files, a__parquet=b"1")).id
    part = files.path(id) / "part-00000.parquet"
    part.chmod(0o644)
    part.write_bytes(b"2")
    assert not files.is_intact(id)


@pytest.mark.parametrize("id", ["", "../../etc/passwd", "a" * 63, "A" * 64, "a" * 64 + "\n", "a" * 32 + "/" + "a" * 31])
def test_only_an_id_is_a_path(files: ArtifactFiles, id: str) -> None:
    with pytest.raises(Invalid, match="64"):
        files.path(ArtifactId(id))


def test_removing_leaves_nothing_and_can_be_repeated(files: ArtifactFiles, tmp_path: Path) -> None:
    id = files.adopt_directory(staged_directory(files, a__parquet=b"1")).id
    files.remove(id)
    files.remove(id)
    assert not files.has(id)
    assert list((tmp_path / "staging").iterdir()) == []


def test_what_trailbook_did_not_write_is_a_stranger(files: ArtifactFiles, tmp_path: Path) -> None:
    id = files.adopt_directory(staged_directory(files, a__parquet=b"1")).id
    (tmp_path / "artifacts" / "notes.txt").write_text("mine")
    (files.path(id).parent / "notes.txt").write_text("mine, too")
    assert {path.name for path in files.strangers()} == {"notes.txt"}
    assert list(files.ids()) == [id]


def test_a_missing_staged_file_is_named(files: ArtifactFiles) -> None:
    with pytest.raises(StoreError, match="never-written"):
        files.adopt_file(files.stage() / "never-written")


WRITE_TOO_MUCH = """
import resource, sys
from pathlib import Path
from trailbook.errors import StoreFull
from trailbook.settings import Settings
from trailbook.store import persons
from trailbook.store.failures import disk_failures_told
from trailbook.store.store import Store
store = Store.open(Settings(data=Path(sys.argv[1])))
staged = store.files.stage() / "big"
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
try:
    with disk_failures_told("the upload"):
        staged.write_bytes(bytes(1_000_000))
except StoreFull as error:
    print(error.message)
store.files.discard(staged.parent)
with store.writing() as tx:
    print(persons.local_person(tx, "Ada").name)
store.close()
"""


def test_a_disk_that_takes_no_more_is_told_and_the_store_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITE_TOO_MUCH, str(tmp_path / "data")]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "No space left in the upload" in output
    assert output.endswith("Ada\n")


def staged_dataset(files: ArtifactFiles, phantoms: bytes | None = None, coarse: bool = False) -> Path:
    directory = staged_directory(files, a__parquet=b"data", _SUCCESS=b"")
    if phantoms is not None:
        (directory / PHANTOMS).mkdir()
        (directory / PHANTOMS / "x.parquet").write_bytes(phantoms)
        (directory / PHANTOMS / "_SUCCESS").touch()
    if coarse:
        mark_coarsely(directory)
    return directory


def test_the_same_data_with_other_doubts_is_another_artifact(files: ArtifactFiles) -> None:
    doubts: list[dict[str, Any]] = [{}, {"phantoms": b"one"}, {"phantoms": b"two"}, {"coarse": True}]
    adopted = [files.adopt_directory(staged_dataset(files, **doubt)) for doubt in doubts]
    assert len({content.id for content in adopted}) == 4
    assert [files.adopt_directory(staged_dataset(files, **doubt)) for doubt in doubts] == adopted
    for content in adopted:
        assert files.is_intact(content.id)
        assert files.size(content.id) == content.size


def test_phantoms_that_changed_are_found_out(files: ArtifactFiles) -> None:
    id = files.adopt_directory(staged_dataset(files, phantoms=b"one")).id
    (part,) = (files.path(id) / PHANTOMS).iterdir()
    assert part.name == "part-00000.parquet"
    part.chmod(0o644)
    part.write_bytes(b"other")
    assert not files.is_intact(id)


def test_phantoms_elsewhere_are_not_touched(files: ArtifactFiles, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "theirs.parquet").write_bytes(b"not ours")
    directory = staged_directory(files, a__parquet=b"data")
    (directory / PHANTOMS).symlink_to(outside)
    with pytest.raises(Invalid, match="not a plain directory"):
        files.adopt_directory(directory)
    assert [path.name for path in outside.iterdir()] == ["theirs.parquet"]


def with_form(files: ArtifactFiles, library: str, content: bytes) -> Path:
    directory = staged_dataset(files)
    (directory / form_file(library)).write_bytes(content)
    return directory


def test_a_form_is_kept_and_part_of_the_identity(files: ArtifactFiles) -> None:
    forms = [("pandas", b"one"), ("pandas", b"two"), ("polars", b"one")]
    adopted = [files.adopt_directory(with_form(files, *form)) for form in forms]
    assert len({files.adopt_directory(staged_dataset(files)).id, *(content.id for content in adopted)}) == 4
    form = files.path(adopted[0].id) / form_file("pandas")
    assert form.read_bytes() == b"one"
    form.chmod(0o644)
    form.write_bytes(b"other")
    assert not files.is_intact(adopted[0].id)


def test_a_form_elsewhere_is_not_taken(files: ArtifactFiles, tmp_path: Path) -> None:
    (tmp_path / "outside").write_bytes(b"not ours")
    directory = staged_dataset(files)
    (directory / form_file("pandas")).symlink_to(tmp_path / "outside")
    with pytest.raises(Invalid, match="not a plain file"):
        files.adopt_directory(directory)
