"""A file is copied as it was at one moment, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from trailbook.errors import CellFailed, PathRefused
from trailbook.settings import Settings
from trailbook.sources.local import CHUNK, allowed_path, copy_file


def test_a_file_that_changes_once_is_copied_again(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"x" * (3 * CHUNK))
    calls: list[tuple[int, int]] = []

    def change(done: int, total: int) -> None:
        calls.append((done, total))
        if len(calls) == 1:
            path.write_bytes(b"y" * CHUNK)

    copy_file(path, tmp_path / "copy", change)
    assert (tmp_path / "copy").read_bytes() == b"y" * CHUNK
    assert calls[-1] == (CHUNK, CHUNK)


def test_a_file_that_does_not_stop_changing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"x")

    def grow(done: int, total: int) -> None:
        with path.open("ab") as file:
            file.write(b"x")

    with pytest.raises(CellFailed, match=r"a\.csv changes while it is read\. Load it again when"):
        copy_file(path, tmp_path / "copy", grow)


def test_what_can_not_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(CellFailed, match="No such file"):
        copy_file(tmp_path / "none", tmp_path / "copy", lambda done, total: None)
    with pytest.raises(CellFailed, match="is not a file"):
        copy_file(tmp_path, tmp_path / "copy", lambda done, total: None)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("data/token", "where Trailbook keeps its own files"),
        ("data/trailbook.db", "where Trailbook keeps its own files"),
        (".ssh/id", "no file that people see"),
        ("notes/.secret", "no file that people see"),
        ("link.csv", "no file that people see"),
        ("../a.csv", "outside the folders that may be read"),
        ("a\0.csv", "is no path"),
    ],
)
def test_keys_and_what_is_trailbooks_own_are_not_read(tmp_path: Path, path: str, said: str) -> None:
    folder = tmp_path / "home"
    (folder / ".ssh").mkdir(parents=True)
    (folder / "link.csv").symlink_to(folder / ".ssh" / "id")
    with pytest.raises(PathRefused, match=said):
        allowed_path(f"{folder}/{path}", [folder], folder / "data")


def test_artifacts_and_hidden_folders_that_are_named_are_read(tmp_path: Path) -> None:
    hidden, own = tmp_path / ".hidden", tmp_path / ".data"
    for path in (hidden / "a.csv", own / "artifacts" / "ab" / "abc"):
        assert allowed_path(str(path), [tmp_path, hidden], own) == path


def test_no_folder_is_read_where_cells_are_isolated_unless_it_is_named(tmp_path: Path) -> None:
    assert Settings().readable_folders == (Path.home(),)
    assert Settings(isolation="sandbox").readable_folders == ()
    assert Settings(isolation="sandbox", folders=(tmp_path,)).readable_folders == (tmp_path,)
