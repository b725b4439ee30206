"""`trailbook run`: what a notebook does is told line by line, in a report, and in the exit code."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.wheels import write_wheel
from trailbook.cli.main import main
from trailbook.engine import Engine

Notebook = Callable[..., Path]


@pytest.fixture
def notebook(tmp_path: Path) -> Notebook:
    """`notebook("x = 1", "print(x)")` is a file with these Python cells."""

    def write(*codes: str) -> Path:
        path = tmp_path / "notebook.trail.md"
        path.write_text("".join(f"```python {{cell}}\n{code}\n```\n\n" for code in codes))
        return path

    return write


def report(path: Path, *flags: str) -> tuple[int, dict[str, Any]]:
    """The exit code and the report of a run."""
    target = path.with_name("report.json")
    code = main(["run", str(path), "--json", str(target), *flags])
    return code, json.loads(target.read_text("utf-8"))


def jupyter(path: Path, *sources: str) -> Path:
    blank: dict[str, Any] = {"cell_type": "code", "outputs": [], "metadata": {}, "execution_count": None}
    cells = [{**blank, "source": source} for source in sources]
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}))
    return path


def test_the_report_tells_each_cell_and_dataset(notebook: Notebook) -> None:
    path = notebook("import pandas as pd\nt = pd.DataFrame({'a': [1, 2], 'b': ['x', None]})", "print(len(t))")
    code, found = report(path)
    assert code == 0
    first, second = found["cells"]
    seconds = second.pop("seconds")
    assert seconds > 0
    assert second == {
        "index": 1,
        "kind": "python",
        "state": "done",
        "stdout": "2\n",
        "error": None,
        "reads": ["t"],
        "writes": [],
        "reused": False,
    }
    assert first["writes"] == ["pd", "t"]
    assert found["datasets"] == {
        "t": {"rows": 2, "columns": ["a", "b"], "marked_values": 0, "marked_rows": 0, "rows_may_be_missing": False}
    }


def test_a_failed_cell_is_told_and_keeps_no_other_from_running(
    notebook: Notebook, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = report(notebook("x = 1 / 0", "print('here')", "print(x)"))
    assert code == 1
    assert [cell["state"] for cell in found["cells"]][:2] == ["error", "done"]
    assert found["cells"][0]["error"] == "ZeroDivisionError: division by zero"
    assert found["cells"][2]["state"] != "done"
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("[") for line in lines) == 3
    assert any("ZeroDivisionError: division by zero" in line for line in lines)


def test_parameters_can_be_set(notebook: Notebook) -> None:
    path = notebook("n = 1\nword = 'a'\ndouble = 2 * n", "print(n, double, word, extra)")
    code, found = report(path, "--set", "n=4", "--set", "word=b c", "--set", "extra=[1]")
    assert code == 0
    assert found["cells"][1]["stdout"] == "4 8 b c [1]\n"


def test_jupyter_notebooks_run_with_their_magics(tmp_path: Path) -> None:
    path = jupyter(
        tmp_path / "a.ipynb",
        "%matplotlib inline\nx = 3",
        "%%time\nprint(x)\nx + 1",
        "%%capture out\nprint('hidden')",
        "print(out.stdout, end='')",
        "!echo shell",
        "%timeit -n 1 -r 1 x",
        "%%writefile made.txt\ntext",
        "%env NAME=value",
    )
    code, found = report(path)
    assert code == 1
    states = [cell["state"] for cell in found["cells"]]
    assert states == ["done", "done", "done", "done", "error", "done", "done", "done"]
    out = [cell["stdout"] for cell in found["cells"]]
    assert out[1].startswith("3\n")
    assert "Wall time: " in out[1]
    assert out[2:4] == ["", "hidden\n"]
    assert "per loop (mean ± std. dev. of 1 run, 1 loop each)" in out[5]
    assert out[6:] == ["Writing made.txt\n", "env: NAME=value\n"]
    assert "is for the shell" in found["cells"][4]["error"]


def test_shell_commands_run_where_they_are_allowed(tmp_path: Path) -> None:
    echo = "word = 'hi'\n!echo $word {word.upper()} $HOME"
    path = jupyter(tmp_path / "a.ipynb", echo, "a = !echo b\nprint(a)", "%%sh\necho c")
    code, found = report(path, "--allow-shell")
    assert code == 0
    home = os.environ["HOME"]
    assert [cell["stdout"] for cell in found["cells"]] == [f"hi HI {home}\n", "['b']\n", "c\n"]


def test_doubtful_data_fails_a_run_that_asks_for_it(
    tmp_path: Path, engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "doubt.trail.md"
    query = "SELECT caveat_if(n, n = 1, 'a guess') AS n FROM numbers"
    load = '```load {cell}\nname: numbers\npath: numbers.csv\noptions: {"header": true}\n```'
    path.write_text(f'{load}\n\n```sql {{cell name="t"}}\n{query}\n```\n')
    path.with_name("numbers.csv").write_text("n\n1\n2\n")
    page = tmp_path / "page.html"
    code, found = report(path, "--spark", engine.url(), "--fail-on-caveats", "--html", str(page))
    assert code == 3, found
    assert capsys.readouterr().err == "trailbook run: in doubt, and not acknowledged: t (cell 2).\n"
    assert found["datasets"]["t"]["marked_values"] == 1
    assert "1 value in doubt" in page.read_text("utf-8")
    assert report(path, "--spark", engine.url())[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "FILE"),
        (["a.ipynb", "--frob"], "--frob"),
        (["gone.ipynb"], "gone.ipynb can't be read: No such file or directory"),
        (["bad.ipynb"], "bad.ipynb: This is not a Jupyter notebook: it is not JSON"),
        (["good.trail.md", "--set", "n"], "write name=value"),
        (["good.trail.md", "--json", "no/such/file"], "no/such/file can't be written: there is no folder no/such."),
        (["good.trail.md", "--html", "."], ". can't be written: it is a folder"),
        (["project"], "There is no project project"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRAILBOOK_DATA", str(tmp_path / "data"))
    Path("bad.ipynb").write_text("{")
    Path("good.trail.md").write_text("text")
    try:
        code = main(["run", *arguments])
    except SystemExit as end:
        code = int(end.code or 0)
    assert code == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert message in line
    assert not Path("data").exists()


def exported_text(capsys: pytest.CaptureFixture[str], project: str) -> str:
    capsys.readouterr()
    assert main(["export", project, "--format", "trail.md"]) == 0
    return capsys.readouterr().out


def test_a_project_is_imported_run_reused_and_exported(
    tmp_path: Path, notebook: Notebook, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRAILBOOK_DATA", str(tmp_path / "data"))
    path = notebook("print('once')")
    assert main(["import", str(path)]) == 0
    assert "Imported as the project notebook, with 1 cells" in capsys.readouterr().out
    for reused in (False, True):
        target = tmp_path / "report.json"
        assert main(["run", "notebook:main", "--json", str(target)]) == 0
        (cell,) = json.loads(target.read_text("utf-8"))["cells"]
        assert (cell["stdout"], cell["reused"]) == ("once\n", reused)
    assert main(["run", "notebook", "--set", "n=1", "--json", str(target)]) == 0
    assert "print('once')" in (code := exported_text(capsys, "notebook"))
    assert "n = 1" not in code
    assert main(["export", "notebook", "-o", str(tmp_path / "out.ipynb")]) == 0
    (exported,) = json.loads((tmp_path / "out.ipynb").read_text("utf-8"))["cells"]
    assert exported["outputs"] == [{"output_type": "stream", "name": "stdout", "text": ["once\n"]}]
    assert "```python {cell}\nprint('once')\n```" in exported_text(capsys, "notebook")
    assert main(["export", "notebook", "--format", "py", "-o", "-"]) == 0
    assert "print('once')" in capsys.readouterr().out
    assert main(["export", "notebook:other", "--format", "py"]) == 1
    assert "has no branch other. Known: main, main with n" in capsys.readouterr().err


def test_the_packages_that_a_file_names_are_there_and_kept_for_the_next_time(
    notebook: Notebook, tmp_path: Path
) -> None:
    tiny = write_wheel(tmp_path / "wheels", "tiny", "1.0", "x = 1")
    path = notebook("import tiny\nprint(tiny.x)")
    path.write_text(f"---\npackages: {json.dumps([tiny])}\n---\n\n{path.read_text()}")
    flags = ("--package-urls", "--data", str(tmp_path / "data"))
    for _ in range(2):
        code, found = report(path, *flags)
        assert (code, found["cells"][0]["stdout"]) == (0, "1\n")
        (environment,) = (tmp_path / "data" / "environments").iterdir()
    assert (environment / "bin" / "python").exists()


def test_packages_that_a_file_may_not_name_are_refused(
    notebook: Notebook, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = notebook("x = 1")
    path.write_text(f'---\npackages: ["--pre"]\n---\n\n{path.read_text()}')
    assert main(["run", str(path), "--data", str(tmp_path / "data")]) == 2
    assert "trailbook run: '--pre' is no package" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_all_that_it_started(notebook: Notebook, tmp_path: Path, number: signal.Signals) -> None:
    started, temporary = tmp_path / "started", tmp_path / "tmp"
    temporary.mkdir()
    path = notebook(f"import os, time\nopen({str(started)!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)")
    command = [sys.executable, "-m", "trailbook.cli.main", "run", str(path)]
    process = subprocess.Popen(command, env={**os.environ, "TMPDIR": str(temporary)})
    while not started.exists() or not started.read_text():
        time.sleep(0.05)
    process.send_signal(number)
    assert process.wait(timeout=30) == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int(started.read_text()), 0)
    assert list(temporary.iterdir()) == []


def test_cells_find_the_files_beside_the_notebook_and_theirs_are_put_there_at_the_end(
    notebook: Notebook, capsys: pytest.CaptureFixture[str]
) -> None:
    path = notebook("text = open('in.txt').read()", "open('out/made.txt', 'w').write(text.upper())")
    (path.parent / "in.txt").write_text("word")
    (path.parent / "out").mkdir()
    assert main(["run", str(path)]) == 0
    assert (path.parent / "out" / "made.txt").read_text() == "WORD"
    assert "Wrote out/made.txt in " in capsys.readouterr().out
