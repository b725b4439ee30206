"""VALUES in which caveats are raised: their rows are numbered, and what raises is computed from the number.

That way it is a projection, for which there are rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from trailbook.algebra.expressions import Expr, number, ref
from trailbook.algebra.plan import Named, Plan, Project, Values
from trailbook.caveats.marks import speaks_of_caveats
from trailbook.model.artifacts import Column


def computed_values(operator: Values) -> Plan:
    """The same rows, written out without caveats."""
    raising = {
        name
        for name, values in zip(operator.names, zip(*operator.rows, strict=True), strict=True)
        if any(map(speaks_of_caveats, values))
    }
    if not raising:
        return operator
    place = Column(name=f"__place_of_{'_'.join(operator.names)}", type="int", nullable=False)
    kept = [index for index, name in enumerate(operator.names) if name not in raising]
    rows = tuple((number(at), *(row[index] for index in kept)) for at, row in enumerate(operator.rows))
    columns = tuple(
        Named(name, _chosen(place.name, [row[index] for row in operator.rows]) if name in raising else ref(name))
        for index, name in enumerate(operator.names)
    )
    return Project(Values(rows, (place, *(operator.columns[index] for index in kept))), columns)


def _chosen(place: str, values: Sequence[Expr]) -> Expr:
    *first, last = values
    if not first:
        return last
    branches = [exp.If(this=number(at), true=value) for at, value in enumerate(first)]
    return exp.Case(this=ref(place), ifs=branches, default=last)
