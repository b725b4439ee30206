"""Runs the code of a Python cell in a process of its own, and relays what it says."""

from __future__ import annotations

import base64
import os
import re
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from trailbook.errors import CellCancelled, CellFailed, EngineUnavailable, Invalid, TrailbookError
from trailbook.kernels.created import Create, Created
from trailbook.kernels.enclosure import GIVEN, NO_SPARK, Enclosure
from trailbook.kernels.environments.offers import with_offer
from trailbook.kernels.home import Home
from trailbook.kernels.limits import Limits
from trailbook.kernels.modules import needed_modules
from trailbook.kernels.names import (
    About,
    Given,
    GivenDataset,
    Made,
    MadeDataset,
    MadeRenamed,
    MadeUnavailable,
    MadeValue,
)
from trailbook.kernels.observed import Observed
from trailbook.kernels.output import OutputText
from trailbook.kernels.process import ChildProcess, describe_exit
from trailbook.kernels.scratch import beginning, copy_out
from trailbook.kernels.screen import BinaryDisplay, Screen, Shown, Telling
from trailbook.kernels.watch import Watch
from trailbook.kernels.wire import Printed, Said, Wire
from trailbook.kernels.zygote import Zygote
from trailbook.model.runs import CellError, DisplayMessage, NoteMessage, Progress, TextMessage
from trailbook.store.remarks import LONGEST, NOTHING_SAID, REMARKS, Remarks

TICK_SECONDS = 0.1
GRACE_SECONDS = 2.0
"""How long a cancelled cell may take to clean up."""

CRASH_BYTES = 65_536
"""Of the report that a dying interpreter leaves behind."""

_CELL_LINE = re.compile(r'File "<cell>", line (\d+)[^\n]*')


@dataclass(frozen=True)
class PythonRequest:
    """Code, and the names it can see. `scratch` is an empty directory for the results.

    With `keep_on_failure`, what it made until it failed is told as well. Files below `own_folders` are Trailbook's, and
    no files that the run read; if it is shut in, all but those of its work directory are. `watch_natively` is whether
    the kernel is asked what the run does to the outside.
    """

    code: str
    names: Mapping[str, Given]
    scratch: Path
    limits: Limits
    keep_on_failure: bool = False
    own_folders: tuple[Path, ...] = ()
    watch_natively: bool = True
    home: Home | None = None
    enclosure: Enclosure | None = None


@dataclass(frozen=True)
class PythonOutcome:
    """What a run read (names found absent, too), wrote and deleted, and why it failed if it did.

    Names that turned out to be Python's own, such as `print`, are among the absent: what a cell above called so would
    have been read instead. Names that were deleted need not have been there.
    """

    reads: frozenset[str]
    writes: dict[str, Made]
    deletes: frozenset[str]
    error: CellError | None
    observed: Observed = field(default_factory=Observed)


class PythonRun:
    """One execution of a cell's code."""

    def __init__(
        self,
        request: PythonRequest,
        zygote: Zygote,
        *,
        on_message: Callable[[Telling], None],
        on_progress: Callable[[Progress], None],
        on_read: Callable[[str], None],
        spark_url: Callable[[], str],
        resolve_name: Callable[[str], Given | None],
        create: Create,
    ) -> None:
        self._request = request
        self._zygote = zygote
        self._on_message = on_message
        self._on_progress = on_progress
        self._on_read = on_read
        self._spark_url = spark_url
        self._resolve_name = resolve_name
        self._created = Created(create)
        own_folders = (Path("/"),) if request.enclosure else request.own_folders
        self._watch = Watch(request.scratch, own_folders, native=request.watch_natively, home=request.home)
        self._cancelled = threading.Event()
        self._kill_at: float | None = None
        self._late_at: float | None = None
        self._is_late = False
        self._screen = Screen(lambda telling: self._on_message(telling))
        self._output = OutputText(request.limits.output, self._print)
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
        modules = needed_modules(self._request.code, self._request.names)
        child = ChildProcess(self._request.enclosure or self._zygote, self._request.scratch, modules)
        try:
            code = self._stay_with(child)
            # Only now can nobody change any more what the run made.
            outcome = self._finished(self._done) if self._done else self._died(code)
        except CellFailed as refusal:
            error = CellError(code=refusal.code, message=refusal.message)
            outcome = self._failed(error)
        self._output.close()
        self._screen.close()
        self._check_cancelled()
        if self._is_late:
            outcome = self._failed(self._too_late(outcome.error))
        return replace(outcome, observed=self._watch.observed())

    def _too_late(self, stopped: CellError | None) -> CellError:
        limit = f"{self._request.limits.seconds:g} seconds"
        text = f"The cell took longer than {limit}, which is all it may take (setting cell_seconds)."
        where = {"line": stopped.line, "traceback": stopped.traceback} if stopped else {}
        return CellError.model_validate({"code": "cell_too_slow", "message": text, **where})

    def _check_cancelled(self) -> None:
        if self._cancelled.is_set():
            raise CellCancelled("The cell was cancelled.")

    def _stay_with(self, child: ChildProcess) -> int:
        try:
            return self._attend(child)
        finally:
            child.close()
            self._watch.close()
            self._created.close()

    def _attend(self, child: ChildProcess) -> int:
        """Until it says that it is done, or is gone; returns its exit code then."""
        self._watch.begin()
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
            self._screen.flush_if_due()
            if self._done:
                return 0
            if code is not None:
                return code
            self._stop_if_due(child)

    def _opening(self) -> Said:
        return {
            "code": self._request.code,
            "names": {name: self._message(given) for name, given in self._request.names.items()},
            "scratch": str(self._request.scratch),
            "keep_on_failure": self._request.keep_on_failure,
            "cpu_seconds": self._request.limits.cpu_seconds,
            "memory": self._request.limits.memory,
            "watch_natively": self._request.watch_natively,
        }

    def _handle(self, wire: Wire, said: Said) -> None:
        match said["type"]:
            case "read":
                self._reads.add(said["name"])
                self._on_read(said["name"])
            case "progress":
                self._on_progress(Progress(label=said["label"], done=said["done"], total=said["total"]))
            case "note":
                self._in_order(wire, said, lambda: self._screen.note(NoteMessage(text=said["text"])))
            case "display":
                put = self._screen.update if said["update"] else self._screen.show
                self._in_order(wire, said, lambda: put(self._shown(said)))
            case "clear":
                self._in_order(wire, said, lambda: self._clear(wait=said["wait"]))
            case "spark" | "name" | "create":
                self._answer_later(wire, said["id"], lambda: self._found(said))
            case "watch":
                self._watch.follow(said["installed"], wire.take_descriptor())
            case "done":
                self._done = said

    def _in_order(self, wire: Wire, said: Said, show: Callable[[], None]) -> None:
        """Between what was printed before and after: the child waits for the answer before it prints on."""
        self._output.flush()
        show()
        wire.answer({"id": said["id"]})

    def _print(self, message: TextMessage | NoteMessage) -> None:
        if isinstance(message, TextMessage):
            self._screen.write(message)
        else:
            self._screen.note(message)

    def _clear(self, *, wait: bool) -> None:
        self._screen.clear(wait=wait)
        # What nobody sees any more does not count as output.
        self._output.start_over()

    def _answer_later(self, wire: Wire, id: int, find: Callable[[], Said]) -> None:
        """Waiting for an answer must not keep this thread from noticing a cancel."""
        threading.Thread(target=self._answer, args=(wire, id, find), daemon=True).start()

    def _answer(self, wire: Wire, id: int, find: Callable[[], Said]) -> None:
        try:
            wire.answer({"id": id, **find()})
        except TrailbookError as error:
            wire.answer({"id": id, "error": error.message})
        except Exception as error:
            # Whatever it is: without an answer the child would wait for ever.
            wire.answer({"id": id, "error": f"{type(error).__name__}: {error}"})

    def _found(self, said: Said) -> Said:
        match said["type"]:
            case "spark":
                return {"url": self._spark()}
            case "name":
                return {"given": self._given(said["name"])}
            case _:
                number, directory = self._created.add(said)
                return {"number": number, "path": self._message(GivenDataset(str(directory), directory))["path"]}

    def _given(self, name: str) -> Said | None:
        given = self._resolve_name(name)
        return self._message(given) if given else None

    def _message(self, given: Given) -> Said:
        enclosure = self._request.enclosure
        return (enclosure.admit(given, self._request.scratch) if enclosure else given).message()

    def _spark(self) -> str:
        if self._request.enclosure:
            raise EngineUnavailable(NO_SPARK)
        return self._watch.expect(self._spark_url())

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
        if error and (not self._request.enclosure or self._request.enclosure.takes_packages):
            error = with_offer(error)
        if error and "MemoryError" in error.message.partition(":")[0] and self._request.limits.memory:
            allowed = f"A cell may use {self._request.limits.memory_text} of memory (setting cell_memory)."
            error = error.model_copy(update={"message": f"{error.message.rstrip('.')}. {allowed}"})
        made = {key: self._made(said) for key, said in done["made"].items()}
        writes = {name: _told(made[said["key"]], said) for name, said in done["writes"].items()}
        return PythonOutcome(frozenset(self._reads), writes, frozenset(done["deletes"]), error)

    def _made(self, said: Said) -> Made:
        about = About("", "", said.get("size", 0))
        match said["kind"]:
            case "dataset":
                return self._saved(self._own(said["path"]))
            case "created":
                return MadeDataset(self._created.get(said["number"]))
            case "renamed":
                return MadeRenamed(said["of"], said["looked"])
            case "unavailable":
                return MadeUnavailable(said["reason"], about)
            case _:
                inline = base64.b64decode(said["content"]) if "content" in said else None
                return MadeValue(self._own(said["path"]) if inline is None else inline, about)

    def _saved(self, directory: Path) -> MadeDataset:
        path = os.path.relpath(directory / REMARKS, self._request.scratch.resolve())
        said = beginning(self._request.scratch, path, LONGEST)
        try:
            return MadeDataset(directory, Remarks.decoded(said) if said else NOTHING_SAID)
        except Invalid as error:
            raise CellFailed(error.message) from error

    def _failed(self, error: CellError) -> PythonOutcome:
        return PythonOutcome(frozenset(self._reads), {}, frozenset(), error)

    def _died(self, code: int) -> PythonOutcome:
        crash = beginning(self._request.scratch, "crash.txt", CRASH_BYTES).decode("utf-8", "replace")
        lines = list(_CELL_LINE.finditer(crash))
        error = CellError(
            code="python_process_ended",
            message=describe_exit(code, self._request.limits),
            line=int(lines[0][1]) if lines else None,
            # Beyond the cell's outermost line there is only the machinery that runs it.
            traceback=crash[: lines[-1].end()] if lines else crash or None,
        )
        return self._failed(error)

    def _shown(self, said: Said) -> Shown:
        if not said["files"]:
            return DisplayMessage(data=said["text"], id=said["display_id"])
        files = {mime: self._still(path) for mime, path in said["files"].items()}
        return BinaryDisplay(said["text"], files, said["display_id"])

    def _still(self, path: str) -> Path:
        """A path of which the child may be giving away what is there, where it can't change it any more."""
        if not self._request.enclosure:
            return self._own(path)
        scratch = self._request.scratch
        return copy_out(scratch, path, Path(tempfile.mkdtemp(dir=scratch / GIVEN)) / "shown")

    def _own(self, path: str) -> Path:
        """A path that the child may give away: the host moves what is there, and deletes around it."""
        real = Path(path).resolve()
        if self._request.scratch.resolve() not in real.parents:
            raise CellFailed(f"The cell gave {path} as its result, which is not in the directory it has for results.")
        return real


def _told(made: Made, said: Said) -> Made:
    """What was made, with what is said of it under one of its names."""
    if isinstance(made, MadeDataset | MadeRenamed):
        return made
    return replace(made, about=About(said["type"], said["text"], made.about.size))
