"""Python: code in a process of its own, which reads and writes datasets by name."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from trailbook.cells.context import RunContext
from trailbook.cells.kind import CellKind, Question, register
from trailbook.cells.scope import Scope
from trailbook.errors import CellFailed
from trailbook.kernels.forecast import Effects, Forecast, forecast
from trailbook.kernels.limits import Limits
from trailbook.kernels.python import BinaryDisplay, PythonRequest, PythonRun
from trailbook.model.artifacts import Artifact
from trailbook.model.runs import FILE_READ, DisplayMessage, Message, NoteMessage, Run
from trailbook.settings import Settings
from trailbook.store.masks import mark_coarsely

if TYPE_CHECKING:
    from trailbook.caveats.reasons import Reason

PLACE = "Python code can't be seen through"
"""What puts all that a cell makes in doubt, if something that it reads is."""
COARSE_NOTE = "All that this cell makes is in doubt"


@register
class PythonCell(CellKind):
    kind: ClassVar[str] = "python"
    title: ClassVar[str] = "Python"

    code: str = Field("", description="Python code. Data frames it assigns to names become datasets.")

    def is_inert(self) -> bool:
        return not self.code.strip()

    def is_blind(self) -> bool:
        return True

    def reads(self) -> frozenset[str] | None:
        return None

    def writes(self) -> frozenset[str]:
        """The names that are assigned, changed in place or saved, whatever they will hold."""
        return self.forecast().changes

    def forecast(self) -> Forecast:
        return forecast(self.code) | Effects(writes=frozenset(_saved_names(self.code)))

    def explain(self, question: Question) -> list[Reason]:
        from trailbook.caveats.reasons import Inherent

        is_accepted = any(one.place == PLACE for one in question.acknowledged)
        own = [Inherent(PLACE, acknowledged=is_accepted)] if is_accepted == question.accepted else []
        return [*own, *(_rests_on(name, artifact) for name, artifact in question.reads.items())]

    def run(self, context: RunContext) -> None:
        if context.twin:
            self._mark_anew(context, context.twin)
            return
        request = PythonRequest(
            code=self.code,
            datasets={name: context.files.path(id) for name, id in context.scope.artifacts.items()},
            unavailable={name: failed.reason for name, failed in context.scope.failed.items()},
            scratch=context.stage(),
            limits=_limits(context.settings),
        )
        with ExitStack() as leases:
            run = PythonRun(
                request,
                context.zygote,
                on_message=lambda message: context.say(_stored(context, message)),
                on_progress=context.progress,
                spark_url=lambda: leases.enter_context(context.session_url()),
            )
            with context.stopped_by(run.cancel):
                outcome = run.run()
        context.reads.update({name: context.scope.identity(name) for name in outcome.reads})
        if outcome.error:
            raise CellFailed(**outcome.error.model_dump())
        self._keep(context, outcome.reads, outcome.writes)

    def _mark_anew(self, context: RunContext, twin: Run) -> None:
        """Make again what a run made of the same data, and put in doubt what rests on doubts now."""
        names = frozenset(name for name in twin.reads if not name.startswith(FILE_READ))
        context.reads.update({**twin.reads, **{name: context.scope.identity(name) for name in names}})
        for message in twin.messages:
            if not (isinstance(message, NoteMessage) and message.text.startswith(COARSE_NOTE)):
                context.say(message)
        changed = {name: id for name, id in twin.writes.items() if not context.holds_data_of(name, id)}
        self._keep(context, names, {name: context.copy_of_data(id) for name, id in changed.items()})

    def _keep(self, context: RunContext, reads: Iterable[str], writes: Mapping[str, Path]) -> None:
        """Store what the code made: all of it in doubt, if something that it read is.

        So are the datasets that it might have changed, had the data been other than it is.
        """
        doubtful = sorted(name for name in reads if _is_in_doubt(context, name))
        is_coarse = bool(doubtful) and not any(one.place == PLACE for one in context.acknowledged)
        unchanged = sorted(self._may_write(context.scope) - writes.keys()) if is_coarse else []
        made = {**writes, **{name: context.copy_of_data(context.scope.artifacts[name]) for name in unchanged}}
        for name, directory in made.items():
            if is_coarse:
                mark_coarsely(directory)
            context.write_dataset(name, directory)
        if is_coarse and made:
            context.note(f"{COARSE_NOTE}, since {', '.join(doubtful)} {'is' if len(doubtful) == 1 else 'are'}.")

    def _may_write(self, scope: Scope) -> frozenset[str]:
        """The datasets above that other data might have made it change."""
        above = frozenset(scope.artifacts)
        return above if self.forecast().writes_anything else above & self.writes()


def _rests_on(name: str, artifact: Artifact) -> Reason:
    from trailbook.algebra.expressions import TRUE
    from trailbook.caveats.reasons import Stored

    return Stored(name, frozenset(column.name for column in artifact.columns), rows=True, where=TRUE)


def _is_in_doubt(context: RunContext, name: str) -> bool:
    artifact = context.read_if_there(name) if context.scope.failure(name) is None else None
    return artifact is not None and not artifact.doubt.is_none


def _saved_names(code: str) -> Iterator[str]:
    """The names in calls of tb.save, where they are written out."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="tb"), attr="save"), args=[ast.Constant(value=str(name)), *_]
            ):
                yield name


def _limits(settings: Settings) -> Limits:
    return Limits(settings.output_limit, settings.cell_seconds, settings.cell_cpu, settings.cell_memory)


def _stored(context: RunContext, message: Message | BinaryDisplay) -> Message:
    if not isinstance(message, BinaryDisplay):
        return message
    kept = {media_type: context.keep_file(path, media_type) for media_type, path in message.files.items()}
    return DisplayMessage(data=dict(message.text), artifacts=kept)
