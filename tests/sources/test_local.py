"""A file is copied as it was at one moment, or not at all."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from trailbook.errors import CellFailed, PathRefused
from trailbook.settings import Settings
from trailbook.sources.local import CHUNK, allowed_path, copy_file, held


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


def swap(path: Path, other: Path) -> None:
    """Put a link where a file or folder was, as somebody would between a look at it and its use."""
    path.rename(path.with_name("moved"))
    path.symlink_to(other)


@pytest.fixture
def allowed(tmp_path: Path) -> Path:
    """A file that may be read, in a folder of the same names as one that may not."""
    for folder, text in (("shared", "public"), ("private", "secret")):
        (tmp_path / folder / "data").mkdir(parents=True)
        (tmp_path / folder / "data" / "a.csv").write_text(text)
    return allowed_path(str(tmp_path / "shared" / "data" / "a.csv"), [tmp_path / "shared"], tmp_path / "own")


@pytest.mark.parametrize("swapped", ["shared", "shared/data", "shared/data/a.csv"])
def test_a_link_that_is_put_in_place_of_what_was_allowed_is_not_followed(
    tmp_path: Path, allowed: Path, swapped: str
) -> None:
    swap(tmp_path / swapped, tmp_path / swapped.replace("shared", "private"))
    assert allowed.read_text() == "secret"
    with pytest.raises(CellFailed, match=r"can't be read: (Not a directory|Too many levels of symbolic links)"):
        copy_file(allowed, tmp_path / "copy", lambda done, total: None)
    assert not (tmp_path / "copy").exists()


def test_a_file_that_is_held_is_the_same_whatever_is_put_in_its_place(tmp_path: Path, allowed: Path) -> None:
    with held(allowed) as name:
        swap(allowed, tmp_path / "private" / "data" / "a.csv")
        # By another process, as those do that look at it.
        assert subprocess.run(["cat", name], capture_output=True, check=True, text=True).stdout == "public"


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CellFailed, match="pipe is not a file"):
        copy_file(tmp_path / "pipe", tmp_path / "copy", lambda done, total: None)


def test_artifacts_and_hidden_folders_that_are_named_are_read(tmp_path: Path) -> None:
    hidden, own = tmp_path / ".hidden", tmp_path / ".data"
    for path in (hidden / "a.csv", own / "artifacts" / "ab" / "abc"):
        assert allowed_path(str(path), [tmp_path, hidden], own) == path


def test_no_folder_is_read_where_cells_are_isolated_unless_it_is_named(tmp_path: Path) -> None:
    assert Settings().readable_folders == (Path.home(),)
    assert Settings(isolation="sandbox").readable_folders == ()
    assert Settings(isolation="sandbox", folders=(tmp_path,)).readable_folders == (tmp_path,)
