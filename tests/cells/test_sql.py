"""A SQL cell can do nothing but query the datasets it names, and all that it reads is recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cells.conftest import Desk
from trailbook.errors import CellCancelled, CellFailed

BEYOND_THE_PARSER = "SELECT x FROM Sales UNION ALL TABLE sales;"
LONG_QUERY = "SELECT sum(a.id * b.id % 7) AS x FROM range(1000000) a CROSS JOIN range(1000000) b"


@pytest.mark.parametrize(
    "query",
    [
        "FROM VALUES (1) AS t(a) INSERT OVERWRITE DIRECTORY '{}' USING csv SELECT a",
        "WITH t AS (SELECT 1 AS a) INSERT OVERWRITE DIRECTORY '{}' USING csv SELECT a FROM t",
        "SELECT 1) ; INSERT OVERWRITE DIRECTORY '{}' USING csv SELECT (1",
        "BEGIN INSERT OVERWRITE DIRECTORY '{}' USING csv SELECT 1; END",
        "SELECT TRANSFORM(a) USING 'touch {}' AS (x) FROM VALUES (1) AS t(a)",
        "FROM VALUES (1) AS t(a) MAP a USING/* */'touch {}'",
        'FROM VALUES (1) AS t(a) REDUCE a USING "touch {}" AS (x)',
        "SELECT IDENTIFIER('reflect')('java.nio.file.Files', 'createFile', '{}')",
        "EXECUTE IMMEDIATE 'INSERT OVERWRITE DIRECTORY \"{}\" USING csv SELECT 1'",
    ],
)
def test_nothing_but_a_query_passes(desk: Desk, tmp_path: Path, query: str) -> None:
    target = tmp_path / "written"
    with pytest.raises(CellFailed):
        desk.run(desk.context(), "sql", query=query.format(target))
    assert not target.exists()


@pytest.mark.parametrize(
    "table",
    ["csv.`{}`", "`csv`.`{}`", "`csv.{}`", "IDENTIFIER('csv.`{}`')", "read_files('{}')", "text.`{}` UNION TABLE none"],
)
def test_files_are_not_tables(desk: Desk, tmp_path: Path, table: str) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("secret\n")
    with pytest.raises(CellFailed):
        desk.run(desk.context(), "sql", query=f"SELECT * FROM {table.format(secret)}")


def test_tables_of_sparks_catalog_are_not_read(desk: Desk) -> None:
    context = desk.context()
    with context.session() as session:
        session.range(1).createOrReplaceGlobalTempView("shared")
    for query in ("SELECT * FROM global_temp.shared", "SELECT * FROM IDENTIFIER('global_temp' || '.shared')"):
        with pytest.raises(CellFailed):
            desk.run(context, "sql", query=query)


def test_variables_are_not_put_into_the_text(desk: Desk) -> None:
    context = desk.context()
    desk.run(context, "sql", query="SELECT '${env:PATH}' AS x")
    assert desk.rows(context, "result") == [{"x": "${env:PATH}"}]


def test_names_are_read_whatever_their_case(desk: Desk) -> None:
    sales = desk.dataset(x=[1])
    context = desk.context(Sales=sales)
    desk.run(context, "sql", query="WITH T AS (SELECT x FROM SALES) SELECT t.x FROM t JOIN sales USING (x); -- done")
    assert desk.rows(context, "result") == [{"x": 1}]
    found = {"caseless:SALES": "Sales", "caseless:sales": "Sales", "Sales": sales}
    assert context.reads == {"SALES": None, "sales": None, **found}


def test_two_datasets_whose_names_differ_in_case_only_are_not_mixed_up(desk: Desk) -> None:
    context = desk.context(sales=desk.dataset(x=[1]), Sales=desk.dataset(x=[2]))
    with pytest.raises(CellFailed, match="sales is two datasets"):
        desk.run(context, "sql", query="SELECT a.x FROM sales a CROSS JOIN Sales b")
    desk.run(context, "sql", query="SELECT x FROM Sales")
    assert desk.rows(context, "result") == [{"x": 2}]


def test_reads_are_known_even_where_the_text_is_beyond_the_parser(desk: Desk) -> None:
    sales, other = desk.dataset(x=[1]), desk.dataset(x=[2])
    context = desk.context(sales=sales, other=other)
    desk.run(context, "sql", query=BEYOND_THE_PARSER)
    assert desk.rows(context, "result") == [{"x": 1}, {"x": 1}]
    assert context.reads["sales"] == sales
    assert context.reads["caseless:Sales"] == "sales"


def test_a_name_found_absent_is_a_read_even_where_the_text_is_beyond_the_parser(desk: Desk) -> None:
    context = desk.context()
    with pytest.raises(CellFailed, match="sales"):
        desk.run(context, "sql", query=BEYOND_THE_PARSER.lower())
    assert context.reads["sales"] is None


def test_a_cell_that_is_cancelled_between_two_queries_does_not_run_the_next(desk: Desk) -> None:
    context = desk.context()

    def run() -> None:
        with context.session() as session:
            session.sql("SELECT 1").collect()
            context.cancel()
            session.sql(LONG_QUERY).collect()

    with pytest.raises(CellCancelled):
        run()


def test_cancelling_a_cell_whose_session_is_gone_is_no_error(desk: Desk) -> None:
    context = desk.context()
    with context.session() as session:
        session.stop()
        context.cancel()


SYNTAX = [
    ("SELECT id FORM sales", "Syntax error at or near 'sales'", 1, 16),
    ("SELECT id\nFROM sales\nWHERE id = = 1", "Syntax error at or near '='", 3, 12),
    ("SELECT id,, x FROM sales", "Syntax error at or near ','", 1, 11),
    ("SELECT id FROM sales JOIN", "Syntax error at the end of the query: something is missing.", 1, 26),
    ("SELECT id FROM sales\nWHERE id BETWEEN 1 ;", "Syntax error at the end of the query", 2, 19),
    ("SELECT id,\n  CAST(id AS inttt) AS n FROM sales", 'Unsupported data type "INTTT"', 2, 14),
    ("SELECT caveat(id, 'm') AS x, CAST(id AS inttt) AS n FROM sales", 'Unsupported data type "INTTT"', 1, 41),
    ("SELECT id FROM sales LIMIT z", "A column, variable, or function parameter with name `z`", 1, 28),
    ("SELECT id,\n upper(id, 2) AS u FROM sales", "The `upper` requires 1 parameters but the actual number is 2", 2, 2),
    ("SELECT id FROM sales, seals", "There is no dataset seals", 1, 23),
]


@pytest.mark.parametrize(("query", "message", "line", "column"), SYNTAX, ids=[case[0] for case in SYNTAX])
def test_what_spark_finds_wrong_is_shown_where_it_stands(
    desk: Desk, query: str, message: str, line: int, column: int
) -> None:
    with pytest.raises(CellFailed) as caught:
        desk.run(desk.context(sales=desk.dataset(id=[1])), "sql", query=query)
    assert caught.value.message.startswith(message)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(("part", "line", "column"), [("id\n * 2", 1, 8), ("id * 2L", None, None)])
def test_an_error_that_comes_up_late_points_at_the_text_and_never_into_sql_of_ours(
    desk: Desk, part: str, line: int | None, column: int | None
) -> None:
    with pytest.raises(CellFailed, match="overflow") as caught:
        desk.run(desk.context(sales=desk.dataset(id=[2**62])), "sql", query=f"SELECT {part} AS n FROM sales")
    assert (caught.value.line, caught.value.column) == (line, column)
