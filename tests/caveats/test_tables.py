"""Tables that are in doubt as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import pytest

from tests.caveats.cases import Case, problem, random_table
from tests.caveats.forms import FORMS, Maker
from tests.caveats.worlds import Row, Table, Value
from trailbook.algebra.plan import Project
from trailbook.caveats.instrument import instrument
from trailbook.caveats.tables import TableDoubt, data


class Coarse(Table):
    """A table of which nothing is certain."""

    @property
    def doubt(self) -> TableDoubt:
        return TableDoubt(coarse=True)

    def stored(self) -> dict[str, list[Row]]:
        return {self.name: self.plain()}

    def world(self, random: Random, domains: Mapping[str, Sequence[Value]]) -> list[Row]:
        return [
            tuple(random.choice(domains[column.type]) for column in self.columns) for _ in range(random.randint(0, 4))
        ]


def coarse_table(random: Random) -> Coarse:
    table = random_table(random, "r", "abc")
    return Coarse(table.name, table.columns, table.slots)


@pytest.mark.parametrize("form", FORMS)
def test_the_guarantee_holds_over_a_table_in_doubt_as_a_whole(form: str) -> None:
    for seed in range(3):
        random = Random(seed)
        tables = (coarse_table(random), random_table(random, "s", "de"))
        case = Case(tables, Maker(random, [table.scan for table in tables], 1).plan(form))
        found = problem(case, seed)
        assert found is None, f"seed {seed}\n{case}\n{found}"


def test_a_table_in_doubt_as_a_whole_has_no_masks_to_read() -> None:
    table = coarse_table(Random(1))
    slots = instrument(table.scan, {table.name: table.doubt})
    assert all(slots.mark(name) == slots.marks[name] for name in table.scan.names)
    assert slots.has_phantoms
    plan = data(slots)
    assert isinstance(plan, Project)
    assert {scan.names for scan in plan.walk() if not scan.inputs} >= {table.scan.names}


def test_what_is_in_doubt_as_a_whole_has_nothing_else_in_doubt() -> None:
    assert not TableDoubt(coarse=True).is_none
    with pytest.raises(ValueError, match="as a whole"):
        TableDoubt(frozenset({"a"}), coarse=True)
