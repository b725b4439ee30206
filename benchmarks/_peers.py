"""Other notebooks to hold Trailbook against: nbclient, papermill and marimo, in an environment of their own.

The environment is made once, with uv, below `tmp/` of the repository, and anew when a version here changes.
"""

from __future__ import annotations

import hashlib
import json
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from benchmarks._notebooks import Codes, write_ipynb

PACKAGES = (
    "nbclient==0.11.0",
    "papermill==2.7.0",
    "marimo==0.25.2",
    "ipykernel==7.4.0",
    "pandas==2.3.3",
    "numpy==2.4.6",
)
FOLDER = Path(__file__).parents[1] / "tmp"
SECONDS_TO_START = 60


def programs() -> Path:
    """The folder of the others' programs."""
    folder = FOLDER / f"peers-{hashlib.sha256(' '.join(PACKAGES).encode()).hexdigest()[:12]}"
    done = folder / "made"
    if not done.exists():
        uv = str(Path(sys.executable).with_name("uv"))
        subprocess.run([uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(folder)], check=True)
        subprocess.run([uv, "pip", "install", "--quiet", "--python", str(folder), *PACKAGES], check=True)
        done.touch()
    return folder / "bin"


def commands(codes: Codes, folder: Path) -> dict[str, list[str]]:
    """How each runs a notebook of these cells from the command line, and stores it with its outputs."""
    at, notebook = programs(), str(write_ipynb(codes, folder / "notebook.ipynb"))
    converted, out = str(folder / "notebook.py"), str(folder / "out")
    subprocess.run([at / "marimo", "convert", notebook, "-o", converted], check=True, capture_output=True)
    return {
        "nbclient": [str(at / "jupyter-execute"), f"--output={out}.nbclient.ipynb", notebook],
        "papermill": [str(at / "papermill"), "--no-progress-bar", notebook, f"{out}.papermill.ipynb"],
        "marimo": [str(at / "marimo"), "export", "html", converted, "-o", f"{out}.html", "--force"],
    }


class Jupyter:
    """A running kernel, without a server before it."""

    def __init__(self) -> None:
        script = [programs() / "python", Path(__file__).with_name("_jupyter_kernel.py")]
        self._process = subprocess.Popen(script, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, codes: Codes) -> None:
        """Until the last cell is done."""
        assert self._process.stdin
        assert self._process.stdout
        print(json.dumps(list(codes)), file=self._process.stdin, flush=True)
        if self._process.stdout.readline().strip() != "done":
            raise RuntimeError("the kernel of Jupyter is gone")

    def close(self) -> None:
        self._process.communicate()


class Marimo:
    """A running server with one open notebook, driven as its web page does it."""

    def __init__(self, folder: Path) -> None:
        self._port = _free_port()
        notebook = folder / "open.py"
        notebook.write_text("import marimo\napp = marimo.App()\n", "utf-8")
        flags = ["--headless", "--no-token", "--no-skew-protection", "--skip-update-check", "--port", str(self._port)]
        self._process = subprocess.Popen(
            [programs() / "marimo", "edit", *flags, str(notebook)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        )
        session = f"s_{uuid.uuid4().hex[:6]}"
        headers = {"Marimo-Session-Id": session}
        self._http = httpx.Client(base_url=f"http://127.0.0.1:{self._port}", headers=headers, trust_env=False)
        _eventually(lambda: self._http.get("/health").is_success)
        at = f"ws://127.0.0.1:{self._port}/ws?session_id={session}"
        self._opened = ExitStack()
        self._socket = self._opened.enter_context(connect(at, max_size=None, ping_interval=None, close_timeout=1))
        self._until("kernel-ready")
        self._post("instantiate", {"objectIds": [], "values": [], "autoRun": False})
        self._until("completed-run")

    def run(self, codes: Mapping[int, str]) -> None:
        """Run cells by their places, with whatever depends on them, until nothing is left to do."""
        ids = [f"cell{place}" for place in codes]
        self._post("run", {"cellIds": ids, "codes": list(codes.values())})
        self._until("completed-run")

    def close(self) -> None:
        self._opened.close()
        self._http.close()
        self._process.terminate()
        self._process.wait()

    def _post(self, operation: str, body: Mapping[str, Any]) -> None:
        self._http.post(f"/api/kernel/{operation}", json=body).raise_for_status()

    def _until(self, operation: str) -> None:
        _received(self._socket, lambda message: message.get("op") == operation)


def _received(socket: ClientConnection, is_it: Callable[[dict[str, Any]], bool]) -> None:
    while not is_it(json.loads(socket.recv(timeout=SECONDS_TO_START))):
        pass


def _eventually(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline:
        try:
            if is_so():
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise RuntimeError("marimo does not answer")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def live(folder: Path) -> Iterator[tuple[Jupyter, Marimo]]:
    """Both, ready to run cells."""
    jupyter = Jupyter()
    marimo = Marimo(folder)
    try:
        yield jupyter, marimo
    finally:
        marimo.close()
        jupyter.close()
