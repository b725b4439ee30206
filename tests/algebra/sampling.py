"""Expressions for tests: random ones over a table with a column of each type, and values at the ends of each type."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import TYPE_CHECKING

from pyspark.errors import PySparkException
from sqlglot import exp

from trailbook.algebra.dialect import READER
from trailbook.algebra.expressions import Expr, rewrite

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession
    from pyspark.sql.types import StructField

COLUMNS = {
    "tiny": "CAST(1 AS tinyint)",
    "small": "CAST(1 AS smallint)",
    "whole": "1",
    "big": "CAST(1 AS bigint)",
    "single": "CAST(1 AS float)",
    "real": "CAST(1 AS double)",
    "price": "1234.56",
    "wide": "CAST(1 AS decimal(38,10))",
    "long": "CAST(1 AS decimal(20,0))",
    "flag": "true",
    "word": "'1'",
    "bytes": "X'01'",
    "day": "CAST(TIMESTAMP'2020-01-01' AS date)",
    "moment": "TIMESTAMP'2020-01-01 10:00:00'",
    "local": "TIMESTAMP_NTZ'2020-01-01'",
    "months": "INTERVAL '1-1' YEAR TO MONTH",
    "span": "INTERVAL '1 02:03:04' DAY TO SECOND",
    "days": "INTERVAL '1' DAY",
    "items": "array(1, 2)",
    "words": "array('x')",
    "ages": "map('a', 1)",
    "pair": "named_struct('x', 1, 'y', 'z')",
}
TABLE = "SELECT " + ", ".join(
    f"{value} AS {name}, CASE WHEN rand() < 2 THEN {value} END AS {name}_or_null" for name, value in COLUMNS.items()
)

LITERALS = ["1", "-1", "1.5", "0.05", "1e3", "5000000000", "'x'", "'2020-01-01'", "TRUE", "NULL", "9" * 30]
TYPES = [
    *("tinyint", "smallint", "int", "bigint", "float", "double", "decimal(10,2)", "decimal(38,18)", "decimal(3,0)"),
    *("string", "boolean", "date", "timestamp", "timestamp_ntz", "array<bigint>", "map<string,string>"),
    *("struct<p:bigint,q:string>", "interval day to second", "decimal", "binary"),
]
BINARY = ["+", "-", "*", "/", "%", "div", "&", "|", "^", "||", "=", "<", ">=", "<>", "<=>", "AND", "OR"]
FORMS = [
    *(f"({{}} {operator} {{}})" for operator in BINARY),
    *("(- {})", "(~ {})", "(NOT {})", "({} IS NULL)", "({} IN ({}, {}))", "({} LIKE 'a%')", "({} BETWEEN {} AND {})"),
    *("CASE WHEN {} THEN {} ELSE {} END", "CASE WHEN flag THEN {} WHEN flag_or_null THEN {} ELSE {} END"),
    *("CASE WHEN flag THEN {} END", "CASE {} WHEN {} THEN {} ELSE 1 END"),
    *("{}[0]", "{}['a']", "({}).x", "extract(year FROM {})", "extract(second FROM {})", "trim({})"),
    *("transform({}, x -> x)", "transform({}, x -> x + {})", "filter({}, x -> x > 1)", "exists({}, x -> x = 1)"),
    *("aggregate({}, {}, (total, x) -> total)", "transform_values({}, (k, v) -> {})", "forall({}, x -> TRUE)"),
    *("aggregate({}, 0, (total, x) -> total + 1, total -> {})", "zip_with({}, {}, (x, y) -> named_struct('y', y))"),
    *("named_struct('a', {}, 'b', {})", "map({}, {})", "array({}, {})", "coalesce({}, {})", "coalesce({}, {}, {})"),
    *("INTERVAL 3 DAYS + {}", "INTERVAL '2' MONTH + {}", "{} - INTERVAL 1 WEEK", "{} + INTERVAL '1 02' DAY TO HOUR"),
    *(f"CAST({{}} AS {kind})" for kind in TYPES),
    *("round({}, 1)", "round({}, 4)", "round({}, -3)", "round({})", "bround({}, 2)"),
    *("try_cast({} AS int)", "try_cast({} AS decimal(12,4))"),
]
"""What an expression is made of, each gap another expression."""

ENDS = {
    "string": ["''", "'é x'", "'-1'", "NULL"],
    "binary": ["X''", "X'ff00ff'"],
    "boolean": ["true", "false"],
    "tinyint": ["-128Y", "127Y"],
    "int": ["2147483647", "CAST('-2147483648' AS int)", "0"],
    "bigint": ["9223372036854775807", "CAST('-9223372036854775808' AS bigint)", "CAST(0 AS bigint)"],
    "float": ["float('NaN')", "float('-Infinity')", "CAST(0 AS float)"],
    "double": ["double('NaN')", "double('-Infinity')", "1.7976931348623157E308", "0e0"],
    "decimal(38,0)": ["9" * 38, f"-{'9' * 38}", "CAST(0 AS decimal(38,0))"],
    "decimal(38,10)": [f"CAST('{sign}{'9' * 28}.{'9' * 10}' AS decimal(38,10))" for sign in ("", "-")],
    "decimal(4,2)": ["99.99", "-99.99"],
    "date": ["DATE'0001-01-01'", "DATE'+5881580-07-11'", "DATE'-290000-01-01'"],
    "timestamp": ["TIMESTAMP'0001-01-01'", "TIMESTAMP'+294247-01-10 04:00:54.775807'"],
    "timestamp_ntz": ["TIMESTAMP_NTZ'0001-01-01'", "TIMESTAMP_NTZ'+294247-01-10 04:00:54.775807'"],
    "array<int>": ["CAST(array() AS array<int>)", "array(1, NULL, 2)"],
    "map<string,int>": ["map('a', NULL)", "map('b', 1)"],
}
"""By type, the values that are apt to be too much for a function."""


def random_expression(random: Random, forms: list[str], depth: int) -> str:
    """An expression in SQL, often one that Spark refuses."""
    if depth == 0 or random.random() < 0.2:
        return _leaf(random)
    return filled(random.choice(forms), lambda: random_expression(random, forms, depth - 1))


def _leaf(random: Random) -> str:
    if random.random() < 0.2:
        return random.choice(LITERALS)
    return random.choice(list(COLUMNS)) + random.choice(["", "", "_or_null"])


def filled(form: str, part: Callable[[], str]) -> str:
    first, *others = form.split("{}")
    return first + "".join(part() + other for other in others)


def parsed(text: str) -> Expr:
    """The expression as plans have it."""
    (select,) = READER.parse(f"SELECT {text}")
    assert select is not None
    return rewrite(select.expressions[0], _normal)


def _normal(node: Expr) -> Expr:
    if isinstance(node, exp.TryCast) and not node.args.get("safe"):
        return exp.Cast(this=node.this, to=node.args["to"])
    return node.this if isinstance(node, exp.Paren) else node


def described(spark: SparkSession, texts: Iterable[str], source: str) -> dict[str, StructField]:
    """What Spark says of each expression, without those it refuses."""

    def describe(text: str) -> StructField | None:
        try:
            return spark.sql(f"SELECT {text} AS x FROM {source}").schema.fields[0]
        except PySparkException:
            return None

    texts = list(dict.fromkeys(texts))
    with ThreadPoolExecutor(4) as pool:
        fields = zip(texts, pool.map(describe, texts), strict=True)
        return {text: field for text, field in fields if field}


def failing(spark: SparkSession, texts: Iterable[str], source: str) -> list[str]:
    """The expressions that raise on some row."""
    texts = list(texts)
    try:
        columns = ", ".join(f"max(length(CAST({text} AS string)))" for text in texts)
        spark.sql(f"SELECT {columns} FROM {source}").collect()
    except PySparkException:
        middle = len(texts) // 2
        halves = (texts[:middle], texts[middle:]) if middle else ()
        return [text for half in halves for text in failing(spark, half, source)] if halves else texts
    return []


def ends_of(*kinds: str) -> str:
    """A relation of the columns a, b, c… with all combinations of values at the ends of these types."""
    tables = (
        f"(SELECT CAST(v AS {kind}) AS {name} FROM VALUES {', '.join(f'({end})' for end in ENDS[kind])} AS t(v))"
        for name, kind in zip("abc", kinds, strict=False)
    )
    return " CROSS JOIN ".join(tables) or "(SELECT 1)"
