"""Which caveats can reach something: a dataset followed up through the cells, without reading data.

Each place that can have a part in it is a caveat set. What its members are is asked of Spark, in `members.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from trailbook.cells.kind import Question, parse
from trailbook.errors import Invalid, NotFound
from trailbook.model.acknowledged import Acknowledgement
from trailbook.model.artifacts import Artifact, ArtifactKind
from trailbook.model.base import ArtifactId, CellHandle, Digest, GivenHandle, Json, Value, digest_of
from trailbook.model.notebook import Spec, VersionRef
from trailbook.model.runs import CAPTURED, DOUBT_OF, Run
from trailbook.store import artifacts, runs, versions
from trailbook.store.decisions import read_decisions
from trailbook.store.remarks import Remarks, read_remarks
from trailbook.store.store import Store

if TYPE_CHECKING:
    from trailbook.algebra.expressions import Expr
    from trailbook.caveats.reasons import Inherent, Raised
    from trailbook.caveats.targets import Target
    from trailbook.cells.kind import AskSpark


PAST = -1
MOST_TARGETS = 4
"""Questions about one dataset that are followed up one by one."""


class Asked(Value):
    """What somebody asks about: a value, a row, a column, what may be missing, or all of a dataset."""

    cell: GivenHandle
    name: str
    row: int | None = None
    column: str | None = None
    missing: bool = False


@dataclass(frozen=True)
class Made:
    """A dataset with the cell that made it, as it was then, and where that cell stands in the version.

    What no cell of the version shows any more is of the PAST.
    """

    artifact: Artifact
    name: str
    remarks: Remarks
    cell: CellHandle
    position: int
    spec: Spec
    reads: Mapping[str, Artifact]
    decisions: Mapping[str, Json]

    @cached_property
    def inputs(self) -> dict[str, Artifact]:
        """The datasets that the run read, by their names in lower case."""
        return {name.lower(): artifact for name, artifact in self.reads.items()}


@dataclass(frozen=True)
class Found:
    """A place where caveats are raised that can reach what was asked about."""

    made: Made
    place: str
    raised: tuple[Raised, ...]
    """Where the caveats are found, over the datasets that the run read; nowhere if there is just the one."""
    is_acknowledged: bool

    @property
    def id(self) -> Digest:
        return digest_of(self.made.cell, self.place, self.is_acknowledged)

    @property
    def acknowledged(self) -> tuple[Acknowledgement, ...]:
        return tuple(one for one in self.made.spec.acknowledged if one.place == self.place)


class Datasets:
    """The datasets of a version by who made them."""

    def __init__(self, store: Store, ref: VersionRef) -> None:
        self._store = store
        with store.reading() as tx:
            cells = versions.get(tx, ref).cells
            self._handles = [cell.handle for cell in cells]
            self.has_acknowledged = any(cell.spec.acknowledged for cell in cells)
            self._results = {handle: result.run for handle, result in runs.results(tx, ref).items()}

    def named(self, cell: CellHandle, name: str) -> Made:
        """The dataset that a cell shows under a name."""
        if cell not in self._handles:
            raise NotFound(f"There is no cell {cell} in this version.", what="cell", id=cell)
        run = self._results.get(cell)
        if run is None or name not in run.writes:
            made = ", ".join(run.writes if run else ()) or "none"
            raise NotFound(f"Cell {cell} made no dataset {name}. Known: {made}.", what="dataset", id=name)
        return self._load(run.writes[name], name, cell, run, self._handles.index(cell))

    def maker(self, name: str, reader: Made) -> Made | None:
        """Who made what was read under a name: the nearest cell above, or else whoever made it first.

        Several cells may have made the same. From the past the way leads to the past only, so that it has an end.
        What the reader took in itself, nobody made.
        """
        if name.lower().startswith(CAPTURED):
            return None
        artifact = reader.reads.get(name) or reader.inputs[name.lower()]
        for position in range(reader.position - 1, PAST, -1):
            cell = self._handles[position]
            run = self._results.get(cell)
            if run and (spelt := _spelt(name, artifact.id, run)):
                return self._load(artifact.id, spelt, cell, run, position)
        if artifact.run is None:
            return None
        with self._store.reading() as tx:
            first = runs.get(tx, artifact.run)
        called = (other for other, made in first.writes.items() if made == artifact.id)
        spelt = _spelt(name, artifact.id, first) or next(called, name)
        return self._load(artifact.id, spelt, first.cell, first, PAST)

    def _load(self, id: ArtifactId, name: str, cell: CellHandle, run: Run, position: int) -> Made:
        directory = self._store.files.path(id)
        remarks, decisions = read_remarks(directory), read_decisions(directory)
        with self._store.reading() as tx:
            spec = versions.specs(tx, [run.spec])[run.spec]
            return Made(artifacts.get(tx, id), name, remarks, cell, position, spec, _reads(tx, run), decisions)


def _spelt(name: str, id: ArtifactId, run: Run) -> str | None:
    """The name under which a run made this, in any spelling."""
    alike = (other for other, made in run.writes.items() if made == id and other.lower() == name.lower())
    return next(alike, None)


def _reads(tx: Connection, run: Run) -> dict[str, Artifact]:
    """The datasets that a run read, and the values in doubt, under the names it used for them."""
    names = {name: run.reads[spelt] for name, spelt in run.spellings.items()}
    names |= {name: id for name, id in run.reads.items() if name.startswith((DOUBT_OF, CAPTURED))}
    known = artifacts.many(tx, [ArtifactId(id) for id in names.values() if id])
    found = {name: known[ArtifactId(id)] for name, id in names.items() if id in known}
    return {
        name: artifact
        for name, artifact in found.items()
        if artifact.kind is ArtifactKind.DATASET or not artifact.doubt.is_none
    }


@dataclass
class Search:
    """One way up through the cells."""

    datasets: Datasets
    columns: Callable[[Made], AskSpark]
    accepted: bool
    found: dict[tuple[CellHandle, str], Found] = field(default_factory=dict)
    _waiting: dict[tuple[int, ArtifactId], tuple[Made, list[Target]]] = field(default_factory=dict)

    def follow(self, made: Made, target: Target | None) -> list[Found]:
        """The places that can reach the target, or what may be missing, nearest first."""
        self._visit(made, target)
        while self._waiting:
            # Whatever rests on the last one was looked at before it, so all that matters of it is known.
            last = max(self._waiting, key=lambda key: (key[0], self._waiting[key][0].artifact.created))
            made, targets = self._waiting.pop(last)
            for wanted in _merged(targets):
                self._visit(made, wanted)
        return list(self.found.values())

    def _visit(self, made: Made, target: Target | None) -> None:
        from trailbook.caveats.reasons import Stored
        from trailbook.caveats.targets import Target
        from trailbook.cells.tables import dataset_of

        question = Question(
            made.reads,
            made.spec.acknowledged,
            target,
            self.columns(made),
            self.accepted,
            made.name,
            made.artifact,
            made.remarks,
            made.decisions,
        )
        for reason in parse(made.spec).explain(question):
            if not isinstance(reason, Stored):
                self._note(made, reason)
            elif above := self.datasets.maker(dataset_of(reason.table), made):
                _, targets = self._waiting.setdefault((above.position, above.artifact.id), (above, []))
                targets.append(Target(reason.columns, reason.rows, reason.where))

    def _note(self, made: Made, reason: Raised | Inherent) -> None:
        from trailbook.caveats.reasons import Raised

        raised = (reason,) if isinstance(reason, Raised) else ()
        key = (made.cell, reason.place)
        if known := self.found.get(key):
            raised = tuple(dict.fromkeys((*known.raised, *raised)))
        self.found[key] = Found(made, reason.place, raised, self.accepted)


def _merged(targets: list[Target]) -> list[Target]:
    """The same in fewer targets, or a little more in one: paths that part and meet again must not multiply."""
    from trailbook.algebra.expressions import either
    from trailbook.caveats.targets import Target

    together: dict[Expr, Target] = {}
    for target in targets:
        known = together.get(target.where, target)
        together[target.where] = Target(known.columns | target.columns, known.rows or target.rows, target.where)
    found = list(together.values())
    if len(found) <= MOST_TARGETS:
        return found
    columns = frozenset[str]().union(*(target.columns for target in found))
    return [Target(columns, any(target.rows for target in found), either(*together))]


def check_asked(asked: Asked, artifact: Artifact) -> None:
    """Refuse what the dataset does not have."""
    names = [column.name for column in artifact.columns]
    if asked.column is not None and asked.column not in names:
        raise Invalid(f"{asked.name} has no column {asked.column}. Known: {', '.join(names)}.")
    if asked.row is not None and not 0 <= asked.row < (artifact.rows or 0):
        raise Invalid(f"{asked.name} has no row {asked.row}: it has {artifact.rows} rows, counted from 0.")
    if asked.missing and (asked.row is not None or asked.column is not None):
        raise Invalid("What may be missing is asked about without a row and a column.")
