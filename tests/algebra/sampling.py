"""Random expressions over a table with a column of each type."""

from __future__ import annotations

from random import Random

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

LITERALS = [
    "1",
    "-1",
    "1.5",
    "0.05",
    "1e3",
    "5000000000",
    "'x'",
    "'2020-01-01'",
    "TRUE",
    "NULL",
    "123456789012345678901234567890",
]
TYPES = [
    *("tinyint", "smallint", "int", "bigint", "float", "double", "decimal(10,2)", "decimal(38,18)", "decimal(3,0)"),
    *("string", "boolean", "date", "timestamp", "timestamp_ntz", "array<bigint>", "map<string,string>"),
    *("struct<p:bigint,q:string>", "interval day to second", "decimal", "binary"),
]
FORMS = [
    *(
        f"({{}} {operator} {{}})"
        for operator in [
            "+",
            "-",
            "*",
            "/",
            "%",
            "div",
            "+",
            "-",
            "*",
            "/",
            "&",
            "|",
            "^",
            "||",
            "=",
            "<",
            ">=",
            "<>",
            "<=>",
            "AND",
            "OR",
        ]
    ),
    *("(- {})", "(~ {})", "(NOT {})", "({} IS NULL)", "({} IN ({}, {}))", "({} LIKE 'a%')", "({} BETWEEN {} AND {})"),
    *("CASE WHEN {} THEN {} ELSE {} END", "CASE WHEN flag THEN {} WHEN flag_or_null THEN {} ELSE {} END"),
    *("CASE WHEN flag THEN {} END", "CASE {} WHEN {} THEN {} ELSE 1 END"),
    *("{}[0]", "{}['a']", "({}).x", "extract(year FROM {})", "extract(second FROM {})", "trim({})"),
    *("transform({}, x -> x)", "transform({}, x -> x + {})", "filter({}, x -> x > 1)", "exists({}, x -> x = 1)"),
    *("aggregate({}, {}, (total, x) -> total)", "transform_values({}, (k, v) -> {})", "forall({}, x -> TRUE)"),
    *("aggregate({}, 0, (total, x) -> total + 1, total -> {})", "zip_with({}, {}, (x, y) -> struct(x, y))"),
    *("named_struct('a', {}, 'b', {})", "map({}, {})", "array({}, {})", "coalesce({}, {})", "coalesce({}, {}, {})"),
    *("INTERVAL 3 DAYS + {}", "INTERVAL '2' MONTH + {}", "{} - INTERVAL 1 WEEK", "{} + INTERVAL '1 02' DAY TO HOUR"),
]
"""What an expression is made of, each gap another expression."""


def random_expression(random: Random, forms: list[str], depth: int) -> str:
    """An expression in SQL, often one that Spark refuses."""
    if depth == 0 or random.random() < 0.2:
        return _leaf(random)
    form = random.choice([*forms, *(f"{cast}({{}} AS {kind})" for cast in ("CAST", "try_cast") for kind in TYPES[:3])])
    if random.random() < 0.15:
        form = f"{random.choice(['CAST', 'CAST', 'try_cast'])}({{}} AS {random.choice(TYPES)})"
    parts = form.split("{}")
    filled = parts[0]
    for part in parts[1:]:
        filled += random_expression(random, forms, depth - 1) + part
    return filled


def _leaf(random: Random) -> str:
    if random.random() < 0.2:
        return random.choice(LITERALS)
    return random.choice(list(COLUMNS)) + random.choice(["", "", "_or_null"])
