"""Published datasets as a source: an edition is used in place, and its doubts are those of where it was made."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from trailbook.cells.context import RunContext
from trailbook.cells.dataflow import DataflowCell
from trailbook.cells.kind import Question
from trailbook.errors import Dropped
from trailbook.model.artifacts import Artifact
from trailbook.model.publications import read_of
from trailbook.model.runs import PUBLISHED, Outside

if TYPE_CHECKING:
    from trailbook.algebra.plan import Plan, Scan
    from trailbook.cells.dataflow import Describe
    from trailbook.cells.tables import Inputs


def take(context: RunContext, name: str, published: str, edition: int) -> Artifact:
    """Have `name` mean an edition, the newest if it is 0. It is not looked for again: others may publish the next."""
    publication = context.shelf.publication(published, edition)
    if not context.files.has(publication.artifact):
        raise Dropped(f"The files of {published}, edition {publication.edition}, are no longer in the store.")
    context.reads[read_of(publication)] = publication.artifact
    context.writes[name] = publication.artifact
    if not edition:
        context.outside = Outside(published=(published,))
    context.note(f"Edition {publication.edition} of {published}, published {publication.time:%Y-%m-%d %H:%M} UTC.")
    return context.known(publication.artifact)


class Taken(DataflowCell):
    """The query that gives all of what was `read`, by which the way of its doubts is found."""

    read: str

    @classmethod
    def of(cls, question: Question) -> Taken:
        read = next((name for name in question.reads if name.startswith(PUBLISHED)), None)
        if read is None:
            raise Dropped(f"Which edition {question.name} is was not recorded. Run the cell again.")
        return cls(name=question.name, read=read)

    def inputs(self, read: Callable[[str], Artifact], read_if_there: Callable[[str], Artifact | None]) -> Inputs:
        return {self.read.lower(): read(self.read)}

    def plan(self, tables: dict[str, Scan], describe: Describe) -> Plan:
        return tables[self.read.lower()]
