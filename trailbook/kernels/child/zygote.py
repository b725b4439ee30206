"""The process that is forked for each run; one that has libraries loaded is itself forked from a plain one.

One child is forked ahead and waits for the next run. A process of more than one thread can't be forked safely: nothing
here may start one.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import json
import os
import selectors
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from typing import Any, NoReturn

from trailbook.kernels.child.channel import Channel
from trailbook.kernels.child.footprint import Footprint
from trailbook.kernels.child.ipython import shown as ipython
from trailbook.kernels.child.lifeline import die_with
from trailbook.kernels.child.run import Run

LONGEST_REQUEST = 65_536
MOST_DESCRIPTORS = 3
IDLE_SECONDS = 0.5
"""Once there was a request, the next module is loaded if none came for so long."""
TRUSTED = frozenset({"numpy", "pandas", "pyarrow", "matplotlib", "trailbook", "asyncio"})
"""Packages whose imports are known to leave a process that can be forked."""


def main() -> None:
    descriptor, parent, modules = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    sys.argv = [""]
    die_with(parent)
    ipython.install()
    Zygote(socket.socket(fileno=descriptor)).serve(modules)


class Zygote:
    """Forks when the host asks for it, and tells how the children end.

    A child that ended stays a zombie until the host is done with it: so long, nobody else gets its number.
    """

    def __init__(self, host: socket.socket) -> None:
        self._host = host
        self._running: set[int] = set()
        self._bred: set[int] = set()
        self._spare: Spare | None = None
        self._unloaded: list[str] = []
        self._is_in_use = False
        self._waker, self._wakes = socket.socketpair()
        for end in (self._waker, self._wakes):
            end.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wakes.fileno(), warn_on_full_buffer=False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(host, selectors.EVENT_READ)
        self._selector.register(self._waker, selectors.EVENT_READ)

    def serve(self, modules: Iterable[str] = ()) -> NoReturn:
        """Until the host closes its end. Modules are loaded while there are no requests."""
        self._unloaded = list(modules)
        while self._unloaded:
            # A request may have to load the rest itself.
            if not self._attend(IDLE_SECONDS if self._is_in_use else 0) and self._unloaded:
                self._load_next()
        # What is there now is never garbage; to look at it would copy its memory into each child.
        gc.collect()
        gc.freeze()
        self._send(loading=None)
        while True:
            if self._spare is None:
                self._spare = self._have_spare()
            self._attend(None)

    def _load_next(self) -> None:
        name = self._unloaded.pop(0)
        self._send(loading=name)
        if name.partition(".")[0] in TRUSTED:
            with suppress(ImportError):
                importlib.import_module(name)
        elif is_installed(name):
            before = Footprint.of_now()
            # Whatever goes wrong: the cell that imports it will tell.
            with suppress(Exception):
                importlib.import_module(name)
            if before.changed():
                sys.exit()

    def _attend(self, seconds: float | None) -> bool:
        """Do what is to do, waiting for it if there is nothing yet; whether there was something."""
        ready = self._selector.select(seconds)
        for key, _ in ready:
            if key.fileobj is self._waker:
                with suppress(BlockingIOError):
                    self._waker.recv(LONGEST_REQUEST)
                self._tell_ends()
            else:
                self._answer()
        return bool(ready)

    def _answer(self) -> None:
        message, descriptors, _, _ = socket.recv_fds(self._host, LONGEST_REQUEST, MOST_DESCRIPTORS)
        if not message:
            sys.exit()
        request = json.loads(message)
        if "reap" in request:
            os.waitpid(request["reap"], 0)
        elif "signal" in request:
            with suppress(ProcessLookupError):
                os.killpg(request["pid"], request["signal"])
        elif "breed" in request:
            self._breed(request["breed"], descriptors)
        else:
            self._is_in_use = True
            self._load_for(request["modules"])
            self._fork(request, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)

    def _load_for(self, modules: Collection[str]) -> None:
        """Load at once what a run is about to import, and what stands before: it would take the run no less time."""
        packages = {name.partition(".")[0] for name in modules}
        while any(name.partition(".")[0] in packages for name in self._unloaded):
            self._load_next()

    def _fork(self, request: dict[str, Any], descriptors: list[int]) -> None:
        spare, self._spare = self._spare, None
        if spare and spare.take_over(request, descriptors):
            self._running.add(spare.pid)
            return
        zygote, pid = os.getpid(), os.fork()
        if not pid:
            self._become_run(zygote, lambda: (request, descriptors))
        self._running.add(pid)

    def _have_spare(self) -> Spare:
        """A process for the next run, forked while there is time."""
        ours, theirs = socket.socketpair()
        zygote, pid = os.getpid(), os.fork()
        if not pid:
            ours.close()
            self._become_run(zygote, lambda: _asked(theirs))
        theirs.close()
        return Spare(pid, ours)

    def _breed(self, modules: list[str], descriptors: list[int]) -> None:
        zygote = os.getpid()
        pid = os.fork()
        if pid:
            self._bred.add(pid)
            return
        try:
            self._leave(zygote)
            self._host.close()
            Zygote(socket.socket(fileno=descriptors[0])).serve(modules)
        finally:
            os._exit(1)

    def _tell_ends(self) -> None:
        for pid in list(self._bred):
            if os.waitpid(pid, os.WNOHANG) != (0, 0):
                self._bred.discard(pid)
        for pid in list(self._running):
            ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended:
                self._running.discard(pid)
                code = ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
                self._send(pid=pid, code=code)

    def _send(self, **message: Any) -> None:
        self._host.send(json.dumps(message).encode())

    def _leave(self, zygote: int) -> None:
        """In a child: nothing of the zygote but its libraries is left, and its end of the talk with the host."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        die_with(zygote)
        self._selector.close()
        for end in (self._waker, self._wakes, *([self._spare.socket] if self._spare else [])):
            end.close()

    def _become_run(self, zygote: int, asked: Callable[[], tuple[dict[str, Any], list[int]]]) -> NoReturn:
        code = 1
        try:
            os.setsid()
            self._leave(zygote)
            request, descriptors = asked()
            # Not before it leads a group, by which the host can end it.
            self._send(pid=os.getpid())
            self._host.close()
            channel = _take_over(request, descriptors)
            Run(channel, channel.receive()).run()
            code = 0
        except KeyboardInterrupt:
            pass
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(code)


class Spare:
    """A child that waits to be told which run it is."""

    def __init__(self, pid: int, talk: socket.socket) -> None:
        self.pid = pid
        self.socket = talk

    def take_over(self, request: dict[str, Any], descriptors: list[int]) -> bool:
        """Whether it is there to do so; it is told once."""
        with self.socket:
            try:
                socket.send_fds(self.socket, [json.dumps(request).encode()], descriptors)
            except OSError:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
                return False
        return True


def _asked(talk: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """In a spare child: wait for the run. Without the zygote there will be none."""
    with talk:
        message, descriptors, _, _ = socket.recv_fds(talk, LONGEST_REQUEST, MOST_DESCRIPTORS)
        while more := talk.recv(LONGEST_REQUEST):
            message += more
    if not message:
        os._exit(0)
    return json.loads(message), descriptors


def is_installed(module: str) -> bool:
    """Whether it is of a package of the environment; the user's own may change from run to run."""
    spec = importlib.util.find_spec(module.partition(".")[0])
    places = [*(spec.submodule_search_locations or ()), spec.origin or ""] if spec else []
    return any("-packages" in place for place in places)


def _take_over(request: dict[str, Any], descriptors: list[int]) -> Channel:
    """Put the run's ends in the places of the zygote's."""
    stdout, stderr, talk = descriptors
    for descriptor, place in ((stdout, 1), (stderr, 2)):
        os.dup2(descriptor, place)
        os.close(descriptor)
    for name, place in (("stdout", 1), ("stderr", 2)):
        text = open(place, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
        setattr(sys, name, text)
        setattr(sys, f"__{name}__", text)
    os.chdir(request["directory"])
    # Not before: modules beside the server are none of the environment's.
    sys.path.insert(0, "")
    # A folder must not look different because modules in it were imported.
    sys.dont_write_bytecode = True
    os.environ["TMPDIR"] = tempfile.tempdir = request["temporary"]
    if "numpy" in sys.modules:
        # Otherwise every run would draw the same numbers; Python's own generator sees to it by itself.
        sys.modules["numpy"].random.seed()
    return Channel(talk)
