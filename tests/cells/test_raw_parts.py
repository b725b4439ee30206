"""What a task tells of the part that it read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from trailbook.cells import raw_parts
from trailbook.lenses.types.choose import choose
from trailbook.lenses.types.votes import Votes


@pytest.fixture(autouse=True)
def few_voters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw_parts, "MOST_VOTERS", 10)


def part_of(lines: list[str], folder: Path) -> tuple[list[str], bool]:
    """The types that the columns of a CSV file speak for, and whether only some of its records had a say."""
    (folder / "a.csv").write_text("\n".join(["a,b", *lines, ""]))
    (folder / "raw").mkdir()
    wanted: dict[str, Any] = {
        "path": str(folder / "a.csv"),
        "name": "a.csv",
        "member": "",
        "folder": str(folder),
        "target": str(folder / "raw"),
        "most_bytes": 10**6,
        "format": "csv",
        "options": {"header": True},
    }
    part = raw_parts.prepare(wanted)["part"]
    return [choose(Votes.of_json(votes)).type for votes in part["votes"]], part["is_sample"]


@pytest.mark.parametrize("nothing", ["", "n/a", '" "'], ids=["empty", "code", "blank"])
def test_a_column_that_begins_with_nothing_is_what_its_later_values_are(tmp_path: Path, nothing: str) -> None:
    early, late = [f"{number},{nothing}" for number in range(30)], [f"{number},{number}.25" for number in range(30)]
    assert part_of(early + late, tmp_path) == (["int", "decimal(18,2)"], True)


def test_the_first_values_speak_for_a_column(tmp_path: Path) -> None:
    assert part_of([*["1,2"] * 10, "x,y"], tmp_path) == (["int", "int"], True)


def test_all_values_have_a_say_if_they_are_few(tmp_path: Path) -> None:
    assert part_of([*["1,2"] * 8, *["x,"] * 2], tmp_path) == (["string", "int"], False)
