"""Queries of every form: the tree that each is bound to, and that it gives what Spark gives for the text."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.algebra.bind.tables import ROWS, SCANS, SCOPE
from tests.support.spark_answers import spark_answers, tiny_session
from trailbook.algebra.bind import bind
from trailbook.algebra.plan import Opaque
from trailbook.algebra.show import show
from trailbook.algebra.spark_sql import to_sql
from trailbook.algebra.traversal import bottom_up
from trailbook.engine.engine import Engine

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

TOPICS = sorted((Path(__file__).parent / "cases").glob("*.txt"))
ARROW = "=>\n"


def cases(topic: Path) -> list[tuple[str, str]]:
    """The queries of a file, each with its tree: text, a line with an arrow, tree, an empty line."""
    parts = (part.partition(ARROW) for part in topic.read_text("utf-8").strip().split("\n\n"))
    return [(query.strip(), tree.strip()) for query, _, tree in parts]


@pytest.fixture(scope="module")
def spark(engine: Engine) -> Iterator[SparkSession]:
    with tiny_session(engine, SCANS, ROWS) as session:
        # Broadcasting five rows takes longer than sorting them.
        session.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
        session.conf.set("spark.sql.leafNodeDefaultParallelism", "1")
        yield session


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.stem)
def test_the_tree_is_the_known_one(topic: Path) -> None:
    bound = [(query, show(bind(query, SCOPE))) for query, _ in cases(topic)]
    if os.environ.get("TRAILBOOK_WRITE_PLANS"):
        topic.write_text("\n\n".join(f"{query}\n{ARROW}{tree}" for query, tree in bound) + "\n", "utf-8")
    assert bound == cases(topic)


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.stem)
def test_nothing_is_opaque(topic: Path) -> None:
    for query, _ in cases(topic):
        assert not any(isinstance(operator, Opaque) for operator in bottom_up(bind(query, SCOPE))), query


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.stem)
def test_the_plan_gives_what_the_text_gives(topic: Path, spark: SparkSession) -> None:
    texts = [query for query, _ in cases(topic)]
    plans = [bind(text, SCOPE) for text in texts]
    written = [to_sql(plan) for plan in plans]
    for text, sql, plan in zip(texts, written, plans, strict=True):
        expected = described(spark, text)
        assert (text, described(spark, sql)) == (text, expected)
        assert (text, list(plan.names)) == (text, [name for name, _ in expected])
    expected_rows = spark_answers(spark, texts)
    for text, answer, rows in zip(texts, spark_answers(spark, written), expected_rows, strict=True):
        assert (text, answer) == (text, rows)


def described(spark: SparkSession, text: str) -> list[tuple[str, str]]:
    return [(field.name, field.dataType.simpleString()) for field in spark.sql(text).schema]
