"""A Load cell captures a file, and what it read is told apart from what it would read now."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from tests.cells.conftest import Desk
from trailbook.errors import CellFailed, PathRefused
from trailbook.store.outside import file_digest


def test_the_digest_of_a_read_is_that_of_the_bytes_that_were_loaded(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"x\n1\n")
    context = desk.context()
    desk.run(context, "load", name="a", path=str(path))
    assert desk.rows(context, "a") == [{"x": 1}]
    assert context.reads[f"file:{path}"] == hashlib.sha256(b"x\n1\n").hexdigest()
    assert file_digest(str(path)) == context.reads[f"file:{path}"]


def test_a_link_that_leads_elsewhere_is_a_changed_file(desk: Desk, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.csv").write_text(f"x\n{name}\n")
    link = tmp_path / "latest.csv"
    link.symlink_to("one.csv")
    context = desk.context()
    desk.run(context, "load", name="a", path=str(link))
    link.unlink()
    link.symlink_to("two.csv")
    ((read, digest),) = ((name, id) for name, id in context.reads.items() if name.startswith("file:"))
    assert file_digest(read.removeprefix("file:")) != digest


def test_a_file_that_is_not_there_is_a_read_too(desk: Desk, tmp_path: Path) -> None:
    context = desk.context()
    with pytest.raises(CellFailed, match="No such file"):
        desk.run(context, "load", name="a", path=str(tmp_path / "a.csv"))
    assert context.reads == {f"file:{tmp_path / 'a.csv'}": None}


def test_an_upload_that_is_gone_is_named_and_looked_for_again(desk: Desk) -> None:
    context = desk.context()
    with pytest.raises(CellFailed, match=r"cities\.csv is no longer in the store"):
        desk.run(context, "load", name="a", file="0" * 64, file_name="cities.csv")
    assert list(context.reads.values()) == [None]


@pytest.mark.timeout(60)
def test_a_pipe_is_not_a_file(desk: Desk, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(CellFailed, match="is not a file"):
        desk.run(desk.context(), "load", name="a", path=str(tmp_path / "pipe.csv"))
    assert file_digest(str(tmp_path / "pipe.csv")) is None


def test_a_link_out_of_the_allowed_folders_is_refused(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "hosts.csv").symlink_to("/etc/hosts")
    with pytest.raises(PathRefused, match="folders"):
        desk.run(desk.context(), "load", name="a", path=str(tmp_path / "hosts.csv"))
