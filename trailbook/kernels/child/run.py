"""One run of a cell's code, from the first line to the last."""

from __future__ import annotations

import ast
import atexit
import builtins
import faulthandler
import math
import os
import resource
from typing import Any, NoReturn

from trailbook.kernels.child import report
from trailbook.kernels.child.channel import Channel, flush_output
from trailbook.kernels.child.errors import NoInput, UnavailableValue
from trailbook.kernels.child.execute import execute
from trailbook.kernels.child.libraries import jupyter
from trailbook.kernels.child.libraries.builtin_names import watch_builtins
from trailbook.kernels.child.libraries.library_state import note_features
from trailbook.kernels.child.libraries.progress import Bars
from trailbook.kernels.child.libraries.state import LibraryState
from trailbook.kernels.child.library import Library
from trailbook.kernels.child.lookahead import names_needed_at_once
from trailbook.kernels.child.namespace import Namespace
from trailbook.kernels.child.outside.watch import Watch
from trailbook.kernels.child.results import Results
from trailbook.kernels.child.scope import Scope
from trailbook.kernels.child.shown.display import Display
from trailbook.kernels.child.shown.figures import show_open_figures
from trailbook.kernels.child.spark.engine import Engine
from trailbook.kernels.child.values.pickler import ValuePickler


class Run:
    """One run of one cell, with everything its code can touch."""

    def __init__(self, channel: Channel, request: dict[str, Any]) -> None:
        scratch = request["scratch"]
        self._pid = os.getpid()
        self._channel = channel
        self._code: str = request["code"]
        self._cpu_seconds: float = request["cpu_seconds"]
        self._memory: int = request["memory"]
        self._keep_on_failure: bool = request["keep_on_failure"]
        self._display = Display(channel, _folder(scratch, "displays"))
        self._engine = Engine(channel)
        self._scope = Scope(
            request["names"],
            session=lambda: self._engine.session(self._scope),
            on_read=lambda name: channel.send("read", name=name),
            ask=self._ask_for,
            make_pickler=lambda file, callback: ValuePickler(self._namespace.values_above.notebook, file, callback),
            make_unpickler=lambda file, buffers: self._namespace.values_above.notebook.unpickler(file, buffers),
        )
        self._results = Results(_folder(scratch, "results"), self._scope, channel.note)
        self._namespace = Namespace(self._scope, lambda: self._engine.session(self._scope))
        library = Library(self._scope, self._namespace, self._results, self._display, channel)
        self._namespace["tb"] = library
        self._bars = Bars(library.progress)
        self._state = LibraryState(self._namespace, self._scope, channel.note)
        self._watch = Watch(channel, scratch, request["watch_natively"])
        self._crash_report = open(os.path.join(scratch, "crash.txt"), "wb")  # noqa: SIM115 - open until the end

    def run(self) -> None:
        self._prepare()
        error = self._attempt()
        # A process that the cell forked, and that fell out of the cell's code, has nothing to report.
        if os.getpid() != self._pid:
            os._exit(0)
        self._engine.close()
        flush_output()
        if error and not self._keep_on_failure:
            self._channel.send("done", writes={}, made={}, deletes=[], error=error)
        else:
            results = self._results
            gone = {*self._namespace.deleted(), *self._scope.dropped} - results.writes.keys()
            self._channel.send("done", writes=results.writes, made=results.made, deletes=sorted(gone), error=error)

    def _ask_for(self, name: str) -> dict[str, Any] | None:
        """What a name means that a cell above may still write."""
        answer = self._channel.ask("name", name=name)
        if "error" in answer:
            raise UnavailableValue(f"{name} can't be read: {answer['error']}")
        given: dict[str, Any] | None = answer["given"]
        return given

    def _prepare(self) -> None:
        limit(resource.RLIMIT_CPU, math.ceil(self._cpu_seconds))
        limit(resource.RLIMIT_DATA, self._memory)
        faulthandler.enable(self._crash_report, all_threads=False)
        watch_builtins(self._namespace.take_back)
        builtins.input = _refuse_input
        builtins.display = self._display  # type: ignore[attr-defined]
        jupyter.install()
        self._bars.follow()

    def _attempt(self) -> dict[str, Any] | None:
        try:
            tree = ast.parse(self._code, report.CELL_FILE)
        except SyntaxError as error:
            return report.describe_syntax_error(error)
        try:
            self._state.restore()
            note_features(tree)
            failure = self._watched(tree)
            show_open_figures()
            self._results.keep_globals(self._namespace, self._state.changed())
            atexit._run_exitfuncs()
        except BaseException as error:
            return report.describe_exception(error, self._scope)
        finally:
            self._state.record_reads(self._code)
        return failure

    def _watched(self, tree: ast.Module) -> dict[str, Any] | None:
        """With what it needs: to load a module of the user's own is to read its file."""
        self._watch.start()
        try:
            self._namespace.load(names_needed_at_once(tree, self._scope.every_name))
            return self._executed(tree)
        finally:
            self._watch.finish(tree, self._namespace, drew=self._state.drew_without_seed())

    def _executed(self, tree: ast.Module) -> dict[str, Any] | None:
        """What went wrong, if that is no reason to stop."""
        try:
            self._execute(tree)
        except Exception as error:
            if not self._keep_on_failure:
                raise
            return report.describe_exception(error, self._scope)
        return None

    def _execute(self, tree: ast.Module) -> None:
        try:
            execute(tree, self._code, self._namespace, self._display)
        except SystemExit as error:
            if error.code not in (None, 0):
                raise
            self._channel.note(f"sys.exit() ended the cell in line {report.cell_line(error)}.")


def _folder(scratch: str, name: str) -> str:
    path = os.path.join(scratch, name)
    os.mkdir(path)
    return path


def limit(what: int, most: int) -> None:
    """Let this process, and each that it starts, use no more; 0 is no limit."""
    if most:
        _, hard = resource.getrlimit(what)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (allowed, hard))


def _refuse_input(*_: object) -> NoReturn:
    raise NoInput("input() has nobody to ask: a cell runs by itself. Write the value into the code.")
