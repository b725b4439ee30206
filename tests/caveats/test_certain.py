"""Queries over doubtful tables whose results must have no mark, and nothing missing."""

from __future__ import annotations

import pytest

from tests.caveats.cases import Case
from tests.caveats.worlds import Slot, Table
from trailbook.algebra.bind import bind
from trailbook.model.artifacts import Column

YES, NO = True, False


def ints(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name=name, type="int") for name in names)


PARTS = Table(
    "parts",
    ints("id", "kind", "price"),
    (
        Slot((1, 1, 10), (NO, NO, NO)),
        Slot((2, 1, 20), (NO, NO, YES)),
        Slot((3, 2, None), (NO, NO, NO), row=True),
        Slot((4, 2, 40), (NO, NO, NO)),
        Slot((5, 3, 5), (NO, NO, NO)),
    ),
)
"""One price is in doubt, and whether part 3 is there at all."""
KINDS = Table("kinds", ints("kind", "size"), (Slot((1, 7), (NO, NO)), Slot((2, 8), (NO, NO)), Slot((3, 9), (NO, YES))))

QUERIES = [
    "SELECT id, kind FROM parts WHERE id <> 3",
    "SELECT id FROM parts WHERE kind = 1",
    "SELECT id FROM parts WHERE kind = 1 OR (kind = 3 AND price = 5)",
    "SELECT id FROM parts WHERE kind = 1 AND (id > 0 OR price > 15)",
    "SELECT id FROM parts WHERE kind = 9 AND price > 15",
    "SELECT id, CASE WHEN kind = 1 THEN id ELSE price END AS x FROM parts WHERE id <> 3",
    "SELECT coalesce(id, price) AS x FROM parts WHERE kind = 1",
    "SELECT kind FROM parts GROUP BY kind",
    "SELECT DISTINCT kind FROM parts",
    "SELECT kind, count(price) AS n FROM parts WHERE kind = 2 GROUP BY kind",
    "SELECT kind, max(id) AS last FROM parts GROUP BY kind",
    "SELECT max(id) AS last, min(kind) AS first FROM parts",
    "SELECT sum(price) FILTER (WHERE kind = 3) AS total FROM parts",
    "SELECT sum(price) AS total FROM parts WHERE kind = 2",
    "SELECT kind, sum(id) AS total FROM parts WHERE kind <> 2 GROUP BY ROLLUP (kind)",
    "SELECT kind FROM kinds WHERE EXISTS (SELECT 1 FROM parts WHERE parts.kind = kinds.kind)",
    "SELECT kind FROM kinds WHERE kind IN (SELECT kind FROM parts)",
    "SELECT kind FROM kinds WHERE kind NOT IN (SELECT kind FROM parts WHERE id <> 3)",
    "SELECT parts.id, size FROM parts JOIN kinds USING (kind) WHERE kind = 1",
    "SELECT parts.id, size FROM parts LEFT JOIN kinds USING (kind) WHERE kind = 1",
    "SELECT kind FROM kinds INTERSECT SELECT kind FROM parts",
    "SELECT kind FROM kinds EXCEPT SELECT kind FROM parts",
    "SELECT id FROM parts WHERE kind = 1 UNION ALL SELECT kind FROM kinds",
    "SELECT id, rank() OVER (PARTITION BY kind ORDER BY id) AS place FROM parts WHERE kind <> 2",
    "SELECT id FROM parts ORDER BY id LIMIT 2",
    "SELECT kind FROM kinds LIMIT 3",
    "SELECT id FROM parts WHERE kind = 1 ORDER BY price",
    "SELECT (SELECT max(kind) FROM kinds) AS most",
    "SELECT id, has_caveat(price) AS doubtful FROM parts WHERE kind = 1",
    "SELECT id, x FROM parts LATERAL VIEW explode(array(id, kind)) AS x WHERE kind = 1",
    "SELECT caveat_if(id, id > 100, 'too large') AS id FROM parts WHERE kind = 1",
    "SELECT id / 2 AS half FROM parts WHERE kind = 1",
]


@pytest.mark.parametrize("query", QUERIES)
def test_what_no_doubt_can_reach_has_no_mark(query: str) -> None:
    case = Case((PARTS, KINDS), bind(query, {"parts": PARTS.scan, "kinds": KINDS.scan}))
    assert [slot for slot in case.slots() if slot.phantom or slot.row or any(slot.marks)] == []


@pytest.mark.parametrize(
    "query",
    [
        "SELECT price FROM parts WHERE id = 2",
        "SELECT id FROM parts WHERE id = 3",
        "SELECT id FROM parts WHERE price > 30",
        "SELECT kind, count(*) AS n FROM parts GROUP BY kind",
        "SELECT sum(price) AS total FROM parts",
        "SELECT price, count(*) AS n FROM parts GROUP BY price",
        "SELECT size FROM kinds WHERE NOT EXISTS (SELECT 1 FROM parts WHERE parts.price = kinds.size)",
        "SELECT id FROM parts LIMIT 2",
        "SELECT id FROM parts ORDER BY kind LIMIT 1",
        "SELECT rand() AS x",
        "SELECT caveat(id, 'typed by hand') AS id FROM parts WHERE id = 1",
        "SELECT id / (kind - 1) AS x FROM parts WHERE id = 1",
    ],
)
def test_what_a_doubt_reaches_has_a_mark(query: str) -> None:
    case = Case((PARTS, KINDS), bind(query, {"parts": PARTS.scan, "kinds": KINDS.scan}))
    assert [slot for slot in case.slots() if slot.phantom or slot.row or any(slot.marks)]


def test_columns_named_like_hidden_ones_are_left_alone() -> None:
    inner = "SELECT kind AS __m1, price AS __m2 FROM parts WHERE price > 5"
    query = f"SELECT __m1, sum(__m2) AS __m3 FROM ({inner}) GROUP BY __m1"
    case = Case((PARTS, KINDS), bind(query, {"parts": PARTS.scan, "kinds": KINDS.scan}))
    assert [slot.values for slot in case.slots() if not slot.phantom] == [(1, 30), (2, 40)]
