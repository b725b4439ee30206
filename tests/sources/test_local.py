"""A file is copied as it was at one moment, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from trailbook.errors import CellFailed
from trailbook.sources.local import CHUNK, copy_file


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
