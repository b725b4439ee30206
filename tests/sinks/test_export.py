"""An export tells how far it is, and stops when it is told to."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.sinks.made import dataset
from trailbook.errors import CellCancelled, Invalid, NameTaken, NotFound
from trailbook.model.artifacts import Doubt
from trailbook.model.base import now
from trailbook.sinks.export import export, export_with_report, watched
from trailbook.sinks.outgoing import MOST_ROWS
from trailbook.sinks.report import CaveatReport
from trailbook.sinks.sink import SINKS, sink_for
from trailbook.sinks.targets.files import FileTarget

CSV = SINKS.get("csv")


def test_progress_is_told_up_to_the_end(tmp_path: Path) -> None:
    data = dataset({"a": range(MOST_ROWS + 10)})
    told: list[tuple[int, int]] = []
    target = FileTarget(tmp_path / "a.csv", (tmp_path,))
    export(watched(data, lambda done, total: told.append((done, total))), target, CSV, CSV.options())
    assert told == [(0, MOST_ROWS + 10), (MOST_ROWS, MOST_ROWS + 10), (MOST_ROWS + 10, MOST_ROWS + 10)]


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet", "excel"])
def test_an_export_that_is_stopped_leaves_nothing(format: str, tmp_path: Path) -> None:
    stopped = threading.Event()
    sink = SINKS.get(format)
    target = FileTarget(tmp_path / "a", (tmp_path,))
    data = watched(dataset({"a": [1]}), lambda done, total: stopped.set(), stopped)
    with pytest.raises(CellCancelled, match="The export of sales was stopped"):
        export(data, target, sink, sink.options())
    assert list(tmp_path.iterdir()) == []


def test_a_report_does_not_outlive_the_doubt(tmp_path: Path) -> None:
    (tmp_path / "a.csv.caveats.md").write_text("# In doubt")
    target = FileTarget(tmp_path / "a.csv", (tmp_path,))

    def report() -> CaveatReport:
        raise AssertionError("there is nothing to report")

    export_with_report(dataset({"a": [1]}), target, CSV, CSV.options(), report, beside=True)
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


def test_the_format_goes_by_the_name_unless_it_is_said() -> None:
    found = {name: sink_for("auto", name).format for name in ("a.csv", "b.JSONL", "c.d.parquet", "e.xlsx")}
    assert list(found.values()) == ["csv", "jsonl", "parquet", "excel"]
    assert sink_for("csv", "a.txt") is CSV
    with pytest.raises(Invalid, match=r"a\.txt.*\.csv, \.xlsx, \.jsonl, \.parquet"):
        sink_for("auto", "a.txt")
    with pytest.raises(NotFound, match=r"no format 'ods'\. Known: csv, excel, jsonl, parquet"):
        sink_for("ods", "a.ods")


def test_every_option_says_what_it_is_for() -> None:
    for _, sink in SINKS:
        assert all(about.description for about in sink.options.model_fields.values()), sink.format


def doubtful(report: list[str]) -> CaveatReport:
    report.append("asked")
    return CaveatReport(dataset="a", origin="here", time=now(), rows=1, columns=("a",), doubt=Doubt(values={"a": 1}))


def test_files_of_one_name_have_a_report_each(tmp_path: Path) -> None:
    data = dataset({"a": [1]}, marks=[0b10])
    for name in ("a.csv", "a.xlsx"):
        sink = sink_for("auto", name)
        target = FileTarget(tmp_path / name, (tmp_path,))
        export_with_report(data, target, sink, sink.options(), lambda: doubtful([]), beside=True)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["a.csv", "a.csv.caveats.md", "a.xlsx", "a.xlsx.caveats.md"]


def test_no_file_is_there_without_its_report(tmp_path: Path) -> None:
    (tmp_path / "a.csv.caveats.md").mkdir()
    target = FileTarget(tmp_path / "a.csv", (tmp_path,))
    data = dataset({"a": [1]}, marks=[0b10])
    with pytest.raises(NameTaken, match=r"a\.csv\.caveats\.md is a folder"):
        export_with_report(data, target, CSV, CSV.options(), lambda: doubtful([]), beside=True)
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv.caveats.md"]


def test_a_report_that_is_not_wanted_is_not_that_of_another_file(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx.caveats.md").write_text("# Of what was there before")
    sink, asked = SINKS.get("excel"), list[str]()
    target = FileTarget(tmp_path / "a.xlsx", (tmp_path,))
    data = dataset({"a": [1]}, marks=[0b10])
    export_with_report(data, target, sink, sink.options(), lambda: doubtful(asked), beside=False)
    assert asked == ["asked"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.xlsx"]
