from __future__ import annotations

from pathlib import Path

import pytest

from trailbook.engine import Engine
from trailbook.engine.errors import readable, spark_errors
from trailbook.errors import CellFailed


def failure(engine: Engine, query: str) -> CellFailed:
    with engine.session() as spark:
        spark.sql("SELECT 1 AS x, 'abc' AS s").createOrReplaceTempView("v")
        with pytest.raises(CellFailed) as caught, spark_errors():
            spark.sql(query).toArrow()
    return caught.value


@pytest.mark.parametrize(
    ("query", "message", "line", "column"),
    [
        ("SELECT x\nFROM v WHREE x", "Syntax error at or near 'x': extra input 'x'.", 2, 14),
        ("SELECT * FROM (SELECT 1", "Syntax error at or near end of input: missing ')'.", 1, 24),
        (
            "SELECT x,\n  yy FROM v",
            "A column, variable, or function parameter with name `yy` cannot be resolved."
            " Did you mean one of the following? [`s`, `x`].",
            2,
            3,
        ),
        ("SELECT *\nFROM nosuch", "The table or view `nosuch` cannot be found.", 2, 6),
        (
            "SELECT\n 1 / (x - 1) FROM v",
            "Division by zero. Use `try_divide` to tolerate divisor being 0 and return NULL instead.",
            2,
            2,
        ),
        (
            "SELECT\n sum(id * 9223372036854775807) FROM range(10)",
            "overflow. Use 'try_multiply' to tolerate overflow and return NULL instead.",
            2,
            6,
        ),
        ("SELECT raise_error('boom')", "boom", None, None),
    ],
)
def test_a_failed_query_says_what_and_where(
    engine: Engine, query: str, message: str, line: int | None, column: int | None
) -> None:
    error = failure(engine, query)
    assert (error.message, error.line, error.column) == (message, line, column)


def test_a_cast_that_fails_names_the_value(engine: Engine) -> None:
    error = failure(engine, "SELECT\n  cast(s AS int)\nFROM v")
    assert error.message.startswith('The value \'abc\' of the type "STRING" cannot be cast to "INT"')
    assert "ansi" not in error.message
    assert (error.line, error.column) == (2, 3)


def test_a_missing_file_is_named(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(CellFailed, match=r"^Path does not exist: file:.*/nosuch\.$"), engine.session() as spark:
        spark.read.parquet(str(tmp_path / "nosuch")).count()


def test_a_damaged_file_is_named_without_a_stack_trace(engine: Engine, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.parquet"
    damaged.write_bytes(b"PAR1 but not really PAR1")
    with pytest.raises(CellFailed, match=r"damaged\.parquet") as caught, engine.session() as spark:
        spark.read.parquet(str(damaged)).count()
    assert "\tat " not in caught.value.message


def test_an_exception_in_a_python_function_keeps_its_traceback(engine: Engine) -> None:
    with pytest.raises(CellFailed) as caught, engine.session() as spark:
        spark.range(1).mapInArrow(lambda batches: (batch[1 // 0] for batch in batches), "id long").toArrow()
    assert caught.value.message.startswith("Traceback (most recent call last):")
    assert caught.value.message.endswith("ZeroDivisionError: integer division or modulo by zero")


def test_errors_that_are_not_from_spark_pass_unchanged() -> None:
    with pytest.raises(KeyError, match="x"), spark_errors():
        raise KeyError("x")


def test_a_failed_task_is_told_without_where_it_ran() -> None:
    message = (
        "Job aborted due to stage failure: Task 0 in stage 5.0 failed 1 times, most recent failure: Lost task 0.0 in"
        " stage 5.0 (TID 11) (localhost executor driver): java.io.IOException: No space left on device\n"
        "\tat java.base/java.io.FileOutputStream.writeBytes(Native Method)\n\nDriver stacktrace:"
    )
    assert readable(message) == "java.io.IOException: No space left on device"
