"""The caveats that code gives along with a dataset: what they are called, which are acknowledged, who asks for them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trailbook.cells.kind import Question
from trailbook.model.acknowledged import Acknowledged
from trailbook.model.artifacts import Artifact
from trailbook.model.caveat import Caveat
from trailbook.store.files import ArtifactFiles

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

    from trailbook.algebra.expressions import Expr
    from trailbook.caveats.reasons import Raised

VIEW = "_given"
"""Each row of the dataset with each caveat on it. One underscore: no dataset and no view of one is called so."""


def place_of(name: str, column: str | None) -> str:
    """Where caveats on a column's values, or on rows, are raised."""
    return f'tb.save("{name}"): {"rows" if column is None else f"column {column}"}'


def is_acknowledged(name: str, caveat: Caveat, acknowledged: Collection[Acknowledged]) -> bool:
    place = place_of(name, caveat.column)
    return any(one.place == place and one.message in (None, caveat.message) for one in acknowledged)


@dataclass(frozen=True)
class _Hidden:
    """The columns of the view beside those of the dataset, called otherwise than those."""

    id: str
    about: str
    message: str
    accepted: str

    @classmethod
    def beside(cls, artifact: Artifact) -> _Hidden:
        taken = {column.name.lower() for column in artifact.columns}
        prefix = "__caveat"
        while any(name.startswith(prefix) for name in taken):
            prefix += "_"
        return cls(f"{prefix}_id", f"{prefix}_about", f"{prefix}_message", f"{prefix}_accepted")


def raised(question: Question) -> list[Raised]:
    """The caveats that can have a part in what is asked about, a set for each column and one for the rows."""
    target = question.target
    if target is None or question.made is None:
        return []
    about = {caveat.column for caveat in question.remarks.caveats}
    wanted = [name for name in sorted(target.columns) if name in about]
    places: list[str | None] = [*wanted, *([None] if target.rows and None in about else [])]
    return [_raised(question, question.made, column, target.where) for column in places]


def _raised(question: Question, made: Artifact, column: str | None, where: Expr) -> Raised:
    from sqlglot import exp

    from trailbook.algebra.expressions import both, is_null, negated, ref, text
    from trailbook.algebra.plan import Filter, Scan
    from trailbook.caveats.reasons import Raised
    from trailbook.model.artifacts import Column

    hidden = _Hidden.beside(made)
    columns = [Column(name=name, type="string") for name in (hidden.id, hidden.about, hidden.message)]
    scan = Scan(VIEW, (*made.columns, *columns, Column(name=hidden.accepted, type="boolean", nullable=False)))
    about = ref(hidden.about)
    is_about = is_null(about) if column is None else exp.EQ(this=about, expression=text(column))
    accepted = ref(hidden.accepted) if question.accepted else negated(ref(hidden.accepted))
    return Raised(
        place_of(question.name, column),
        Filter(scan, both(where, is_about, accepted)),
        ref(hidden.id),
        ref(hidden.message),
        stored=frozenset({VIEW}),
        acknowledged=question.accepted,
    )


def open_given(
    session: SparkSession,
    files: ArtifactFiles,
    name: str,
    artifact: Artifact,
    caveats: Sequence[Caveat],
    acknowledged: Collection[Acknowledged],
) -> None:
    """Let Spark read the caveats of a dataset together with the rows that they are on."""
    from pyspark.sql.connect.functions import col

    from trailbook.algebra.identity import ROW
    from trailbook.algebra.print_expression import quoted
    from trailbook.cells.tables import named_rows

    hidden = _Hidden.beside(artifact)
    names = [quoted(column.name) for column in artifact.columns]
    directory = files.path(artifact.id)
    rows = named_rows(session.read.parquet(str(directory)), name, directory).select(*names, ROW)
    listed = [
        (
            str(number),
            None if caveat.row is None else f"{name}:{caveat.row}",
            caveat.column,
            caveat.message,
            is_acknowledged(name, caveat, acknowledged),
        )
        for number, caveat in enumerate(caveats)
    ]
    told = [quoted(column) for column in (hidden.id, hidden.about, hidden.message, hidden.accepted)]
    schema = f"{told[0]} string, {ROW} string, {told[1]} string, {told[2]} string, {told[3]} boolean"
    known = session.createDataFrame(listed, schema)
    single = rows.join(known, ROW)
    of_all = rows.drop(ROW).crossJoin(known.where(col(ROW).isNull()))
    columns = [*names, *told, ROW]
    single.select(*columns).unionAll(of_all.select(*columns)).createOrReplaceTempView(VIEW)
