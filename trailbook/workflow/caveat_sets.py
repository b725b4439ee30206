"""Which caveats can reach something: a dataset followed up through the cells, without reading data.

Each place that can have a part in it is a caveat set. What its members are is asked of Spark, in `members.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from trailbook.cells.kind import Question, parse
from trailbook.errors import Invalid
from trailbook.model.acknowledged import Acknowledgement
from trailbook.model.artifacts import Artifact
from trailbook.model.base import ArtifactId, Digest, GivenHandle, Value, digest_of
from trailbook.model.publications import Publication
from trailbook.model.runs import PUBLISHED
from trailbook.workflow.makers import Made

if TYPE_CHECKING:
    from trailbook.algebra.expressions import Expr
    from trailbook.caveats.reasons import Inherent, Raised
    from trailbook.caveats.targets import Target
    from trailbook.cells.kind import AskSpark


UNKNOWN = "It was in doubt where it was published, which is not known here."
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
class Found:
    """A place where caveats are raised that can reach what was asked about."""

    made: Made
    place: str
    raised: tuple[Raised, ...]
    """Where the caveats are found, over the datasets that the run read; nowhere if there is just the one."""
    is_acknowledged: bool
    lost: str | None = None
    """What the run read, if that is where the caveats came from, and nobody here knows from where before."""

    @property
    def id(self) -> Digest:
        elsewhere = [self.made.datasets.ref.model_dump()] if self.publication else []
        return digest_of(*elsewhere, self.made.cell, self.place, self.is_acknowledged)

    @property
    def publication(self) -> Publication | None:
        """What the cell's dataset was published as, if the cell is one of another project."""
        return self.made.datasets.publication

    @property
    def acknowledged(self) -> tuple[Acknowledgement, ...]:
        return tuple(one for one in self.made.spec.acknowledged if one.place == self.place)


_Key = tuple[int, int, ArtifactId]
"""How far away a dataset is: publications on the way to it, its position in the version there."""


@dataclass
class Search:
    """One way up through the cells."""

    columns: Callable[[Made], AskSpark]
    accepted: bool
    found: dict[Digest, Found] = field(default_factory=dict)
    _waiting: dict[_Key, tuple[Made, list[Target]]] = field(default_factory=dict)

    def follow(self, made: Made, target: Target | None) -> list[Found]:
        """The places that can reach the target, or what may be missing, nearest first."""
        self._visit(made, target)
        while self._waiting:
            # Whatever rests on the last one was looked at before it, so all that matters of it is known.
            last = max(self._waiting, key=lambda key: (*key[:2], self._waiting[key][0].artifact.created))
            made, targets = self._waiting.pop(last)
            for wanted in _merged(targets):
                self._visit(made, wanted)
        return list(self.found.values())

    def _visit(self, made: Made, target: Target | None) -> None:
        from trailbook.caveats.reasons import Inherent, Stored
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
                continue
            name = dataset_of(reason.table)
            if above := made.datasets.maker(name, made):
                key = (-len(above.datasets.through), above.position, above.artifact.id)
                _, targets = self._waiting.setdefault(key, (above, []))
                targets.append(Target(reason.columns, reason.rows, reason.where))
            elif name.startswith(PUBLISHED) and not self.accepted:
                self._note(made, Inherent(UNKNOWN), made.spelt(name))

    def _note(self, made: Made, reason: Raised | Inherent, lost: str | None = None) -> None:
        from trailbook.caveats.reasons import Raised

        raised = (reason,) if isinstance(reason, Raised) else ()
        found = Found(made, reason.place, raised, self.accepted, lost)
        if known := self.found.get(found.id):
            found = replace(found, raised=tuple(dict.fromkeys((*known.raised, *raised))))
        self.found[found.id] = found


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
