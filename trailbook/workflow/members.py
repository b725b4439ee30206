"""The caveats of a set: counted, shown by examples, or paged through, by queries that Spark runs side by side."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from trailbook.engine import Engine
from trailbook.engine.errors import spark_errors
from trailbook.errors import CellCancelled, Dropped
from trailbook.model.base import Value
from trailbook.store.files import ArtifactFiles
from trailbook.workflow.caveat_sets import Found
from trailbook.workflow.makers import Made

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

    from trailbook.algebra.plan import Plan, Schema
    from trailbook.cells.kind import AskSpark

EXAMPLES = 3
AT_ONCE = 8
"""Queries that run side by side."""


class Member(Value):
    """One caveat, and who the row is that it is about: `dataset:position`, or a name of its own."""

    message: str
    row: str | None = None


class Sample(Value):
    """How many caveats a set has, and the first of them."""

    count: int
    members: tuple[Member, ...]


class Desk:
    """Sessions of Spark for one question, a session for each run whose inputs are read. To be closed."""

    def __init__(self, engine: Engine, files: ArtifactFiles) -> None:
        self._engine = engine
        self._files = files
        self._lock = threading.Lock()
        self._sessions: dict[str, SparkSession] = {}
        self._resources = ExitStack()
        self._is_closed = False

    def close(self) -> None:
        """End the sessions, and whatever runs in them."""
        with self._lock:
            self._is_closed = True
            self._resources.close()

    def columns(self, made: Made) -> AskSpark:
        """Asks Spark for the columns of plans over what a run read."""

        def columns(plan: Plan) -> Schema:
            from trailbook.algebra.spark_frame import columns_of, frame

            with spark_errors():
                return columns_of(frame(self._session(made), plan))

        return columns

    def samples(self, sets: Sequence[Found]) -> Iterator[tuple[Found, Sample]]:
        """Each set with its members, as they become known."""
        pool = ThreadPoolExecutor(AT_ONCE)
        try:
            waiting = {pool.submit(self.sample, found): found for found in sets}
            for done in as_completed(waiting):
                yield waiting[done], done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def sample(self, found: Found) -> Sample:
        if not found.raised:
            return Sample(count=1, members=(Member(message=found.place),))
        from trailbook.caveats.reasons import distinct, distinct_count

        members = _all_of(found)
        # Most sets are small; to count only the others takes half the time.
        rows = self._rows(found.made, members, EXAMPLES + 1)
        first = distinct(rows)
        is_all = len(rows) <= EXAMPLES
        count = len(first) if is_all else self._rows(found.made, distinct_count(members))[0]["n"]
        return Sample(count=count, members=tuple(map(_member, first[:EXAMPLES])))

    def page(self, found: Found, offset: int, limit: int) -> list[Member]:
        """Some of a set's members, in an order that is always the same."""
        if not found.raised:
            return [Member(message=found.place)][offset : offset + limit]
        from sqlglot import exp

        from trailbook.algebra.expressions import call, ref
        from trailbook.algebra.plan import Limit, Sort

        # Row 9 of a dataset comes before row 10.
        keys = (ref("message"), call("length", ref("row")), ref("row"))
        order = (exp.Ordered(this=key, desc=False, nulls_first=True) for key in keys)
        ordered = Sort(_all_of(found), tuple(order))
        return [_member(row) for row in self._rows(found.made, Limit(ordered, limit, offset))]

    def _rows(self, made: Made, plan: Plan, limit: int | None = None) -> list[dict[str, Any]]:
        from trailbook.algebra.spark_frame import frame

        with spark_errors():
            found = frame(self._session(made), plan)
            rows: list[dict[str, Any]] = (found if limit is None else found.limit(limit)).toArrow().to_pylist()
        return rows

    def _session(self, made: Made) -> SparkSession:
        from trailbook.cells.given import open_given
        from trailbook.cells.tables import open_views

        for name, artifact in made.inputs.items():
            if not self._files.has(artifact.id):
                raise Dropped(f"The files of {name}, which this rests on, were removed. Run the cells above again.")
        with self._lock:
            if self._is_closed:
                raise CellCancelled("Nobody waits for the answer any more.")
            key = made.artifact.id
            if key not in self._sessions:
                session = self._resources.enter_context(self._engine.session())
                open_views(session, self._files, made.inputs, name_rows=True)
                if caveats := made.remarks.caveats:
                    open_given(session, self._files, made.name, made.artifact, caveats, made.spec.acknowledged)
                self._sessions[key] = session
            return self._sessions[key]


def _all_of(found: Found) -> Plan:
    from trailbook.algebra.plan import Distinct, Union

    members = tuple(reason.named_members for reason in found.raised)
    return members[0] if len(members) == 1 else Distinct(Union(members))


def _member(row: dict[str, Any]) -> Member:
    return Member(message=row["message"], row=row["row"])
