"""Why something of a dataset is in doubt, told bit by bit: what could be the reason at once, then what is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from trailbook.engine import Engine
from trailbook.errors import NotFound
from trailbook.model.acknowledged import Acknowledgement
from trailbook.model.base import CellHandle, Digest, ProjectId, Value
from trailbook.model.notebook import Person, VersionRef
from trailbook.model.publications import edition_of
from trailbook.store import persons, projects
from trailbook.store.masks import ROW_BIT, read_bit
from trailbook.store.store import Store
from trailbook.workflow.caveat_sets import Asked, Found, Search, check_asked
from trailbook.workflow.makers import Datasets
from trailbook.workflow.members import Desk, Member, Sample

if TYPE_CHECKING:
    import pyarrow as pa

    from trailbook.caveats.targets import Target
    from trailbook.store.parquet import PageReader


class AcknowledgedBy(Value):
    """Caveats that somebody accepted: those of one text, or all of the set."""

    message: str | None
    note: str
    person: Person
    time: datetime


class Elsewhere(Value):
    """Where a dataset in doubt was published. Of a project that was deleted, or is not known here, there is no id."""

    name: str
    edition: int
    project: ProjectId | None = None
    project_name: str = ""
    made: VersionRef | None = None


class CaveatSet(Value):
    """Caveats that a cell raises at one place. Before they were looked for, their number is not known.

    A set with acknowledgements is of caveats that mark nothing any more. One from `elsewhere` is acknowledged there.
    """

    id: Digest
    cell: CellHandle
    place: str
    message: str | None = None
    count: int | None = None
    examples: tuple[Member, ...] = ()
    acknowledged: tuple[AcknowledgedBy, ...] = ()
    elsewhere: Elsewhere | None = None


class Candidates(Value):
    """The sets that may have a part in it. Those that turn out to have no members have none."""

    type: Literal["candidates"] = "candidates"
    sets: tuple[CaveatSet, ...]


class SetKnown(Value):
    """A set whose members are known."""

    type: Literal["set"] = "set"
    set: CaveatSet


class End(Value):
    """All is said."""

    type: Literal["end"] = "end"


class Failed(Value):
    """The rest can't be told, and why."""

    type: Literal["error"] = "error"
    code: str
    message: str


Saying = Annotated[Candidates | SetKnown | End | Failed, Field(discriminator="type")]


class Explanation:
    """The answer to one question. Made, it has only looked into the metadata."""

    def __init__(self, store: Store, engine: Engine, pages: PageReader, ref: VersionRef, asked: Asked) -> None:
        self._store = store
        self._engine = engine
        self._pages = pages
        self._asked = asked
        self._datasets = Datasets(store, ref)
        self._made = self._datasets.named(asked.cell, asked.name)
        check_asked(asked, self._made.artifact)

    def sayings(self) -> Iterator[Saying]:
        with closing(Desk(self._engine, self._store.files)) as desk:
            is_explained = False
            for saying in self._told(desk, self._target):
                is_explained |= isinstance(saying, SetKnown) and bool(saying.set.count and not saying.set.acknowledged)
                yield saying
            if self._is_marked and not is_explained:
                # Two doubts may put together what neither does alone; then all that could have a part in it are told.
                yield from self._told(desk, self._wide_target)
            yield End()

    def members(self, id: Digest, offset: int, limit: int) -> list[Member]:
        """A page of the members of a set."""
        page: list[Member] | None = None
        with closing(Desk(self._engine, self._store.files)) as desk:
            for found in self._places(desk, id):
                page = desk.page(found, offset, limit)
                if page or (offset and desk.page(found, 0, 1)):
                    break
        if page is None:
            raise NotFound(f"There is no caveat set {id} behind {self._asked.name}.", what="caveat set", id=id)
        return page

    def _places(self, desk: Desk, id: Digest) -> Iterator[Found]:
        """Where the members of a set are looked for: if there are none near by, all of them were told."""
        targets = (self._target, self._wide_target)
        return (found for target in targets for found in self._candidates(desk, target) if found.id == id)

    def _told(self, desk: Desk, target: Target | None) -> Iterator[Saying]:
        candidates = self._candidates(desk, target)
        yield Candidates(sets=tuple(map(self._shown, candidates)))
        for found, sample in desk.samples(candidates):
            yield SetKnown(set=self._shown(found, sample))

    def _candidates(self, desk: Desk, target: Target | None) -> list[Found]:
        """Those that mark first, then those that are acknowledged."""
        modes = {False: self._is_marked, True: self._datasets.may_have_acknowledged}
        return [
            found
            for accepted, is_wanted in modes.items()
            if is_wanted
            for found in Search(desk.columns, accepted).follow(self._made, target)
        ]

    def _shown(self, found: Found, sample: Sample | None = None) -> CaveatSet:
        return CaveatSet(
            id=found.id,
            cell=found.made.cell,
            place=found.place,
            message=sample.members[0].message if sample and sample.members else None,
            count=sample.count if sample else None,
            examples=sample.members if sample else (),
            acknowledged=tuple(map(self._signed, found.acknowledged)) if found.is_acknowledged else (),
            elsewhere=self._elsewhere(found),
        )

    def _elsewhere(self, found: Found) -> Elsewhere | None:
        if found.lost:
            name, edition = edition_of(found.lost)
            return Elsewhere(name=name, edition=edition)
        if found.publication is None:
            return None
        publication = found.publication
        with self._store.reading() as tx:
            project = projects.get(tx, publication.project)
        return Elsewhere(
            name=publication.name,
            edition=publication.edition,
            project=None if project.deleted else project.id,
            project_name=project.name,
            made=publication.made,
        )

    def _signed(self, said: Acknowledgement) -> AcknowledgedBy:
        with self._store.reading() as tx:
            person = persons.get(tx, said.person)
        return AcknowledgedBy(message=said.message, note=said.note, person=person, time=said.time)

    @cached_property
    def _wide_target(self) -> Target | None:
        """The same values and rows, wherever they are."""
        from trailbook.caveats.targets import Target

        if self._asked.missing:
            return None
        names = frozenset(column.name for column in self._made.artifact.columns)
        column = self._asked.column
        return Target(names if column is None else frozenset({column}), rows=column is None)

    @cached_property
    def _target(self) -> Target | None:
        from trailbook.caveats.targets import Target, is_row, values_of

        wide = self._wide_target
        if wide is None or self._row is None:
            return wide
        names = [column.name for column in self._made.artifact.columns]
        return Target(wide.columns, wide.rows, is_row(values_of(self._row.select(names))))

    @cached_property
    def _row(self) -> pa.Table | None:
        """The row that is asked about, with its masks."""
        if self._asked.row is None:
            return None
        return self._pages.read(self._store.files.path(self._made.artifact.id), self._asked.row, 1)

    @cached_property
    def _is_marked(self) -> bool:
        doubt, column = self._made.artifact.doubt, self._asked.column
        if self._asked.missing:
            return doubt.may_miss_rows
        if self._row is None or doubt.coarse:
            return not doubt.is_none if column is None else column in doubt.values
        names = [known.name for known in self._made.artifact.columns]
        bits = range(len(names) + 1) if column is None else [names.index(column) + 1]
        return any(read_bit(self._row, bit)[ROW_BIT] for bit in bits)
