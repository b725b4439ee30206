"""What a cell in the sandbox can do, and what it can't, however it tries."""

from __future__ import annotations

import os
import shutil
import socket
from contextlib import suppress
from pathlib import Path
from unittest import mock

import pyarrow as pa
import pytest

from tests.kernels.conftest import Attempt, Bench, Book
from trailbook.errors import BadSetting, CellCancelled
from trailbook.kernels.limits import Limits
from trailbook.kernels.names import GivenDataset, GivenPending
from trailbook.kernels.sandbox import Sandbox

SECRET = "a token that nobody may see"


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    """With a data directory in which everything else is that the server has."""
    return Sandbox((tmp_path,))


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.write_text(SECRET)
    return path


def everything(attempt: Attempt) -> str:
    """All that a run gave away."""
    files = [path for shown in attempt.shown for path in getattr(shown, "files", {}).values()]
    return repr((attempt.messages, attempt.outcome)) + "".join(path.read_text("latin-1") for path in files)


def is_running(argument: str) -> bool:
    """Whether any process was started with it."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found |= set(path.read_bytes().decode("latin-1").split("\0"))
    return argument in found


def test_cells_share_frames_values_and_modules_as_they_do_outside(bench: Bench, sandbox: Sandbox) -> None:
    book = Book(bench)
    made = "import pandas as pd\nframe = pd.DataFrame({'a': [1, 2]})\nnumbers = list(range(5000))"
    outcome = book.run(f"{made}\nframe.to_csv('f.csv')", enclosure=sandbox).outcome
    assert outcome
    assert outcome.observed.work_written == ("f.csv",)
    read = book.run("print(int(frame.a.sum()), len(numbers)); numbers.append(1)", enclosure=sandbox)
    assert read.text() == "3 5000\n"
    assert read.values == {"numbers"}


def test_a_name_that_is_told_later_can_be_read(bench: Bench, sandbox: Sandbox) -> None:
    path = bench.dataset(pa.table({"a": [1, 2, 3]}))
    run = bench.run(
        "print(len(late))",
        names={"late": GivenPending()},
        resolve_name=lambda name: GivenDataset("late", path),
        enclosure=sandbox,
    )
    assert run.text() == "3\n"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("import os; os._exit(3)", "exit code 3"),
        ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
        ("while True: pass", "1 seconds of the processor"),
        ("bytearray(2**32)", "cell_memory"),
        ("spark.range(1)", "isolation = process"),
    ],
)
def test_failures_and_limits_are_told_as_they_are_outside(
    bench: Bench, sandbox: Sandbox, code: str, message: str
) -> None:
    error = bench.run(code, enclosure=sandbox, limits=Limits(1_000_000, cpu_seconds=1, memory=2**31)).error
    assert message in error.message


def test_a_cancelled_cell_is_interrupted_and_nothing_of_it_is_left(bench: Bench, sandbox: Sandbox) -> None:
    def cancel(_: str) -> None:
        attempt.python.cancel()

    code = (
        "import subprocess, time\nsubprocess.Popen(['sleep', '86398'], start_new_session=True)\n"
        "try:\n  'go' in globals()\n  time.sleep(600)\nexcept KeyboardInterrupt: print('interrupted')\nwhile True: pass"
    )
    attempt = bench.prepare(code, names={"go": GivenPending()}, resolve_name=cancel, enclosure=sandbox)
    with pytest.raises(CellCancelled):
        attempt.run()
    assert attempt.text() == "interrupted\n"
    assert not is_running("86398")


def test_displays_reach_the_host(bench: Bench, sandbox: Sandbox) -> None:
    code = "class Picture:\n  def _repr_png_(self): return b'\\x89PNG'\nPicture()"
    (shown,) = bench.run(code, enclosure=sandbox).shown
    assert [path.read_bytes() for path in getattr(shown, "files").values()] == [b"\x89PNG"]  # noqa: B009


HOSTILE = {
    "the token": "open('SECRET').read()",
    "through its link": "import os; os.symlink('SECRET', 'link'); open('link').read()",
    "passwords": "open('/etc/shadow').read()",
    "the home directory": "import os; os.listdir('HOME')",
    "another artifact": "import os; os.listdir('OTHER')",
    "a port of this machine": "import socket; socket.create_connection(('127.0.0.1', PORT), 3)",
    "another host": "import socket; socket.create_connection(('192.0.2.1', 80), 3)",
    "a system file": "open('/usr/bin/trailbook-was-here', 'w')",
    "the environment": "open('PYTHON/trailbook-was-here', 'w')",
    "its own data": "import os; os.remove(f'../given/{os.listdir(\"../given\")[0]}')",
    "the server's process": "import os; os.kill(SERVER, 0)",
    "the server's variables": "open('/proc/SERVER/environ').read()",
    "mounts": "import ctypes, os; assert ctypes.CDLL(None).umount2(b'/usr', 2) == 0",
}


REFUSALS = (
    *("FileNotFoundError", "OSError", "PermissionError", "ProcessLookupError"),
    *("AssertionError", "ConnectionRefusedError", "TimeoutError"),
)


def attack(bench: Bench, secret: Path, target: str, sandbox: Sandbox | None) -> Attempt:
    other, given = bench.dataset(pa.table({"a": [1]})), bench.dataset(pa.table({"b": [1]}))
    with socket.create_server(("127.0.0.1", 0)) as server:
        words = {
            "SECRET": str(secret),
            "HOME": str(Path.home() / ".cache"),
            "OTHER": str(other),
            "PORT": str(server.getsockname()[1]),
            "PYTHON": str(Path(shutil.__file__).parent),
            "SERVER": str(os.getpid()),
        }
        code = HOSTILE[target]
        for word, meaning in words.items():
            code = code.replace(word, meaning)
        return bench.run(f"{code};", {"given": given}, enclosure=sandbox)


@pytest.mark.parametrize("target", HOSTILE)
def test_out_of_reach_is(bench: Bench, sandbox: Sandbox, secret: Path, target: str) -> None:
    attempt = attack(bench, secret, target, sandbox)
    assert attempt.error.message.partition(":")[0] in REFUSALS
    assert SECRET not in everything(attempt)


@pytest.mark.parametrize("target", ["the token", "another artifact", "a port of this machine", "the server's process"])
def test_without_a_sandbox_it_is_in_reach(bench: Bench, secret: Path, target: str) -> None:
    outcome = attack(bench, secret, target, None).outcome
    assert outcome
    assert outcome.error is None


def test_variables_of_the_server_stay_with_it(bench: Bench, sandbox: Sandbox) -> None:
    with mock.patch.dict(os.environ, {"AWS_SECRET_ACCESS_KEY": SECRET, "TRAILBOOK_TOKEN": SECRET}):
        seen = bench.run("import os; print(dict(os.environ), open('/proc/1/environ').read())", enclosure=sandbox)
    assert seen.outcome
    assert SECRET not in everything(seen)


@pytest.mark.parametrize(
    "code",
    [
        "import os; os.remove('../crash.txt'); os.symlink('SECRET', '../crash.txt'); os._exit(1)",
        "import os; os.remove('../notes.jsonl'); os.mkfifo('../notes.jsonl')",
        "import os; os.rmdir('../displays'); os.symlink(os.path.dirname('SECRET'), '../displays')\n"
        "class Secret:\n  def _repr_png_(self): return b'x'\nSecret()",
        "import os; os.symlink('SECRET', 'kept.txt')",
    ],
)
def test_the_host_is_not_led_to_what_the_cell_can_not_see(
    bench: Bench, sandbox: Sandbox, secret: Path, code: str
) -> None:
    attempt = bench.run(code.replace("SECRET", str(secret)), enclosure=sandbox)
    assert SECRET not in everything(attempt)
    assert secret.read_text() == SECRET


def test_what_a_run_left_running_ends_with_it(bench: Bench, sandbox: Sandbox) -> None:
    code = "import subprocess; subprocess.Popen(['sleep', '86399'], start_new_session=True);"
    assert bench.run(code, enclosure=sandbox).outcome
    assert not is_running("86399")


def test_looks_into_the_work_directory_are_seen(bench: Bench, sandbox: Sandbox) -> None:
    outcome = bench.run(
        "import os; print(os.path.exists('a'), os.listdir(), os.path.exists('/b'))", enclosure=sandbox
    ).outcome
    assert outcome
    assert (outcome.observed.work_read, outcome.observed.work_listed) == (("a",), ("",))
    assert outcome.observed.files_read == {}


def test_without_bubblewrap_it_is_said_what_to_install(sandbox: Sandbox) -> None:
    sandbox.check()
    with mock.patch.dict(os.environ, {"PATH": ""}), pytest.raises(BadSetting, match="package bubblewrap"):
        sandbox.check()
