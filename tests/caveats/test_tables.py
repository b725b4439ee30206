"""Tables that are in doubt as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import pytest

from tests.caveats.cases import Case, problem, random_case, random_table
from tests.caveats.forms import FORMS
from tests.caveats.worlds import Row, Table, Value
from trailbook.algebra.expressions import TRUE
from trailbook.caveats.instrument import instrument
from trailbook.caveats.tables import TableDoubt


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


def coarse(table: Table) -> Coarse:
    return Coarse(table.name, table.columns, table.slots)


@pytest.mark.parametrize("form", FORMS)
def test_the_guarantee_holds_over_a_table_in_doubt_as_a_whole(form: str) -> None:
    for seed in range(3):
        made = random_case(seed, form)
        case = Case(tuple(coarse(table) if table.name == "r" else table for table in made.tables), made.plan)
        found = problem(case, seed)
        assert found is None, f"seed {seed}\n{case}\n{found}"


def test_a_table_in_doubt_as_a_whole_has_no_masks_to_read() -> None:
    table = coarse(random_table(Random(1), "r", "abc"))
    slots = instrument(table.scan, {table.name: table.doubt})
    assert all(slots.mark(name) == TRUE for name in table.scan.names)
    assert slots.has_phantoms
    assert table.scan in slots.plan.walk()


def test_what_is_in_doubt_as_a_whole_has_nothing_else_in_doubt() -> None:
    assert not TableDoubt(coarse=True).is_none
    with pytest.raises(ValueError, match="as a whole"):
        TableDoubt(frozenset({"a"}), coarse=True)
