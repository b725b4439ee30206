"""The report of what is in doubt says it all, and means nothing but text."""

from __future__ import annotations

from datetime import UTC, datetime

from trailbook.model.artifacts import Doubt
from trailbook.sinks.report import Accepted, CaveatReport, ReportedSet, markdown, report_name

TIME = datetime(2026, 5, 1, 12, 30, tzinfo=UTC)
NOT_AN_INT = ReportedSet(
    message="'12O' is not an int",
    place="cast(amount AS int)",
    cell="c1",
    count=4,
    examples=("'12O' is not an int", "'x' is not an int"),
    columns=("amount",),
    missing=True,
)
ACCEPTED = ReportedSet(
    message="typed by hand",
    place="typed by hand",
    cell="c2",
    count=1,
    acknowledged=(Accepted(message=None, note="asked the shop", person="Ann", time=TIME),),
)
REPORT = CaveatReport(
    dataset="sales",
    origin="Version 3 of branch b, cell c4",
    time=TIME,
    rows=1000,
    columns=("id", "amount"),
    doubt=Doubt(values={"amount": 4}, rows=2, phantoms=3, open=True),
    sets=(NOT_AN_INT, ACCEPTED),
    notes=("Times are those of UTC.",),
    problem="The engine is gone.",
)


def test_the_report_lists_doubts_reasons_and_what_was_acknowledged() -> None:
    assert markdown(REPORT) == (
        "# Caveats of sales\n"
        "\n"
        "Version 3 of branch b, cell c4, 2026-05-01 12:30 UTC.\n"
        "1,000 rows, 2 columns.\n"
        "\n"
        "## What is in doubt\n"
        "\n"
        "- amount: 4 of 1,000 values\n"
        "- Rows that may not belong there: 2\n"
        "- Rows that were left out and may belong there: 3\n"
        "- Any number of other rows may be missing.\n"
        "\n"
        "## Why\n"
        "\n"
        "- 4 × from cell c1, cast(amount AS int) (in amount, rows that may be missing)\n"
        "  - '12O' is not an int\n"
        "  - 'x' is not an int\n"
        "\n"
        "## Acknowledged, and no longer marked\n"
        "\n"
        "- 1 × from cell c2, typed by hand\n"
        "  - typed by hand\n"
        "  - acknowledged by Ann, 2026-05-01: asked the shop\n"
        "\n"
        "## About the file\n"
        "\n"
        "- Times are those of UTC.\n"
        "\n"
        "## Not all reasons are here\n"
        "\n"
        "The engine is gone.\n"
    )


def test_a_report_of_certain_data_is_short() -> None:
    text = markdown(REPORT.model_copy(update={"doubt": Doubt(), "sets": (), "notes": (), "problem": ""}))
    assert text.endswith("## What is in doubt\n\nNothing.\n")


def test_texts_from_the_data_are_no_markdown() -> None:
    hostile = NOT_AN_INT.model_copy(
        update={"examples": ("[x](javascript:1)\n# <img src=x> `a` | b", "y" * 1000), "place": "a * b"}
    )
    text = markdown(REPORT.model_copy(update={"dataset": "_a_", "sets": (hostile,)}))
    assert "# Caveats of \\_a\\_\n" in text
    assert "  - \\[x\\](javascript:1) \\# \\<img src=x\\> \\`a\\` \\| b\n" in text
    assert f"  - {'y' * 299}…\n" in text
    assert "a \\* b" in text


def test_reasons_are_told_of_the_columns_that_are_marked() -> None:
    assert REPORT.reasons() == {"amount": "'12O' is not an int (4)"}


def test_a_report_goes_as_json_and_back() -> None:
    assert CaveatReport.model_validate_json(REPORT.model_dump_json()) == REPORT


def test_the_report_is_called_like_the_file_beside_it() -> None:
    assert report_name("sales.csv") == "sales.csv.caveats.md"
    assert report_name("sales.xlsx") == "sales.xlsx.caveats.md"
