"""Whole queries, some written by hand and some at random: Spark says what is right."""

from __future__ import annotations

from random import Random

from tests.algebra.interpreter.test_expressions_against_spark import ROWS, TABLE, expressions
from tests.support.random_plans import SCANS, random_plan, random_tables
from tests.support.spark_answers import comparable, spark_answers, tiny_session
from trailbook.algebra.bind import bind
from trailbook.algebra.interpreter import interpret
from trailbook.algebra.spark_sql import to_sql
from trailbook.engine.engine import Engine

PLANS = 25
"""In one job, and two jobs: a fixed seed and a fresh one."""


def test_queries_have_the_rows_that_they_have_in_spark(engine: Engine) -> None:
    queries = expressions("queries")
    with tiny_session(engine, [TABLE], {"t": ROWS}) as session:
        answers = spark_answers(session, queries)
    ours = [comparable(interpret(bind(query, {"t": TABLE}), {"t": ROWS})) for query in queries]
    assert dict(zip(queries, ours, strict=True)) == dict(zip(queries, answers, strict=True))


def test_random_plans_have_the_rows_that_they_have_in_spark(engine: Engine) -> None:
    for seed in (1, 2):
        random = Random(seed)
        tables = random_tables(random, SCANS)
        plans = [random_plan(random, SCANS, 3) for _ in range(PLANS)]
        queries = [to_sql(plan) for plan in plans]
        with tiny_session(engine, SCANS, tables) as session:
            answers = spark_answers(session, queries)
        for plan, query, answer in zip(plans, queries, answers, strict=True):
            assert comparable(interpret(plan, tables)) == answer, f"seed {seed}, tables {tables}, query\n{query}"
