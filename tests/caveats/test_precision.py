"""Marking everything is sound and useless: most marks must be needed."""

from __future__ import annotations

import pytest

from tests.caveats.precision import SHAPES, needed

LEAST = {
    "project": {"values": 0.95, "rows": 0.95},
    "filter": {"values": 0.9, "rows": 0.95},
    "inner join": {"values": 0.5, "rows": 0.9},
    "left join": {"values": 0.87, "rows": 0.87},
    "full join": {"values": 0.85, "rows": 0.75},
    "exists": {"values": 0.7, "rows": 0.9},
    "not exists": {"values": 0.9, "rows": 0.9},
    "sum": {"values": 0.6, "rows": 0.7},
    "count": {"values": 0.6, "rows": 0.7},
    "max": {"values": 0.5, "rows": 0.7},
    "distinct": {"values": 0.9, "rows": 0.7},
    "intersect": {"rows": 0.8},
    "except": {"values": 0.9, "rows": 0.85},
    "intersect all": {"rows": 0.85},
    "except all": {"values": 0.9, "rows": 0.75},
    "window sum": {"values": 0.85, "rows": 0.9},
    "rank": {"values": 0.7, "rows": 0.9},
    "row_number": {"values": 0.8, "rows": 0.9},
    "limit": {"values": 0.9, "rows": 0.7},
}


@pytest.mark.parametrize("name", SHAPES)
def test_most_marks_are_needed(name: str) -> None:
    shares = needed(SHAPES[name])
    assert {kind: share for kind, share in shares.items() if share < LEAST[name].get(kind, 0)} == {}, shares
