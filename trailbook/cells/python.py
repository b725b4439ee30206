"""Python: code in a process of its own, which reads and writes datasets by name."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from contextlib import ExitStack
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from trailbook.cells import workfiles
from trailbook.cells.context import RunContext
from trailbook.cells.kind import CellKind, Question, register
from trailbook.cells.outputs import is_setting, made_again, never_data, store
from trailbook.cells.workfiles import is_file
from trailbook.errors import CellFailed
from trailbook.kernels.forecast import Effects, Forecast, forecast
from trailbook.kernels.limits import Limits
from trailbook.kernels.names import Given, GivenPending, GivenUnavailable, Made
from trailbook.kernels.python import BinaryDisplay, PythonRequest, PythonRun
from trailbook.kernels.sandbox import sandbox_of
from trailbook.kernels.sightings import WORK
from trailbook.model.artifacts import Artifact
from trailbook.model.runs import OUTSIDE_READS, DisplayMessage, Message, NoteMessage, Run
from trailbook.settings import Settings

if TYPE_CHECKING:
    from trailbook.caveats.reasons import Reason

PLACE = "Python code can't be seen through"
"""What puts all that a cell makes in doubt, if something that it reads is."""
COARSE_NOTE = "All that this cell makes is in doubt"


@register
class PythonCell(CellKind):
    kind: ClassVar[str] = "python"
    title: ClassVar[str] = "Python"

    code: str = Field("", description="Python code. What its global names hold is there in the cells below.")
    may_fail: bool = Field(False, description="Whether it is meant to fail: then what it did until then stands.")

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
        return forecast(self.code) | saved(self.code)

    def explain(self, question: Question) -> list[Reason]:
        from trailbook.caveats.reasons import Inherent

        is_accepted = any(one.place == PLACE for one in question.acknowledged)
        own = [Inherent(PLACE, acknowledged=is_accepted)] if is_accepted == question.accepted else []
        return [*own, *(_rests_on(name, artifact) for name, artifact in question.reads.items())]

    def run(self, context: RunContext) -> None:
        if context.twin:
            self._mark_anew(context, context.twin)
            return
        scratch = context.stage()
        workfiles.lay_out(context, scratch / WORK)
        request = PythonRequest(
            code=self.code,
            names=_names(context),
            scratch=scratch,
            limits=_limits(context.settings),
            keep_on_failure=self.may_fail,
            own_folders=(context.settings.data,),
            sandbox=sandbox_of(context.settings),
        )
        with ExitStack() as leases:
            run = PythonRun(
                request,
                context.zygote,
                on_message=lambda message: context.say(_stored(context, message)),
                on_progress=context.progress,
                on_read=context.saw_read,
                spark_url=lambda: leases.enter_context(context.session_url()),
                resolve_name=context.await_name,
            )
            with context.stopped_by(run.cancel):
                outcome = run.run()
        workfiles.record(context, outcome.observed)
        if outcome.error and not self.may_fail:
            raise CellFailed(**outcome.error.model_dump())
        context.expected_error = outcome.error
        context.deletes |= outcome.deletes
        is_doubtful = self._keep(context, outcome.writes)
        workfiles.keep(context, scratch / WORK, outcome.observed, doubtful=is_doubtful)

    def _mark_anew(self, context: RunContext, twin: Run) -> None:
        """Make again what a run made of the same data, and put in doubt what rests on doubts now."""
        read = frozenset(name for name in twin.reads if not name.startswith(OUTSIDE_READS))
        context.reads.update({**twin.reads, **{name: context.scope.identity(name) for name in read}})
        for message in twin.messages:
            if not (isinstance(message, NoteMessage) and message.text.startswith(COARSE_NOTE)):
                context.say(message)
        context.outside = twin.outside
        context.deletes |= set(twin.deletes)
        changed = {name: id for name, id in twin.writes.items() if not context.holds_data_of(name, id)}
        names = {name: id for name, id in changed.items() if not is_file(name)}
        is_doubtful = self._keep(context, made_again(context, names))
        workfiles.keep_again(context, changed, doubtful=is_doubtful)

    def _keep(self, context: RunContext, writes: Mapping[str, Made]) -> bool:
        """Store what the code made: in doubt, if something that it read is. Returns whether it is.

        So is what it might have changed, had the data been other than it is.
        """
        doubtful = context.doubtful_reads()
        is_coarse = bool(doubtful) and not any(one.place == PLACE for one in context.acknowledged)
        unchanged = self._may_write(context) - writes.keys() - context.deletes if is_coarse else frozenset()
        made = {**writes, **made_again(context, {name: context.scope.artifacts[name] for name in unchanged})}
        constant = frozenset() if self.may_fail else never_data(self.code)
        in_doubt = {name for name in made if not is_setting(name)} - constant if is_coarse else set()
        store(context, made, in_doubt)
        if in_doubt:
            context.note(f"{COARSE_NOTE}, since {', '.join(doubtful)} {'is' if len(doubtful) == 1 else 'are'}.")
        return is_coarse

    def _may_write(self, context: RunContext) -> frozenset[str]:
        """What is above that other data might have made it change."""
        above = frozenset(name for name in context.scope.artifacts if not is_file(name))
        if context.may_change is None or self.forecast().writes_anything:
            return above
        return above & (context.may_change | self.writes())


def _rests_on(name: str, artifact: Artifact) -> Reason:
    from trailbook.algebra.expressions import TRUE
    from trailbook.caveats.reasons import Stored
    from trailbook.cells.tables import view_of

    return Stored(view_of(name), frozenset(column.name for column in artifact.columns), rows=True, where=TRUE)


def _names(context: RunContext) -> dict[str, Given]:
    """What the names mean; those that a cell above is still to write are told when they are looked up."""
    scope = context.scope
    pending = {name for name in context.pending if not is_file(name)}
    known = {name: id for name, id in scope.artifacts.items() if name not in pending and not is_file(name)}
    failed = {name: GivenUnavailable(failed.reason) for name, failed in scope.failed.items()}
    return {**context.given(known), **failed, **dict.fromkeys(pending, GivenPending())}


@lru_cache(maxsize=1000)
def saved(code: str) -> Effects:
    """What the code writes through `tb`: the names in calls of tb.save where they are written out, else anything."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Effects()
    names: set[str] = set()
    harmless: set[ast.Name] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="tb") as tb, attr="save"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                names.add(name)
                harmless.add(tb)
            case ast.Attribute(value=ast.Name(id="tb") as tb, attr=attribute) if attribute != "save":
                harmless.add(tb)
    uses = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "tb")
    return Effects(writes=frozenset(names), writes_anything=any(use not in harmless for use in uses))


def _limits(settings: Settings) -> Limits:
    return Limits(settings.output_limit, settings.cell_seconds, settings.cell_cpu, settings.cell_memory)


def _stored(context: RunContext, message: Message | BinaryDisplay) -> Message:
    if not isinstance(message, BinaryDisplay):
        return message
    kept = {media_type: context.keep_file(path, media_type) for media_type, path in message.files.items()}
    return DisplayMessage(data=dict(message.text), artifacts=kept)
