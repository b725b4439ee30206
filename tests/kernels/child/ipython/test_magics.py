"""What stands in for magics does in a cell what they do in Jupyter."""

from __future__ import annotations

import builtins
import re
from pathlib import Path
from typing import Any

import pytest

from trailbook.kernels.child.ipython import magics
from trailbook.kernels.child.ipython.capture import Captured


def test_a_clock_prints_what_jupyter_prints(capsys: pytest.CaptureFixture[str]) -> None:
    clock = magics.Clock()
    sum(range(3_000_000))
    clock.stop()
    duration = r"[\d.]+(e[+-]\d+)? (s|ms|µs|ns)"
    printed = rf"(CPU times: user {duration}, sys: {duration}, total: {duration}\n)?Wall time: {duration}\n"
    assert re.fullmatch(printed, capsys.readouterr().out)


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 ns"), (1.5e-6, "1.5 µs"), (0.0123456, "12.3 ms"), (59.9, "59.9 s"), (125, "2min 5s")]
)
def test_durations_have_the_unit_that_fits(seconds: float, text: str) -> None:
    assert magics._duration(seconds) == text


def test_timing_runs_code_with_the_names_of_the_cell(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {"seen": []}
    magics.time_it("seen.append(y)", names, setup="y = 3", number=2, repeat=3)
    assert names["seen"] == [3] * 6
    result = magics.time_it(lambda: None, names, number=1, repeat=2, quiet=True, output=True)
    assert result
    assert result.best <= result.average <= result.worst
    assert result.stdev >= 0
    assert "per loop (mean ± std. dev. of 3 runs, 2 loops each)" in capsys.readouterr().out


def test_files_are_written_and_appended_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.txt"
    magics.write_file(str(path), "a\n")
    magics.write_file(str(path), "b\n", append=True)
    assert path.read_text() == "a\nb\n"
    magics.write_file(str(path), "c\n")
    assert path.read_text() == "c\n"
    words = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert words == ["Writing", "Appending", "Overwriting"]


def test_a_script_leaves_its_names(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text("import sys\narguments = sys.argv[1:]\nis_main = __name__ == '__main__'\n")
    names: dict[str, Any] = {}
    magics.run_script(str(path), ["a"], names)
    assert (names["arguments"], names["is_main"]) == (["a"], True)
    assert "__name__" not in names


def test_commands_know_the_names_of_the_cell(capfd: pytest.CaptureFixture[str]) -> None:
    names = {"x": 3}
    assert magics.shell_lines("echo $x {x + 1} $$x; echo '{nothing}' ${HOME:+home}", names) == ["3 4", "{nothing} home"]
    magics.shell("echo $x; exit 7", names)
    magics.run_program(["sh"], "echo from a program")
    assert capfd.readouterr().out == "3\nfrom a program\n"


def test_code_apart_sees_and_leaves_no_names(capsys: pytest.CaptureFixture[str]) -> None:
    magics.run_apart("x = 1\nprint(sorted(name for name in globals() if not name.startswith('__')))")
    assert capsys.readouterr().out == "['x']\n"


def test_what_is_captured_can_be_shown_later(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[object] = []
    monkeypatch.setattr(builtins, "display", lambda *values: shown.extend(values), raising=False)
    captured = Captured()
    print("text")
    builtins.display("thing")  # type: ignore[attr-defined]
    captured.stop()
    assert capsys.readouterr().out == ""
    assert (captured.stdout, captured.outputs, shown) == ("text\n", ["thing"], [])
    captured.show()
    assert (capsys.readouterr().out, shown) == ("text\n", ["thing"])


def test_shown_text_offers_its_media_type() -> None:
    assert magics.Shown("text/html", "<b>x</b>")._repr_mimebundle_() == {"text/html": "<b>x</b>"}
