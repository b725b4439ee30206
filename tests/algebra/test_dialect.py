"""SQL is read with Spark's precedences, and its functions keep their names."""

from __future__ import annotations

import pytest
from sqlglot import exp

from trailbook.algebra.dialect import READER, SPAN

FUNCTIONS = """
    any array count current_date date_add date_trunc exists first left log map named_struct nvl sequence sha2 size some
    split struct to_date transform trunc unix_timestamp year
"""


def read(expression: str) -> exp.Expr:
    statement = READER.parse(f"SELECT {expression}")[0]
    assert isinstance(statement, exp.Select)
    found: exp.Expr = statement.expressions[0]
    return found


@pytest.mark.parametrize(
    ("expression", "grouped"),
    [
        ("a | b & c", "a | (b & c)"),
        ("a ^ b & c | d", "(a ^ (b & c)) | d"),
        ("a || b + c", "(a || b) + c"),
        ("a = b < c", "(a = b) < c"),
        ("a = b IN (TRUE)", "(a = b) IN (TRUE)"),
        ("a = b IS NULL", "(a = b) IS NULL"),
        ("NOT a = b", "NOT (a = b)"),
        ("a << b + c", "a << (b + c)"),
        ("a & b << c", "a & (b << c)"),
        ("-a * b", "(-a) * b"),
    ],
)
def test_operators_bind_as_in_spark(expression: str, grouped: str) -> None:
    assert without_parentheses(read(expression)) == without_parentheses(read(grouped))


def without_parentheses(node: exp.Expr) -> exp.Expr:
    for parentheses in list(node.find_all(exp.Paren)):
        parentheses.replace(parentheses.this)
    return node


@pytest.mark.parametrize("name", FUNCTIONS.split())
def test_a_function_keeps_its_name(name: str) -> None:
    call = read(f"{name}(a, b)")
    assert isinstance(call, exp.Anonymous)
    assert (call.name, len(call.expressions)) == (name, 2)


def test_words_between_arguments_are_commas() -> None:
    assert read("substring(a FROM 1 FOR 2)") == read("substring(a, 1, 2)")
    assert read("overlay(a PLACING b FROM 1)") == read("overlay(a, b, 1)")
    assert read("position(a IN b)") == read("locate(a, b)")


@pytest.mark.parametrize(
    ("literal", "value"),
    [("'it''s'", "it's"), (r"'it\'s'", "it's"), ("\"a''b\"", "a''b"), (r"'a\nb'", "a\nb"), (r"'a\%b'", r"a\%b")],
)
def test_text_is_what_it_is_in_spark(literal: str, value: str) -> None:
    assert read(literal) == exp.Literal.string(value)


def test_a_query_knows_its_place_in_the_text() -> None:
    text = "SELECT * FROM (WITH q AS (SELECT 1) SELECT * FROM q) AS x"
    outer = READER.parse(text)[0]
    assert outer is not None
    spans = [text[slice(*query.meta[SPAN])] for query in outer.find_all(exp.Select) if SPAN in query.meta]
    assert spans == [text, "WITH q AS (SELECT 1) SELECT * FROM q", "SELECT 1"]
