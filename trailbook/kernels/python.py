"""Runs the code of a Python cell in a process of its own, and relays what it says."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from trailbook.errors import CellCancelled, CellFailed, TrailbookError
from trailbook.kernels.limits import Limits
from trailbook.kernels.output import OutputText
from trailbook.kernels.process import ChildProcess, describe_exit
from trailbook.kernels.wire import Printed, Said, Wire
from trailbook.kernels.zygote import Zygote
from trailbook.model.base import Json
from trailbook.model.runs import CellError, DisplayMessage, Message, NoteMessage, Progress

TICK_SECONDS = 0.1
GRACE_SECONDS = 2.0
"""How long a cancelled cell may take to clean up."""

MOST_SHOWN = 1000
"""Things that a cell shows and notes that are kept; an endless loop would fill the memory with them."""

CRASH_BYTES = 65_536
"""Of the report that a dying interpreter leaves behind."""

_CELL_LINE = re.compile(r'File "<cell>", line (\d+)[^\n]*')


@dataclass(frozen=True)
class PythonRequest:
    """Code, and the datasets it can see: directories of Parquet part files, read in the order of their names.

    `unavailable` names what can't be read, with the reason. `scratch` is an empty directory for the results.
    """

    code: str
    datasets: Mapping[str, Path]
    unavailable: Mapping[str, str]
    scratch: Path
    limits: Limits


@dataclass(frozen=True)
class PythonOutcome:
    """What a run read (names found absent, too), the datasets it wrote, and why it failed if it did.

    Names that turned out to be Python's own, such as `print`, are among the absent: a dataset of that name would have
    been read instead.
    """

    reads: frozenset[str]
    writes: dict[str, Path]
    error: CellError | None


@dataclass(frozen=True)
class BinaryDisplay:
    """What a cell showed, where some of it is bytes or too long for a message: those are files under `scratch`."""

    text: dict[str, Json] = field(default_factory=dict)
    files: dict[str, Path] = field(default_factory=dict)


class PythonRun:
    """One execution of a cell's code."""

    def __init__(
        self,
        request: PythonRequest,
        zygote: Zygote,
        *,
        on_message: Callable[[Message | BinaryDisplay], None],
        on_progress: Callable[[Progress], None],
        spark_url: Callable[[], str],
    ) -> None:
        self._request = request
        self._zygote = zygote
        self._on_message = on_message
        self._on_progress = on_progress
        self._spark_url = spark_url
        self._cancelled = threading.Event()
        self._kill_at: float | None = None
        self._late_at: float | None = None
        self._is_late = False
        self._output = OutputText(request.limits.output, on_message)
        self._relayed = 0
        self._reads: set[str] = set()
        self._done: Said | None = None

    def cancel(self) -> None:
        """From another thread: interrupt the code, and kill it if it does not stop soon."""
        self._cancelled.set()

    def run(self) -> PythonOutcome:
        """Stay with the process until the cell is done. Raises CellCancelled."""
        self._check_cancelled()
        if self._request.limits.seconds:
            self._late_at = time.monotonic() + self._request.limits.seconds
        child = ChildProcess(self._zygote, self._request.scratch)
        try:
            outcome = self._attend(child)
        except CellFailed as refusal:
            error = CellError(code=refusal.code, message=refusal.message)
            outcome = PythonOutcome(frozenset(self._reads), {}, error)
        finally:
            child.close()
        self._output.close()
        if (left_out := self._relayed - MOST_SHOWN) > 0:
            self._on_message(NoteMessage(text=f"The first {MOST_SHOWN:,} things shown are kept, {left_out:,} are not."))
        self._check_cancelled()
        return replace(outcome, writes={}, error=self._too_late(outcome.error)) if self._is_late else outcome

    def _too_late(self, stopped: CellError | None) -> CellError:
        limit = f"{self._request.limits.seconds:g} seconds"
        text = f"The cell took longer than {limit}, which is all it may take (setting cell_seconds)."
        where = {"line": stopped.line, "traceback": stopped.traceback} if stopped else {}
        return CellError.model_validate({"code": "cell_too_slow", "message": text, **where})

    def _check_cancelled(self) -> None:
        if self._cancelled.is_set():
            raise CellCancelled("The cell was cancelled.")

    def _attend(self, child: ChildProcess) -> PythonOutcome:
        child.wire.send(self._opening())
        while True:
            # Asked before listening, so that its last words are still heard.
            code = child.exit_code()
            for said in child.wire.listen(TICK_SECONDS if code is None else 0):
                if isinstance(said, Printed):
                    self._output.feed(said.stream, said.data)
                else:
                    self._handle(child.wire, said)
            self._output.flush_if_due()
            if self._done:
                return self._finished(self._done)
            if code is not None:
                return self._died(code)
            self._stop_if_due(child)

    def _opening(self) -> Said:
        return {
            "code": self._request.code,
            "datasets": {name: str(path) for name, path in self._request.datasets.items()},
            "unavailable": dict(self._request.unavailable),
            "scratch": str(self._request.scratch),
            "cpu_seconds": self._request.limits.cpu_seconds,
            "memory": self._request.limits.memory,
        }

    def _handle(self, wire: Wire, said: Said) -> None:
        match said["type"]:
            case "read":
                self._reads.add(said["name"])
            case "progress":
                self._on_progress(Progress(label=said["label"], done=said["done"], total=said["total"]))
            case "note":
                self._relay(wire, said, NoteMessage(text=said["text"]))
            case "display":
                self._relay(wire, said, self._shown(said))
            case "spark":
                # Waiting for the engine must not keep this thread from noticing a cancel.
                threading.Thread(target=self._answer_url, args=(wire, said["id"]), daemon=True).start()
            case "done":
                self._done = said

    def _relay(self, wire: Wire, said: Said, message: Message | BinaryDisplay) -> None:
        """Pass on what was shown; the child waits for the answer, so that what it prints next comes after it."""
        self._relayed += 1
        if self._relayed <= MOST_SHOWN:
            self._output.flush()
            self._on_message(message)
        wire.answer({"id": said["id"]})

    def _answer_url(self, wire: Wire, id: int) -> None:
        try:
            wire.answer({"id": id, "url": self._spark_url()})
        except TrailbookError as error:
            wire.answer({"id": id, "error": error.message})
        except Exception as error:
            # Whatever it is: without an answer the child would wait for ever.
            wire.answer({"id": id, "error": f"{type(error).__name__}: {error}"})

    def _stop_if_due(self, child: ChildProcess) -> None:
        """Interrupt a cell that is cancelled or takes too long, and kill it if it does not stop soon."""
        if self._late_at is not None and time.monotonic() >= self._late_at:
            self._is_late = True
        if not self._cancelled.is_set() and not self._is_late:
            return
        if self._kill_at is None:
            self._kill_at = time.monotonic() + GRACE_SECONDS
            child.interrupt()
        elif time.monotonic() >= self._kill_at:
            child.kill()

    def _finished(self, done: Said) -> PythonOutcome:
        error = CellError.model_validate(done["error"]) if done["error"] else None
        if error and "MemoryError" in error.message.partition(":")[0] and self._request.limits.memory:
            allowed = f"A cell may use {self._request.limits.memory_text} of memory (setting cell_memory)."
            error = error.model_copy(update={"message": f"{error.message.rstrip('.')}. {allowed}"})
        writes = {name: self._own(directory) for name, directory in done["writes"].items()}
        return PythonOutcome(frozenset(self._reads), writes, error)

    def _died(self, code: int) -> PythonOutcome:
        report = self._request.scratch / "crash.txt"
        crash = _beginning(report) if report.is_file() else ""
        lines = list(_CELL_LINE.finditer(crash))
        error = CellError(
            code="python_process_ended",
            message=describe_exit(code, self._request.limits),
            line=int(lines[0][1]) if lines else None,
            # Beyond the cell's outermost line there is only the machinery that runs it.
            traceback=crash[: lines[-1].end()] if lines else crash or None,
        )
        return PythonOutcome(frozenset(self._reads), {}, error)

    def _shown(self, said: Said) -> DisplayMessage | BinaryDisplay:
        if not said["files"]:
            return DisplayMessage(data=said["text"])
        return BinaryDisplay(said["text"], {mime: self._own(path) for mime, path in said["files"].items()})

    def _own(self, path: str) -> Path:
        """A path that the child may give away: the host moves what is there, and deletes around it."""
        real = Path(path).resolve()
        if self._request.scratch.resolve() not in real.parents:
            raise CellFailed(f"The cell gave {path} as its result, which is not in the directory it has for results.")
        return real


def _beginning(report: Path) -> str:
    with report.open("rb") as file:
        return file.read(CRASH_BYTES).decode("utf-8", "replace")
