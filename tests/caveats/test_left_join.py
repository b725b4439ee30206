"""A left join to groups gives one row for each left row, whatever their keys are."""

from __future__ import annotations

import pytest

from trailbook.algebra.bind import bind
from trailbook.algebra.expressions import is_false
from trailbook.caveats.instrument import instrument
from trailbook.caveats.slots import Slots
from trailbook.caveats.tables import TableDoubt
from trailbook.model.artifacts import Column

SCOPE = {
    "people": (Column(name="id", type="int", nullable=False), Column(name="team", type="string")),
    "teams": (Column(name="name", type="string"), Column(name="city", type="string"), Column(name="size", type="int")),
}


def slots(query: str) -> Slots:
    return instrument(bind(query, SCOPE), {"teams": TableDoubt(frozenset({"name"}))})


@pytest.mark.parametrize(
    "query",
    [
        "SELECT id, (SELECT max(size) FROM teams WHERE name = team) AS size FROM people",
        "SELECT id, (SELECT size FROM teams WHERE name = team) AS size FROM people",
        "SELECT id, top FROM people LEFT JOIN (SELECT name, max(size) AS top FROM teams GROUP BY name) ON name = team",
        "SELECT id, name FROM people LEFT JOIN (SELECT DISTINCT name FROM teams) ON name = team",
        "SELECT n FROM people LEFT JOIN (SELECT name, sum(size) n FROM teams GROUP BY 1 HAVING n > 1) ON name = team",
    ],
)
def test_rows_are_neither_added_nor_in_doubt(query: str) -> None:
    found = slots(query)
    assert not found.has_phantoms
    assert is_false(found.doubt)
    assert set(found.marks) == {found.columns[-1]}


@pytest.mark.parametrize(
    "right",
    [
        "(SELECT name, city FROM teams GROUP BY name, city)",
        "(SELECT name, max(size) AS top FROM teams GROUP BY name UNION ALL SELECT name, 1 FROM teams)",
        "(SELECT name, x FROM (SELECT name FROM teams GROUP BY name) LATERAL VIEW explode(array(1, 2)) e AS x)",
        "(SELECT a.name FROM (SELECT DISTINCT name FROM teams) AS a LEFT JOIN teams AS b ON b.size > 1)",
    ],
)
def test_groups_that_are_joined_by_less_than_their_keys_can_be_found_twice(right: str) -> None:
    assert slots(f"SELECT id, name FROM people LEFT JOIN {right} ON name = team").has_phantoms
