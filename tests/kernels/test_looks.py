"""Asking about files counts as reading them, though nothing is opened."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.kernels.conftest import Bench
from trailbook.kernels.observed import Observed
from trailbook.store.outside import FOLDER, file_digest


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "there").write_text("text")
    (folder / "folder").mkdir()
    return folder


def observe(bench: Bench, code: str, data: Path, *, native: bool = True) -> Observed:
    """Run the code, in which DATA stands for the folder of files."""
    imports = "import glob, os, pathlib, shutil\n"
    attempt = bench.run(imports + code.replace("DATA", str(data)), watch_natively=native)
    assert attempt.outcome
    assert attempt.outcome.error is None, attempt.outcome.error
    return attempt.outcome.observed


CHECKS = [
    "os.path.exists('DATA/there'), os.path.exists('DATA/absent')",
    "os.path.isfile('DATA/there'), os.path.isdir('DATA/absent')",
    "os.path.getsize('DATA/there'), os.path.lexists('DATA/absent')",
    "os.access('DATA/there', os.R_OK), os.access(path='DATA/absent', mode=os.R_OK)",
    "os.stat('DATA/there', follow_symlinks=False), os.path.islink(b'DATA/absent')",
    "pathlib.Path('DATA/there').stat(), pathlib.Path('DATA/absent').is_file()",
    "os.path.realpath('DATA/there'), pathlib.Path('DATA/absent').resolve()",
    "glob.glob('DATA/there'), glob.glob('DATA/absent')",
    "os.chdir('DATA'), os.path.exists('there'), os.path.exists('./absent')",
]


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("code", CHECKS)
def test_a_check_is_a_read_of_what_is_there_or_not(bench: Bench, data: Path, code: str, native: bool) -> None:
    there, absent = str(data / "there"), str(data / "absent")
    observed = observe(bench, code, data, native=native)
    assert observed == Observed(files_read={there: hashlib.sha256(b"text").hexdigest(), absent: None})


@pytest.mark.parametrize("native", [True, False])
def test_of_a_folder_that_is_checked_only_its_presence_counts(bench: Bench, data: Path, native: bool) -> None:
    observed = observe(bench, "os.path.isdir('DATA/folder')", data, native=native)
    found = f"{data}/folder/"
    assert observed == Observed(files_read={found: FOLDER})
    (data / "folder" / "new").touch()
    assert file_digest(found) == FOLDER
    (data / "folder").rename(data / "gone")
    assert file_digest(found) is None


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize(
    "code", ["os.listdir('DATA')", "glob.glob('DATA/*.csv')", "list(pathlib.Path('DATA').iterdir())"]
)
def test_a_listing_counts_also_where_modules_are_looked_for(bench: Bench, data: Path, code: str, native: bool) -> None:
    (data / "own.py").touch()
    imports = "import sys; sys.path.insert(0, 'DATA'); import own\n"
    listed = observe(bench, imports + code, data, native=native).files_read
    assert listed[str(data)] == file_digest(str(data))
    assert str(data) not in observe(bench, imports, data, native=native).files_read


def test_entries_of_a_folder_that_code_scans_itself_are_read(bench: Bench, data: Path) -> None:
    observed = observe(bench, "[entry.stat().st_size for entry in os.scandir('DATA')]", data)
    assert observed.files_read.keys() == {str(data), str(data / "there")}
    assert observe(bench, "list(os.walk('DATA'))", data).files_read.keys() == {str(data), str(data / "folder")}


def test_a_path_that_starts_from_a_descriptor_is_seen(bench: Bench, data: Path) -> None:
    observed = observe(bench, "os.stat('there', dir_fd=os.open('DATA', os.O_RDONLY))", data)
    assert str(data / "there") in observed.files_read


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize(
    ("code", "read", "listed"),
    [
        ("os.path.exists('a'), os.path.exists('d/b')", ("a", "d/b"), ()),
        ("os.listdir(), os.path.exists('.')", (), ("",)),
        ("glob.glob('*.csv')", (), ("",)),
        ("list(pathlib.Path().iterdir())", (), ("",)),
        ("if not os.path.exists('a'): open('a', 'w').close()", ("a",), ()),
        ("open('a', 'w').close(); os.path.exists('a')", (), ()),
        ("os.makedirs('d', exist_ok=True); os.listdir('d'); os.path.exists('d/b')", ("d",), ()),
        ("import colorsys", (), ()),
        ("from importlib.metadata import version; version('pandas')", (), ()),
    ],
)
def test_looks_into_the_work_directory_are_told_apart(
    bench: Bench, data: Path, code: str, read: tuple[str, ...], listed: tuple[str, ...], native: bool
) -> None:
    observed = observe(bench, code, data, native=native)
    assert (observed.work_read, observed.work_listed, observed.files_read) == (read, listed, {})


@pytest.mark.parametrize("native", [True, False])
def test_a_folder_that_a_run_makes_is_written_once(bench: Bench, data: Path, native: bool) -> None:
    code = "os.makedirs('DATA/new/deep', exist_ok=True); open('DATA/new/deep/x', 'w').close()"
    made = tuple(str(data / name) for name in ("new", "new/deep", "new/deep/x"))
    assert observe(bench, code, data, native=native).files_written == made
    assert observe(bench, code, data, native=native).files_written == made[2:]


def test_the_functions_stay_what_they_are(bench: Bench, data: Path) -> None:
    code = (
        "import inspect, os, pickle\n"
        "for f in (os.stat, os.lstat, os.access, os.listdir, os.scandir):\n"
        "    print(f.__name__, pickle.loads(pickle.dumps(f)) is f, inspect.signature(f))\n"
        "print(os.stat in os.supports_follow_symlinks, os.stat in os.supports_fd, os.scandir in os.supports_fd)\n"
        "for bad in (None, 'a\\0b'):\n"
        "    try: os.stat(bad)\n"
        "    except (TypeError, ValueError) as error: print(error)\n"
        "fd = os.open('DATA/there', os.O_RDONLY)\n"
        "print(os.stat(fd).st_size, os.path.exists(fd), len(os.listdir(b'DATA')))"
    )
    assert bench.run(code.replace("DATA", str(data))).text().splitlines() == [
        "stat True (path, *, dir_fd=None, follow_symlinks=True)",
        "lstat True (path, *, dir_fd=None)",
        "access True (path, mode, *, dir_fd=None, effective_ids=False, follow_symlinks=True)",
        "listdir True (path=None)",
        "scandir True (path=None)",
        "True True True",
        "stat: path should be string, bytes, os.PathLike or integer, not NoneType",
        "embedded null byte",
        "4 True 2",
    ]
