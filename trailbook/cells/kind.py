"""What a cell kind is: typed parameters, a forecast of what it reads and writes, and how it runs."""

from __future__ import annotations

import keyword
from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import AfterValidator, ValidationError

from trailbook.cells.context import RunContext
from trailbook.errors import BadParameters, TrailbookError
from trailbook.kernels.forecast import Forecast
from trailbook.model.acknowledged import Acknowledged
from trailbook.model.artifacts import Artifact
from trailbook.model.base import Digest, Json, Value
from trailbook.model.misfits import misfits
from trailbook.model.notebook import Spec
from trailbook.registry import Registry
from trailbook.store.remarks import NOTHING_SAID, Remarks

if TYPE_CHECKING:
    # What knows of plans takes half a second to import, which the first query can wait for, and the server can't.
    from trailbook.algebra.plan import Plan, Schema
    from trailbook.caveats.reasons import Reason
    from trailbook.caveats.targets import Target

    AskSpark = Callable[[Plan], Schema]


def _dataset_name(name: str) -> str:
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        raise ValueError(
            f"{name!r} can't name a dataset: use letters, digits and underscores, "
            "start with a letter, and avoid Python's keywords"
        )
    return name


def _without_password(database: str) -> str:
    if not database:
        return database
    from trailbook.sources.databases.connections import RECORDED, has_password

    if has_password(database):
        raise ValueError(RECORDED.removesuffix("."))
    return database


DatasetName = Annotated[str, AfterValidator(_dataset_name)]
DatabaseGiven = Annotated[str, AfterValidator(_without_password)]
"""A name, or a URL. It is refused before it is recorded."""


@dataclass(frozen=True)
class Question:
    """What somebody wants to know of something that a run made: its values and rows, or what is missing (None).

    `reads` are the datasets that the run read. `accepted` asks for the acknowledged caveats instead of those that mark.
    `made` is the dataset, under its `name`, with what the code that made it said of it, and what was decided then.
    """

    reads: Mapping[str, Artifact]
    acknowledged: Collection[Acknowledged]
    target: Target | None
    columns: AskSpark
    accepted: bool = False
    name: str = ""
    made: Artifact | None = None
    remarks: Remarks = NOTHING_SAID
    decisions: Mapping[str, Json] = field(default_factory=dict)


class CellKind(Value):
    """A cell's parameters as fields, with what the cell does."""

    kind: ClassVar[str]
    title: ClassVar[str]
    uses_packages: ClassVar[bool] = False
    """Whether it runs in the environment of the notebook's own packages."""
    acts_outside: ClassVar[bool] = False
    """Whether it is there for what it does beyond the notebook, which can't be taken back."""

    def is_inert(self) -> bool:
        """Whether there is nothing to run: the cell only shows its text, or has none yet."""
        return False

    def is_blind(self) -> bool:
        """Whether it sees data alone: if nothing but doubts changed, it would make the same data again."""
        return False

    def reads(self) -> frozenset[str] | None:
        """The names it will read, or None where that is only known once it has run."""
        return frozenset()

    def writes(self) -> frozenset[str]:
        """The names it means to write."""
        return frozenset()

    def forecast(self) -> Forecast:
        """What it may do with names, as far as that can be told before it runs."""
        reads = self.reads()
        return Forecast(reads=reads or frozenset(), reads_anything=reads is None, writes=self.writes())

    @abstractmethod
    def run(self, context: RunContext) -> None:
        """Do the work; failures are raised as CellFailed."""

    def explain(self, question: Question) -> list[Reason]:
        """Why something of what it made is in doubt: what it raised itself, and what it read."""
        return []


KINDS: Registry[type[CellKind]] = Registry("cell kind", "trailbook.cells")


def register(kind: type[CellKind]) -> type[CellKind]:
    """Class decorator: makes the kind known."""
    KINDS.add(kind.kind, kind)
    return kind


def parse(spec: Spec) -> CellKind:
    """The spec as a cell that can run, or an error that names the parameters that don't fit."""
    kind = KINDS.get(spec.kind)
    try:
        return kind.model_validate(spec.parameters)
    except ValidationError as error:
        found = misfits(error.errors(include_url=False, include_input=False))
        problems = [{"parameter": one.where, "problem": one.what} for one in found]
        raise BadParameters(f"{kind.title} cell: {'; '.join(map(str, found))}.", problems=problems) from error


def uses_packages(spec: Spec) -> bool:
    """Whether other packages could change what it does."""
    kind = parse_if_possible(spec)
    return kind is not None and kind.uses_packages


def parse_if_possible(spec: Spec) -> CellKind | None:
    """None for a spec that no longer fits its kind; running it says why."""
    return _parsed(ByHash(spec.hash, spec))


@dataclass(frozen=True)
class ByHash:
    """A spec that can be a key."""

    hash: Digest
    spec: Spec = field(compare=False)


@lru_cache(maxsize=4096)
def _parsed(key: ByHash) -> CellKind | None:
    try:
        return parse(key.spec)
    except TrailbookError:
        return None
