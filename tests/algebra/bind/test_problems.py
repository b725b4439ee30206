"""What is wrong with a query is said with its place in the text and with what would have worked."""

from __future__ import annotations

import pytest

from tests.algebra.bind.tables import SCOPE
from trailbook.algebra.bind import bind
from trailbook.errors import CellFailed

CASES = [
    ("SELECT amuont\nFROM v", "There is no column amuont here. Did you mean amount? Known: amount, day.", 1, 8),
    ("SELECT day,\n  v.amuont FROM v", "There is no column v.amuont here. Did you mean v.amount?", 2, 5),
    ("SELECT q.day FROM v", "There is no table or column q here. Known: amount, day, v.", 1, 10),
    ("SELECT 1 FROM tt", "There is no dataset tt here. Did you mean t? Known: t, u, v, w.", 1, 15),
    ("SELECT a FROM u, w", "a is more than one column here. Write u.a or w.a.", 1, 8),
    ("SELECT day, day FROM v", "Two columns are called day. Give one of them another name with AS.", 1, 13),
    ("SELECT day, Day AS DAY FROM v", "Two columns are called DAY.", 1, 20),
    ("SELECT *, a FROM u", "Two columns are called a.", 1, 11),
    ("SELECT * FROM u, u AS x", "Two columns are called a.", None, None),
    ("SELECT day, sum(amount) FROM v", "day is neither in GROUP BY nor inside an aggregate", 1, 8),
    ("SELECT day FROM v ORDER BY 2", "There is no column 2 here; there are 1.", 1, 28),
    ("SELECT day FROM v GROUP BY 7", "There is no column 7 here; there are 1.", 1, 28),
    ("SELECT DISTINCT day FROM v ORDER BY amount", "With DISTINCT, ORDER BY can only use columns", 1, 37),
    ("SELECT day FROM v UNION SELECT a, z FROM u", "The queries of UNION have 1 and 2 columns.", 1, 32),
    ("SELECT day FROM v LIMIT -1", "LIMIT and OFFSET can't be negative.", 1, 26),
    ("SELECT sum(a) OVER q FROM u", "There is no window q here.", 1, 20),
    ("SELECT * EXCEPT (x) FROM u", "There is no column x here. Known: a, z.", 1, 18),
    ("SELECT * FROM u JOIN v USING (a)", "There is no column a on the right of USING. Known: amount, day.", 1, 31),
    ("SELECT * FROM u AS x(p)", "1 names for 2 columns: p.", 1, 15),
    ("SELECT a FROM u WHERE a IN (SELECT a, z FROM u)", "This subquery has 2 columns; 1 is wanted here.", 1, 36),
    ("SELECT * FROM VALUES (1), (2, 3)", "The rows of VALUES have different lengths.", 1, 23),
    ("SELECT explode(xs), explode(xs) AS y FROM t", "A SELECT list has one generator such as explode.", 1, 21),
    ("SELECT caveat(a) FROM u", "caveat can't be called with 1 argument: caveat(value, message[, id]).", 1, 8),
    ("SELECT caveat_if(a, 'x') FROM u", "caveat_if can't be called with 2 arguments: caveat_if(value, condition", 1, 8),
    ("SELECT a,\n has_caveat() FROM u", "has_caveat can't be called with no arguments: has_caveat(value).", 2, 2),
    ("SELECT has_caveat(a, 3) FROM u", "has_caveat can't be called with 2 arguments", 1, 8),
    ("SELECT has_caveat(*) FROM u", "has_caveat is about one value, and * is more. Write has_caveat(value).", 1, 8),
    ("SELECT 'no end", "What begins here has no end: ' is missing.", 1, 8),
    ("SELECT 1,\n `no end", "What begins here has no end: ` is missing.", 2, 2),
    ("SELECT 1\n/* no end", "What begins here has no end: */ is missing.", 2, 1),
    ("SELECT 1;\n  SELECT 2", "There can be one query here, and there are 2.", 2, 3),
    ("\n SELECT", "SELECT alone is no query.", 2, 2),
    ("SELECT a,\n sum(1 + sum(z)) FROM u GROUP BY a", "sum is inside another aggregate.", 2, 10),
    ("SELECT sum(max(a)) OVER (), sum(max(min(a))) OVER () FROM u", "min is inside another aggregate.", 1, 37),
    ("SELECT max(count(*)) FROM u", "count is inside another aggregate.", 1, 12),
    ("SELECT caveat_if(a, z, 'x') FROM u", "The condition of caveat_if is of type int;", 1, 21),
    ("SELECT caveat_if(a, 'y', 'x') FROM u", "The condition of caveat_if is of type string;", 1, 21),
    ("DROP TABLE u", "This is no query: DROP can't be used here.", None, None),
    ("SELECT reflect('a', 'b')", "The function reflect calls Java code", 1, None),
]


@pytest.mark.parametrize(("text", "message", "line", "column"), CASES, ids=[case[0] for case in CASES])
def test_the_message_names_the_offender(text: str, message: str, line: int | None, column: int | None) -> None:
    with pytest.raises(CellFailed) as caught:
        bind(text, {**SCOPE, "v": bind("SELECT z AS amount, a AS day FROM u", SCOPE)})
    assert caught.value.message.startswith(message)
    assert (caught.value.line, caught.value.column) == (line, column)
