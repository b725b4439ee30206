"""Python: code in a process of its own, which reads and writes datasets by name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from trailbook.cells import workfiles
from trailbook.cells.admitting import require_harmless
from trailbook.cells.context import RunContext
from trailbook.cells.fetched import create
from trailbook.cells.kind import CellKind, Question, register
from trailbook.cells.outputs import is_setting, made_again, moved, never_data, store
from trailbook.cells.workfiles import is_file
from trailbook.errors import CellFailed
from trailbook.kernels.environments.environments import Lease
from trailbook.kernels.forecast import Forecast, forecast
from trailbook.kernels.home import Home
from trailbook.kernels.isolation import enclosure_of
from trailbook.kernels.limits import Limits
from trailbook.kernels.names import Given, GivenPending, GivenUnavailable, Made, MadeDataset
from trailbook.kernels.python import PythonOutcome, PythonRequest, PythonRun
from trailbook.kernels.screen import BinaryDisplay, Shown, Telling, Update
from trailbook.kernels.sightings import WORK
from trailbook.model.artifacts import Artifact
from trailbook.model.base import ArtifactId
from trailbook.model.runs import OUTSIDE_READS, DisplayMessage, LiveMessage, NoteMessage, Run, UpdateMessage
from trailbook.settings import PROCESS, Settings
from trailbook.store.remarks import NOTHING_SAID, Remarks, read_remarks

if TYPE_CHECKING:
    from trailbook.caveats.reasons import Reason

PLACE = "Python code can't be seen through"
"""What puts all that a cell makes in doubt, if something that it reads is."""
ALL_COARSE, SOME_COARSE = "All that this cell makes is in doubt", "In doubt as a whole: "


@register
class PythonCell(CellKind):
    kind: ClassVar[str] = "python"
    title: ClassVar[str] = "Python"
    uses_packages: ClassVar[bool] = True

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
        return forecast(self.code)

    def explain(self, question: Question) -> list[Reason]:
        from trailbook.caveats.reasons import Inherent
        from trailbook.cells.given import raised

        remarks = question.remarks
        is_accepted = any(one.place == PLACE for one in question.acknowledged)
        is_coarse = question.made is None or question.made.doubt.coarse
        reads = question.reads if remarks.depends_on is None else _among(question.reads, remarks.depends_on)
        if remarks.renamed is not None and not is_coarse:
            return [_passed_on(remarks.renamed, question)]
        reasons: list[Reason] = [*raised(question), *_of_file(question)]
        if is_accepted if question.accepted else is_coarse:
            reasons.append(Inherent(PLACE, acknowledged=is_accepted))
        if question.accepted or is_coarse:
            reasons += [_rests_on(name, artifact) for name, artifact in reads.items()]
        return reasons

    def run(self, context: RunContext) -> None:
        if context.twin:
            self._mark_anew(context, context.twin)
            return
        scratch = context.stage()
        home = workfiles.lay_out(context, scratch / WORK)
        with context.environment() as environment:
            outcome = self._executed(context, scratch, home, environment)
        workfiles.record(context, outcome.observed)
        if outcome.error and not self.may_fail:
            raise CellFailed(**outcome.error.model_dump())
        context.expected_error = outcome.error
        context.deletes |= outcome.deletes
        if context.settings.isolation != PROCESS:
            require_harmless(outcome.writes, scratch)
        is_doubtful = self._keep(context, outcome.writes)
        workfiles.keep(context, scratch / WORK, outcome.observed, doubtful=is_doubtful)

    def _executed(self, context: RunContext, scratch: Path, home: Home | None, environment: Lease) -> PythonOutcome:
        request = PythonRequest(
            code=self.code,
            names=_names(context),
            scratch=scratch,
            limits=_limits(context.settings),
            keep_on_failure=self.may_fail,
            own_folders=(context.settings.data,),
            home=home,
            enclosure=enclosure_of(context.settings, environment.folder),
        )
        with ExitStack() as leases:
            run = PythonRun(
                request,
                environment.zygote,
                on_message=lambda message: context.say(_stored(context, message)),
                on_progress=context.progress,
                on_read=context.saw_read,
                spark_url=lambda: leases.enter_context(context.session_url()),
                resolve_name=context.await_name,
                create=lambda wanted, over: create(context, wanted, over),
            )
            with context.stopped_by(run.cancel):
                return run.run()

    def _mark_anew(self, context: RunContext, twin: Run) -> None:
        """Make again what a run made of the same data, and put in doubt what rests on doubts now."""
        read = frozenset(name for name in twin.reads if not name.startswith(OUTSIDE_READS))
        context.reads.update({**twin.reads, **{name: context.scope.identity(name) for name in read}})
        for message in twin.messages:
            if not (isinstance(message, NoteMessage) and message.text.startswith((ALL_COARSE, SOME_COARSE))):
                context.say(message)
        context.outside = twin.outside
        context.deletes |= set(twin.deletes)
        changed = {name: id for name, id in twin.writes.items() if _was_written(context, name, id)}
        names = {name: id for name, id in changed.items() if not is_file(name)}
        is_doubtful = self._keep(context, made_again(context, names, with_remarks=True))
        workfiles.keep_again(context, changed, doubtful=is_doubtful)

    def _keep(self, context: RunContext, writes: Mapping[str, Made]) -> bool:
        """Store what the code made: in doubt, if something that it read is. Returns whether it is.

        So is what it might have changed, had the data been other than it is.
        """
        doubtful = sorted({*context.doubtful_reads(), *context.doubtful_created})
        is_coarse = bool(doubtful) and not any(one.place == PLACE for one in context.acknowledged)
        unchanged = self._may_write(context) - writes.keys() - context.deletes if is_coarse else frozenset()
        above = {name: context.scope.artifacts[name] for name in unchanged}
        made = {name: moved(context, one) for name, one in writes.items()}
        made |= made_again(context, above, with_remarks=False)
        # What is saved under the name of a function is none.
        datasets = {name for name, one in made.items() if isinstance(one, MadeDataset)}
        constant = frozenset() if self.may_fail else never_data(self.code) - datasets
        may_be = {name for name in made if not is_setting(name)} - constant if is_coarse else set()
        # What was created is in doubt by itself, value by value.
        fine = {name: {name} & context.doubtful_created for name in may_be}
        in_doubt = {name for name in may_be if _said_of(made[name]).rests_on([*{*doubtful} - fine[name]])}
        store(context, made, in_doubt)
        if in_doubt:
            which = ALL_COARSE if in_doubt == may_be else f"{SOME_COARSE}{', '.join(sorted(in_doubt))}"
            context.note(f"{which}, since {', '.join(doubtful)} {'is' if len(doubtful) == 1 else 'are'}.")
        return is_coarse

    def _may_write(self, context: RunContext) -> frozenset[str]:
        """What is above that other data might have made it change."""
        above = frozenset(name for name in context.scope.artifacts if not is_file(name))
        if context.may_change is None or self.forecast().writes_anything:
            return above
        return above & (context.may_change | self.writes())


def _of_file(question: Question) -> list[Reason]:
    """What was wrong with the file that a dataset was created of."""
    if not question.decisions:
        return []
    from trailbook.cells.loaded import Loaded

    return Loaded.model_validate({"name": question.name, **question.decisions}).explain(question)


def _said_of(made: Made) -> Remarks:
    return made.remarks if isinstance(made, MadeDataset) else NOTHING_SAID


def _was_written(context: RunContext, name: str, id: ArtifactId) -> bool:
    """Whether a run wrote this, and has not only put in doubt what was there."""
    return not context.holds_data_of(name, id) or read_remarks(context.files.path(id)) != NOTHING_SAID


def _rests_on(name: str, artifact: Artifact) -> Reason:
    from trailbook.algebra.expressions import TRUE
    from trailbook.caveats.reasons import Stored
    from trailbook.cells.tables import view_of

    return Stored(view_of(name), frozenset(column.name for column in artifact.columns), rows=True, where=TRUE)


def _passed_on(name: str, question: Question) -> Reason:
    """What is asked of a dataset that only has a new name is asked of what it was."""
    from trailbook.caveats.reasons import Stored
    from trailbook.cells.tables import view_of

    if question.target is None:
        return _rests_on(name, question.reads[name])
    target = question.target
    return Stored(view_of(name), target.columns, target.rows, target.where)


def _among(reads: Mapping[str, Artifact], names: Collection[str]) -> dict[str, Artifact]:
    return {name: artifact for name, artifact in reads.items() if name in names}


def _names(context: RunContext) -> dict[str, Given]:
    """What the names mean; those that a cell above is still to write are told when they are looked up."""
    scope = context.scope
    pending = {name for name in context.pending if not is_file(name)}
    known = {name: id for name, id in scope.artifacts.items() if name not in pending and not is_file(name)}
    failed = {name: GivenUnavailable(failed.reason) for name, failed in scope.failed.items()}
    return {**context.given(known), **failed, **dict.fromkeys(pending, GivenPending())}


def _limits(settings: Settings) -> Limits:
    return Limits(settings.output_limit, settings.cell_seconds, settings.cell_cpu, settings.cell_memory)


def _stored(context: RunContext, telling: Telling) -> LiveMessage:
    if isinstance(telling, Update):
        return UpdateMessage(display=_stored_display(context, telling.shown))
    return _stored_display(context, telling) if isinstance(telling, BinaryDisplay) else telling


def _stored_display(context: RunContext, shown: Shown) -> DisplayMessage:
    if isinstance(shown, DisplayMessage):
        return shown
    kept = {media_type: context.keep_file(path, media_type) for media_type, path in shown.files.items()}
    return DisplayMessage(data=dict(shown.text), artifacts=kept, id=shown.id)
