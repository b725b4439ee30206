"""Votes are those of the texts one by one, however they are counted, split up and put together again."""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from trailbook.lenses.types.ballots import ballot_of
from trailbook.lenses.types.counting import FEW, counted
from trailbook.lenses.types.formats import COMMA, PLAIN
from trailbook.lenses.types.votes import MOST_SAMPLES, Extent, Votes

NUMBERS = st.one_of(
    st.integers(-(10**20), 10**20).map(str),
    st.integers(10**63, 10**66).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map("{:.17g}".format),
    st.decimals(-5000, 5000, places=18).map("{:f}".format),
    st.decimals(-5000, 5000, places=2).map(str),
    st.decimals(-5000, 5000, places=3).map(str),
    st.integers(0, 9_999_999).map("{:,}".format),
)
DATES = st.dates().map(str) | st.sampled_from(
    ["0000-01-01", "0000-01-01 10:00:00", "2026-03-31 24:00:00", "2026-03-31T10:00Z"]
)
OTHERS = st.one_of(
    DATES,
    st.datetimes().map(str),
    st.sampled_from(["", " ", ".", "N/A", "yes", "no", "0", "1", "-999", "007", "0x1F", "-0", "1e5", "nan", "-inf"]),
    st.sampled_from(
        ["31.3.2026", "3/4/2026", "12 %", "$5", "€6", "12O", "1e400", "1e-400", "+5", ".5", "5.", "2026-03", "10:00"]
    ),
    st.text(max_size=12),
)
KINDS = (NUMBERS, NUMBERS | OTHERS, st.dates().map(str), DATES)
COLUMNS = st.one_of(*(st.lists(st.none() | kind, max_size=40) for kind in KINDS))


def _votes(texts: list[str | None]) -> Votes:
    return counted(pa.array(texts, pa.string()))


def _sizes(extent: Extent | None) -> tuple[object, ...] | None:
    """What is known exactly; among numbers with decimals, whole ones may be rounded."""
    return None if extent is None else (extent.digits, extent.fewest_places, extent.most_places, extent.exceeds_doubles)


@given(COLUMNS)
def test_ballots_are_counted_as_if_each_text_were_looked_at(texts: list[str | None]) -> None:
    votes = _votes(texts)
    assert votes.counts == Counter(ballot_of(text) for text in texts if text is not None)
    assert votes.nulls == texts.count(None)


@given(COLUMNS, COLUMNS)
def test_votes_of_parts_add_up_to_those_of_the_whole(some: list[str | None], others: list[str | None]) -> None:
    parts, whole = _votes(some) | _votes(others), _votes(some + others)
    assert (parts.nulls, parts.counts, parts.watched) == (whole.nulls, whole.counts, whole.watched)
    for name in (PLAIN, COMMA):
        assert _sizes(parts.extents.get(name)) == _sizes(whole.extents.get(name))


@given(COLUMNS)
def test_votes_survive_a_journey(texts: list[str | None]) -> None:
    votes = _votes(texts)
    assert Votes.of_json(json.loads(json.dumps(votes.as_json()))) == votes


@given(COLUMNS)
def test_many_texts_are_counted_as_few_are(texts: list[str | None]) -> None:
    times = FEW // len(texts) + 1 if texts else 1
    one, many = _votes(texts), _votes(texts * times)
    assert many.counts == {ballot: number * times for ballot, number in one.counts.items()}
    assert many.watched == {text: number * times for text, number in one.watched.items()}


def test_votes_are_small_whatever_the_column() -> None:
    votes = _votes([f"row {number}: {'x' * number}" for number in range(1000)])
    assert sum(map(len, votes.samples.values())) == MOST_SAMPLES
    assert len(json.dumps(votes.as_json())) < 2000


def test_codes_set_no_bounds() -> None:
    extent = _votes(["12", "-999", "40"]).extents["1234.5"]
    assert (extent.low, extent.high) == (Decimal(12), Decimal(40))


def test_texts_in_several_arrays_are_one_column() -> None:
    assert counted(pa.chunked_array([["1", "x"], ["2"], []], pa.string())).values == 3
