"""Files are written whole, and only where they may be."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from trailbook.errors import NameTaken, NotExported, NotFound, PathRefused
from trailbook.sinks.targets import files
from trailbook.sinks.targets.files import FileTarget, path_of
from trailbook.sinks.targets.target import Target


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The allowed one, beside one that is not."""
    (tmp_path / "allowed" / "deep").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    return tmp_path / "allowed"


def write(path: Path, folder: Path, content: bytes = b"new", replace: bool = False) -> None:
    with FileTarget(path, (folder,), replace=replace).opened() as file:
        file.write(content)


def break_off(target: Target, error: Exception, content: bytes = b"new") -> None:
    with target.opened() as file:
        file.write(content)
        raise error


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_a_file_is_there_only_when_all_of_it_is(folder: Path) -> None:
    with FileTarget(folder / "deep" / "a.csv", (folder,)).opened() as file:
        file.write(b"half")
        assert not (folder / "deep" / "a.csv").exists()
        file.write(b" and half")
    assert (folder / "deep" / "a.csv").read_bytes() == b"half and half"
    assert names(folder) == ["a.csv"]


def test_what_fails_leaves_what_was_there(folder: Path) -> None:
    write(folder / "a.csv", folder, b"old")
    with pytest.raises(ZeroDivisionError):
        break_off(FileTarget(folder / "a.csv", (folder,), replace=True), ZeroDivisionError())
    assert (folder / "a.csv").read_bytes() == b"old"
    assert names(folder) == ["a.csv"]


def test_a_file_is_replaced_only_if_that_is_wanted(folder: Path) -> None:
    write(folder / "a.csv", folder, b"old")
    with pytest.raises(NameTaken, match=r"a\.csv already"):
        write(folder / "a.csv", folder)
    write(folder / "a.csv", folder, replace=True)
    assert (folder / "a.csv").read_bytes() == b"new"
    with pytest.raises(NameTaken, match="deep is a folder"):
        write(folder / "deep", folder, replace=True)
    with pytest.raises(NameTaken, match=r"is a folder\. Name a file in it"):
        write(folder, folder)


def test_a_file_that_appears_meanwhile_is_not_lost(folder: Path) -> None:
    with pytest.raises(NameTaken), FileTarget(folder / "a.csv", (folder,)).opened():
        (folder / "a.csv").write_bytes(b"another's")
    assert (folder / "a.csv").read_bytes() == b"another's"
    assert names(folder) == ["a.csv"]


@pytest.mark.parametrize("path", ["../outside/a.csv", "deep/../../outside/a.csv", "link/a.csv", "/etc/trailbook.csv"])
def test_nothing_is_written_outside_the_folders(folder: Path, path: str) -> None:
    (folder / "link").symlink_to(folder.parent / "outside")
    with pytest.raises(PathRefused, match="outside the folders that may be written to"):
        write(folder / path, folder)
    assert names(folder.parent / "outside") == []


def test_a_link_within_the_folder_leads_on(folder: Path) -> None:
    (folder / "link").symlink_to(folder / "deep")
    write(folder / "link" / "a.csv", folder)
    assert (folder / "deep" / "a.csv").read_bytes() == b"new"


def test_a_link_in_place_of_the_file_is_replaced_itself(folder: Path) -> None:
    (folder.parent / "outside" / "kept").write_bytes(b"kept")
    (folder / "a.csv").symlink_to(folder.parent / "outside" / "kept")
    write(folder / "a.csv", folder, replace=True)
    assert (folder.parent / "outside" / "kept").read_bytes() == b"kept"
    assert not (folder / "a.csv").is_symlink()


def test_a_link_that_takes_the_place_of_a_folder_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up = Path.resolve

    def swapped(path: Path, strict: bool = False) -> Path:
        found = looked_up(path, strict)
        if path.name == "deep" and not path.is_symlink():
            path.rmdir()
            path.symlink_to(folder.parent / "outside")
        return found

    monkeypatch.setattr(Path, "resolve", swapped)
    with pytest.raises(PathRefused, match="a link that has just been made"):
        write(folder / "deep" / "a.csv", folder)
    assert names(folder.parent / "outside") == []


@pytest.mark.parametrize("path", [".bashrc", ".ssh/authorized_keys", "deep/.hidden.csv"])
def test_hidden_files_are_not_written(folder: Path, path: str) -> None:
    (folder / ".ssh").mkdir()
    with pytest.raises(PathRefused, match="starts with a dot"):
        write(folder / path, folder)


def test_the_own_files_of_the_app_are_not_written(folder: Path) -> None:
    target = FileTarget(folder / "deep" / "trailbook.db", (folder,), kept_out=folder / "deep", replace=True)
    with pytest.raises(PathRefused, match="keeps its own files"), target.opened():
        pass


def test_what_the_disk_refuses_is_told(folder: Path) -> None:
    with pytest.raises(NotFound, match=r"There is no folder .*none"):
        write(folder / "none" / "a.csv", folder)
    with pytest.raises(NotExported, match=r"a\.csv can't be written: No space left"):
        break_off(FileTarget(folder / "a.csv", (folder,)), OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    assert names(folder) == []


def test_who_is_faster_is_not_replaced(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = os.link

    def too_late(*names: Any, **folders: Any) -> None:
        (folder / "a.csv").write_bytes(b"faster")
        link(*names, **folders)

    monkeypatch.setattr(os, "link", too_late)
    with pytest.raises(NameTaken, match=r"a\.csv already"):
        write(folder / "a.csv", folder)
    assert (folder / "a.csv").read_bytes() == b"faster"
    assert names(folder) == ["a.csv"]


@pytest.mark.parametrize("text", ["~nobody-of-that-name/x.csv", "a\0.csv", "a\ud800.csv"])
def test_what_is_no_path_is_told(text: str) -> None:
    with pytest.raises(PathRefused, match="is no path"):
        path_of(text)


@pytest.mark.parametrize("nameless", [True, False])
def test_files_can_be_written_with_and_without_a_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch, nameless: bool
) -> None:
    if not nameless:
        monkeypatch.setattr(files, "NAMELESS", 0)
    for content in (b"old", b"new"):
        write(folder / "a.csv", folder, content, replace=True)
    assert (folder / "a.csv").read_bytes() == b"new"
    with pytest.raises(NameTaken):
        write(folder / "a.csv", folder)
    assert sorted(os.listdir(folder)) == ["a.csv", "deep"]


def test_nothing_is_left_of_an_export_that_is_killed(folder: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from trailbook.sinks.targets.files import FileTarget\n"
        "folder = Path(sys.argv[1])\n"
        "with FileTarget(folder / 'a.csv', (folder,)).opened() as file:\n"
        "    file.write(b'half'); file.flush(); print('written', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE) as writing:
        assert writing.stdout is not None
        assert writing.stdout.readline() == b"written\n"
        writing.kill()
    assert os.listdir(folder) == ["deep"]


def test_who_may_read_a_file_stays_so_when_it_is_replaced(folder: Path) -> None:
    write(folder / "a.csv", folder, b"old")
    (folder / "a.csv").chmod(0o600)
    write(folder / "a.csv", folder, replace=True)
    assert (folder / "a.csv").stat().st_mode & 0o777 == 0o600
