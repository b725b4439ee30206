"""Which queries give the same rows each time."""

from __future__ import annotations

import pytest

from trailbook.model.notebook import Spec
from trailbook.store.recompute import repeatable


def of_query(query: str) -> Spec:
    return Spec(kind="sql", parameters={"query": query, "name": "result"})


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM sales",
        "SELECT Upper(item) AS item, `round` (price, 2) FROM sales WHERE (n > 1 OR item IN ('a', 'b'))",
        "SELECT item, count(*), max(n) FROM (SELECT DISTINCT item, n FROM sales) GROUP BY item HAVING count(*) > 1",
        "WITH t AS (SELECT id FROM range(10)) SELECT s.*, rank() OVER (ORDER BY b) FROM s JOIN t USING (id)",
    ],
)
def test_a_query_of_known_functions_is_repeatable(query: str) -> None:
    assert repeatable(of_query(query))


@pytest.mark.parametrize(
    "query",
    [
        "SELECT rand()",
        "SELECT RAND /* why not */ ()",
        "SELECT rand--\n()",
        "SELECT '--', `uuid`()",
        "SELECT monotonically_increasing_id() FROM sales",
        "SELECT current_date",
        "SELECT DATE'today'",
        "SELECT CAST('12:30' AS TIMESTAMP)",
        "SELECT user",
        "SELECT aes_encrypt(item, 'key') FROM sales",
        "SELECT reflect('java.lang.System', 'nanoTime')",
        "SELECT * FROM sales TABLESAMPLE (10 PERCENT)",
        "SELECT * FROM sales WHERE id IN (SELECT id FROM other LIMIT 3)",
        "SELECT * FROM sales OFFSET 3",
        "SELECT sum(price) FROM sales",
        "SELECT mode(item), max_by(item, n), percentile_approx(n, 0.5) FROM sales",
        "SELECT lag(item) OVER (ORDER BY day) FROM sales",
        "SELECT max(n) OVER (ORDER BY day ROWS 3 PRECEDING) FROM sales",
        "SELECT a_function_of_a_later_spark(n) FROM sales",
    ],
)
def test_a_query_that_may_come_out_differently_is_not(query: str) -> None:
    assert not repeatable(of_query(query))


def test_only_stored_files_can_be_loaded_again_and_code_is_never_repeatable() -> None:
    assert repeatable(Spec(kind="load", parameters={"file": "0" * 64}))
    assert not repeatable(Spec(kind="load", parameters={"path": "/a.csv"}))
    assert not repeatable(Spec(kind="python", parameters={"code": "1"}))
