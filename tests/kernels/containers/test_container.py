"""What a cell in a container can do, and what it can't, however it tries."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

import trailbook
from tests.kernels.conftest import Bench, Book
from tests.support.containers import add_image, containers_of
from tests.support.containers import image as image
from tests.support.server import eventually
from trailbook.errors import CellCancelled, CellFailed
from trailbook.kernels.containers.container import Container
from trailbook.kernels.limits import Limits
from trailbook.kernels.names import GivenPending
from trailbook.kernels.zygote import Zygote


@pytest.fixture
def container(tmp_path: Path, image: str) -> Container:
    """With a data directory in which everything else is that the server has, in a folder that cells may see."""
    return Container(("podman",), image, (tmp_path,), tmp_path.parent)


def test_cells_share_frames_values_and_files_as_they_do_outside(bench: Bench, container: Container) -> None:
    book = Book(bench)
    made = "import pandas as pd, os\nframe = pd.DataFrame({'a': [1, 2]})\nnumbers = list(range(5000))"
    outcome = book.run(f"{made}\nframe.to_csv('f.csv')\nos.path.exists('a');", enclosure=container).outcome
    assert outcome
    assert (outcome.observed.work_written, outcome.observed.work_read) == (("f.csv",), ("a",))
    assert outcome.observed.complete
    read = book.run("print(int(frame.a.sum()), len(numbers)); numbers.append(1)", enclosure=container)
    assert read.text() == "3 5000\n"
    assert read.values == {"numbers"}


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import os; os._exit(3)", "exit code 3"),
        ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
        ("while True: pass", "1 seconds of the processor"),
        ("bytearray(2**32)", "cell_memory"),
        ("import tiny", "ModuleNotFoundError: No module named 'tiny'"),
    ],
)
def test_failures_and_limits_are_told_as_they_are_outside(
    bench: Bench, container: Container, code: str, message: str
) -> None:
    error = bench.run(code, enclosure=container, limits=Limits(1_000_000, cpu_seconds=1, memory=2**31)).error
    assert message in error.message
    assert error.offer is None


READING = {
    "the token": "open('SECRET').read()",
    "the data directory": "import os; os.listdir(os.path.dirname('SECRET')).index('token')",
    "a port of this machine": "import socket; socket.create_connection(('127.0.0.1', PORT), 3)",
    "the server's process": "import os; os.kill(SERVER, 0)",
    "passwords of proxies": "import os; os.environ['https_proxy']",
}
WRITING = {
    "a system file": "open('/usr/bin/trailbook-was-here', 'w')",
    "the machinery": "open('MACHINERY/trailbook-was-here', 'w')",
    "its own data": "open('../given/trailbook-was-here', 'w')",
    "mounts": "import ctypes; assert ctypes.CDLL(None).umount2(b'/tmp', 2) == 0",
    "the root directory": "open('/trailbook-was-here', 'w')",
}


def reached(bench: Bench, attacks: Mapping[str, str], enclosure: Container | None) -> str:
    """One run tries all, and says which it could."""
    (bench.folder / "token").write_text("a token that nobody may see")
    code = f"for name, attack in {attacks!r}.items():\n  try: exec(attack); print(name)\n  except Exception: pass"
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("https_proxy", "http://user:password@proxy")
        words = {
            "SECRET": str(bench.folder / "token"),
            "PORT": str(server.getsockname()[1]),
            "MACHINERY": str(Path(trailbook.__file__).parent),
            "SERVER": str(os.getpid()),
        }
        for word, meaning in words.items():
            code = code.replace(word, meaning)
        attempt = bench.run(code, enclosure=enclosure)
    assert attempt.outcome
    assert attempt.outcome.error is None
    return attempt.text()


def test_out_of_reach_is(bench: Bench, container: Container) -> None:
    assert reached(bench, READING | WRITING, container) == ""


def test_without_a_container_it_is_in_reach(tmp_path: Path) -> None:
    with closing(Zygote()) as zygote:
        assert reached(Bench(tmp_path, zygote), READING, None).splitlines() == list(READING)


def test_a_cancelled_cell_is_interrupted_and_nothing_of_it_is_left(
    bench: Bench, container: Container, image: str
) -> None:
    def cancel(_: str) -> None:
        attempt.python.cancel()

    code = (
        "import subprocess, time\nsubprocess.Popen(['sleep', '86398'], start_new_session=True)\n"
        "try:\n  'go' in globals()\n  time.sleep(600)\nexcept KeyboardInterrupt: print('interrupted')\nwhile True: pass"
    )
    attempt = bench.prepare(code, names={"go": GivenPending()}, resolve_name=cancel, enclosure=container)
    with pytest.raises(CellCancelled):
        attempt.run()
    assert attempt.text() == "interrupted\n"
    eventually(lambda: containers_of(image), lambda left: not left)


SERVER = """
import sys
from pathlib import Path
from tests.kernels.conftest import Bench
from trailbook.kernels.containers.container import Container
from trailbook.kernels.zygote import Zygote
code = "open('started', 'w'); import time; time.sleep(600)"
Bench(Path(sys.argv[1]), Zygote()).run(code, enclosure=Container(("podman",), sys.argv[2], ()))
"""


def test_a_container_ends_with_the_server_however_that_ends(tmp_path: Path, image: str) -> None:
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(tmp_path), image])
    eventually(lambda: list(tmp_path.rglob("started")), bool)
    assert containers_of(image)
    server.send_signal(signal.SIGKILL)
    server.wait()
    eventually(lambda: containers_of(image), lambda left: not left)


def test_the_code_around_the_cell_is_the_servers_whatever_the_image_has(bench: Bench, image: str) -> None:
    packages = bench.folder / "packages"
    (packages / "trailbook").mkdir(parents=True)
    (packages / "trailbook" / "__init__.py").write_text("raise ImportError('another Trailbook')")
    other = add_image(bench.folder, f"{image}:other", f"ENV PYTHONPATH={packages}")
    assert bench.run("print(1)", enclosure=Container(("podman",), other, (), packages)).text() == "1\n"


def test_a_container_that_can_not_be_started_fails_the_cell_with_the_reason(bench: Bench, image: str) -> None:
    with pytest.raises(CellFailed, match=r"could not be shut in \(setting isolation\): .*no-such-image"):
        bench.run("1", enclosure=Container(("podman",), "localhost/no-such-image", ()))
