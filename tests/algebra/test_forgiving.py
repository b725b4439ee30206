from __future__ import annotations

import pytest
from sqlglot import exp

from trailbook.algebra.dialect import READER
from trailbook.algebra.forgiving import forgiven
from trailbook.algebra.print_expression import sql_of
from trailbook.engine.engine import Engine

GOOD_AND_BAD = [
    ("to_date('2020-02-29')", "to_date('2021-02-29')"),
    ("to_date('29.02.2020', 'dd.MM.yyyy')", "to_date('x', 'dd.MM.yyyy')"),
    ("to_timestamp('2020-02-29 10:11:12')", "to_timestamp('x')"),
    ("to_timestamp_ltz('2020', 'yyyy')", "to_timestamp_ltz('x')"),
    ("to_timestamp_ntz('2020-02-29 10:11:12')", "to_timestamp_ntz('x')"),
    ("to_timestamp_ntz('10:11 2020', 'HH:mm yyyy')", "to_timestamp_ntz('x', 'yyyy')"),
    ("unix_timestamp('2020-02-29 10:11:12')", "unix_timestamp('2020-02-29')"),
    ("unix_timestamp(DATE'2020-02-29')", "unix_timestamp('x', 'yyyy')"),
    ("to_unix_timestamp('2020', 'yyyy')", "to_unix_timestamp('x')"),
    ("make_date(2020, 2, 29)", "make_date(2021, 2, 29)"),
    ("make_timestamp(2020, 2, 29, 10, 11, 12.5)", "make_timestamp(2020, 13, 29, 10, 11, 12.5)"),
    ("to_number('12.5', '99.9')", "to_number('x', '99.9')"),
    ("to_binary('1f', 'hex')", "to_binary('zz', 'hex')"),
    ("parse_url('http://a/b', 'HOST')", "parse_url('::', 'HOST')"),
    ("url_decode('%20')", "url_decode('%')"),
    ("element_at(array(1, 2), -1)", "element_at(array(1), 5)"),
    ("mod(7, 4)", "mod(7, 0)"),
]


def parsed(text: str) -> exp.Anonymous:
    (select,) = READER.parse(f"SELECT {text}")
    assert select is not None
    call = select.expressions[0]
    assert isinstance(call, exp.Anonymous)
    return call


def forgiving_text(text: str) -> str:
    form = forgiven(parsed(text))
    assert form is not None, text
    return sql_of(form)


def test_a_forgiving_form_gives_the_same_or_null(engine: Engine) -> None:
    same = [f"{good} <=> {forgiving_text(good)}" for good, _ in GOOD_AND_BAD]
    null = [f"{forgiving_text(bad)} IS NULL" for _, bad in GOOD_AND_BAD]
    with engine.session() as spark:
        (row,) = spark.sql(f"SELECT {', '.join(same + null)}").collect()
    assert [text for text, holds in zip(same + null, row, strict=True) if not holds] == []


def test_a_time_that_the_clocks_of_the_session_leave_out_is_read_as_it_is(engine: Engine) -> None:
    text = forgiving_text("to_timestamp_ntz('2026-03-29 02:30', 'yyyy-MM-dd HH:mm')")
    with engine.session() as spark:
        spark.sql("SET TIME ZONE 'Europe/Zurich'")
        (row,) = spark.sql(f"SELECT CAST({text} AS string)").collect()
    assert row[0] == "2026-03-29 02:30:00"


@pytest.mark.parametrize("text", ["upper('x')", "unix_timestamp()", "somebodys_own('x')"])
def test_other_calls_have_none(text: str) -> None:
    assert forgiven(parsed(text)) is None
