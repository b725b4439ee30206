from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tests.algebra.sampling import ENDS, described, ends_of, failing, parsed
from trailbook.algebra.expressions import FALSE, NULL, call, ref
from trailbook.algebra.function_names import OWN_FUNCTIONS, SPARK_FUNCTIONS
from trailbook.algebra.functions import Function, FunctionKind, fits, lookup
from trailbook.algebra.print_expression import sql_of
from trailbook.engine.engine import Engine

EXAMPLE = re.compile(r">\s*SELECT\s+([^;]*);")
SAMPLE = 160
"""Calls that a test tries."""


def functions(kind: FunctionKind) -> list[Function]:
    found = [lookup(name) for name in sorted(SPARK_FUNCTIONS) if name.isidentifier()]
    return [function for function in found if function and function.kind is kind]


@pytest.fixture(scope="module")
def examples(engine: Engine) -> dict[str, exp.Anonymous]:
    """A call of each function, from Spark's own description of it."""
    names = [function.name for function in functions(FunctionKind.SCALAR)]

    def example(name: str) -> exp.Anonymous | None:
        description = "\n".join(row[0] for row in spark.sql(f"DESCRIBE FUNCTION EXTENDED `{name}`").collect())
        return next(_calls(name, EXAMPLE.findall(description)), None)

    with engine.session() as spark, ThreadPoolExecutor(4) as pool:
        found = zip(names, pool.map(example, names), strict=True)
        return {name: call for name, call in found if call}


def _calls(name: str, texts: list[str]) -> Iterator[exp.Anonymous]:
    for text in texts:
        try:
            expr = parsed(text)
        except SqlglotError:
            continue
        if isinstance(expr, exp.Anonymous) and expr.name.lower() == name and not expr.find(exp.Column):
            yield expr


def test_the_registry_has_exactly_the_functions_of_spark(engine: Engine) -> None:
    with engine.session() as spark:
        names = {row[0] for row in spark.sql("SHOW FUNCTIONS").collect()}
    assert names == SPARK_FUNCTIONS


def test_names_are_found_in_any_case_and_unknown_ones_are_not() -> None:
    assert lookup("SUM") is lookup("sum") is not None
    assert lookup("somebodys_own") is None
    assert all(lookup(name) for name in OWN_FUNCTIONS)


def test_strict_functions_give_null_for_null(engine: Engine, examples: dict[str, exp.Anonymous]) -> None:
    """A sample of them, another one each time."""
    strict = [
        function.name for function in functions(FunctionKind.SCALAR) if function.strict and function.name in examples
    ]
    nulls = [sql_of(variant) for name in strict if name in examples for variant in with_null(examples[name])]
    with engine.session() as spark:
        valid = list(described(spark, Random(7).sample(nulls, SAMPLE), "(SELECT 1)"))
        (row,) = spark.sql(f"SELECT {', '.join(f'CAST({text} AS string)' for text in valid)}").collect()
    assert [text for text, value in zip(valid, row, strict=True) if value is not None] == []
    assert len(valid) > 0.8 * SAMPLE


def with_null(example: exp.Anonymous) -> Iterator[exp.Anonymous]:
    """The call with one after the other of its arguments NULL, of the same type."""
    for position, argument in enumerate(example.expressions):
        if not isinstance(argument, exp.Lambda):
            null = exp.Case(ifs=[exp.If(this=FALSE, true=argument)], default=NULL)
            yield call(example.name, *(null if i == position else other for i, other in enumerate(example.expressions)))


def test_what_spark_takes_to_be_unrepeatable_is(engine: Engine, examples: dict[str, exp.Anonymous]) -> None:
    """Spark refuses to aggregate it."""
    counts = {f"count({sql_of(example)})": name for name, example in examples.items()}
    with engine.session() as spark:
        taken = described(spark, counts, "(SELECT 1)")
        doubtful = {text: name for text, name in counts.items() if text not in taken}
        valid = described(spark, (text.removeprefix("count") for text in doubtful), "(SELECT 1)")
    refused = {name for text, name in doubtful.items() if text.removeprefix("count") in valid}
    assert {"rand", "uuid", "shuffle", "monotonically_increasing_id"} <= refused
    assert {name for name in refused if (known := lookup(name)) and known.deterministic} == set()


def test_total_functions_never_raise(engine: Engine) -> None:
    """A sample of them, at the ends of the types that they take."""
    wrong, random = [], Random(7)
    with engine.session() as spark:
        for kind in ENDS:
            source = ends_of(kind, kind, kind)
            calls = [
                sql_of(call(function.name, *map(ref, "abc"[:count])))
                for function in functions(FunctionKind.SCALAR)
                for count in (1, 2, 3)
                if fits(function, [kind] * count)
            ]
            sample = random.sample(calls, min(len(calls), SAMPLE // len(ENDS)))
            wrong += [f"{text} of {kind}" for text in failing(spark, described(spark, sample, source), source)]
    assert wrong == []


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("upper", FunctionKind.SCALAR),
        ("count", FunctionKind.AGGREGATE),
        ("only", FunctionKind.AGGREGATE),
        ("row_number", FunctionKind.WINDOW),
        ("explode", FunctionKind.GENERATOR),
        ("range", FunctionKind.TABLE),
    ],
)
def test_kind(name: str, kind: FunctionKind) -> None:
    function = lookup(name)
    assert function is not None
    assert function.kind is kind


def test_every_forgiving_function_is_one_of_sparks() -> None:
    forms = {function.forgiving for name in SPARK_FUNCTIONS if (function := lookup(name)) and function.forgiving}
    assert forms <= SPARK_FUNCTIONS
    assert all(name.startswith("try_") for name in forms)
