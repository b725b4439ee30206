"""A run from the host's side: what is printed, shown, read, written, and what ends it."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pyarrow as pa
import pytest

from tests.kernels.conftest import Attempt, Bench
from trailbook.errors import CellCancelled
from trailbook.kernels.limits import Limits
from trailbook.kernels.zygote import Zygote
from trailbook.model.runs import DisplayMessage, NoteMessage, TextMessage

SALES = pa.table({"item": ["pen", "ink", "cup"], "price": [1.5, None, 3.0]})


def test_text_and_displays_arrive_in_the_order_they_were_made(bench: Bench) -> None:
    run = bench.run("print('one')\ndisplay(1)\nprint('two')\ndisplay(2)\nprint('three', end='')\n3")
    kinds = [m.text if isinstance(m, TextMessage) else m.data["text/plain"] for m in run.messages]
    assert kinds == ["one\n", "1", "two\n", "2", "three", "3"]


def test_output_of_native_code_and_of_subprocesses_is_captured(bench: Bench) -> None:
    run = bench.run("import os, subprocess\nos.write(2, b'native ')\nsubprocess.run(['sh', '-c', 'echo shell'])\n'';")
    assert run.text("stderr") == "native "
    assert run.text() == "shell\n"


def test_text_is_streamed_while_the_cell_runs(bench: Bench) -> None:
    attempt = bench.prepare("print('ready')\nimport time\ntime.sleep(60)")
    _start(_cancel_after_text, attempt)
    with pytest.raises(CellCancelled):
        attempt.run()
    assert attempt.text() == "ready\n"


def test_bytes_that_are_not_utf8_are_replaced_and_control_characters_kept(bench: Bench) -> None:
    run = bench.run(r"import os; os.write(1, b'a\xffb\r\x1b[31m\xc3'); os.write(1, b'\xa9\n');")
    assert run.text() == "a�b\r\x1b[31mé\n"


def test_output_beyond_the_limit_is_dropped_and_counted(bench: Bench) -> None:
    run = bench.run("import sys\nfor _ in range(50): sys.stdout.write('é' * 500_000)\n'';", limits=Limits(1001))
    assert run.text() == "é" * 500
    assert run.notes == ["The first 1,001 bytes of output are kept; 49,998,999 were cut."]


@pytest.mark.parametrize(
    ("code", "kind", "message", "line", "column"),
    [
        ("x = 1\nprint('a'", "python_syntax_error", "SyntaxError: '(' was never closed", 2, 6),
        ("def f():\n  return 1 / 0\n\nf()", "python_exception", "ZeroDivisionError: division by zero", 2, None),
        ("import json\n\njson.loads('{')", "python_exception", "json.decoder.JSONDecodeError: Expecting", 3, None),
        ("import sys\nsys.exit(3)", "python_exit", "The cell ended itself with sys.exit(3).", 2, None),
        ("import os\nos._exit(3)", "python_process_ended", "The process ended with exit code 3", None, None),
        (
            "import ctypes\n\nctypes.string_at(0)",
            "python_process_ended",
            "The process ended with signal SIGSEGV.",
            3,
            None,
        ),
        (
            "import os\nos.kill(os.getpid(), 9)",
            "python_process_ended",
            "The process ended with signal SIGKILL. Most often that means that the machine ran out of memory.",
            None,
            None,
        ),
        ("name = input('Who?')", "no_input", "input() has nobody to ask", 1, None),
        ("spark.range(3)", "engine_unavailable", "Spark can't be used: Spark is not started in this test.", 1, None),
    ],
)
def test_an_error_says_what_happened_and_where(
    bench: Bench, code: str, kind: str, message: str, line: int | None, column: int | None
) -> None:
    error = bench.run(code).error
    assert error.code == kind
    assert error.message.startswith(message)
    assert (error.line, error.column) == (line, column)


@pytest.mark.parametrize("code", ["1 / 0", "import ctypes; ctypes.string_at(0)", "tb.dataset('x')", "1 +"])
def test_a_traceback_shows_nothing_of_what_runs_the_cell(bench: Bench, code: str) -> None:
    traceback = bench.run(code).error.traceback
    assert traceback
    assert '"<cell>", line 1' in traceback
    assert "trailbook" not in traceback


def test_a_clean_exit_ends_the_cell_and_keeps_its_results(bench: Bench) -> None:
    run = bench.run("import sys, pyarrow as pa\nt = pa.table({'a': [1]})\nsys.exit()\nboom")
    assert run.notes == ["sys.exit() ended the cell in line 3."]
    assert run.writes["t"].to_pylist() == [{"a": 1}]


def test_names_of_datasets_are_frames_and_reads_are_recorded(bench: Bench) -> None:
    datasets = {"sales": bench.dataset(SALES), "other": bench.dataset(SALES)}
    run = bench.run("def total(): return sales.price.sum()\nprint(total())\nsales is sales", datasets)
    assert run.text() == "4.5\n"
    assert [m.data["text/plain"] for m in run.messages if isinstance(m, DisplayMessage)] == ["True"]
    assert run.reads == {"sales", "print"}
    assert run.writes == {}


def test_an_absent_name_is_a_read_and_the_error_suggests_a_dataset(bench: Bench) -> None:
    run = bench.run("slaes.head()", {"sales": bench.dataset(SALES)})
    assert run.error.message == "NameError: name 'slaes' is not defined. Did you mean the dataset 'sales'?"
    assert run.reads == {"slaes"}


def test_an_unknown_dataset_is_refused_with_the_known_ones(bench: Bench) -> None:
    datasets = {name: bench.dataset(SALES) for name in ("other", "sales")}
    run = bench.run("tb.dataset('slaes')", datasets)
    assert run.error.message == (
        "There is no dataset 'slaes' above this cell. Did you mean 'sales'? Known: sales, other."
    )
    assert run.reads == {"slaes", "names:"}


def test_an_unavailable_dataset_is_refused_with_its_reason(bench: Bench) -> None:
    for code in ("x = sales", "tb.dataset('sales')"):
        run = bench.run(code, {}, {"sales": "the cell that makes it is in error"})
        assert run.error.code == "unavailable_value"
        assert run.error.message == "sales can't be read: the cell that makes it is in error"
        assert run.reads == {"sales"}


def test_reads_are_known_even_if_the_process_dies(bench: Bench) -> None:
    run = bench.run("import os\n'sales' in globals()\nos._exit(1)", {"sales": bench.dataset(SALES)})
    assert run.error.code == "python_process_ended"
    assert run.reads == {"sales", "globals"}


def test_progress_is_passed_on(bench: Bench) -> None:
    run = bench.run("for i in range(1001): tb.progress(i, 1000, 'counting')")
    assert (run.progress[-1].done, run.progress[-1].total, run.progress[-1].label) == (1000, 1000, "counting")
    assert len(run.progress) < 500


def test_a_cell_works_in_a_directory_of_its_own_without_the_servers_secrets(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRAILBOOK_TOKEN", "secret")
    attempt = bench.run("import os\nprint(os.getcwd(), [k for k in os.environ if k.startswith('TRAILBOOK')])")
    assert attempt.text() == f"{attempt.python._request.scratch / 'work'} []\n"


@pytest.mark.parametrize("code", ["while True: pass", "import time\nwhile True:\n  try: time.sleep(9)\n  except: pass"])
def test_an_endless_loop_is_cancelled_with_all_it_started(bench: Bench, code: str) -> None:
    start = "import subprocess; print(subprocess.Popen(['sleep', '600']).pid)\n"
    attempt = bench.prepare(start + code)
    _start(_cancel_after_text, attempt)
    with pytest.raises(CellCancelled):
        attempt.run()
    _wait_for_end(int(attempt.text()))


def test_a_run_that_was_cancelled_before_it_began_does_not_begin(bench: Bench) -> None:
    attempt = bench.prepare("print('never')")
    attempt.python.cancel()
    with pytest.raises(CellCancelled):
        attempt.run()
    assert attempt.messages == []


def test_waiting_for_spark_can_be_cancelled(bench: Bench) -> None:
    asked, release = threading.Event(), threading.Event()

    def slow_url() -> str:
        asked.set()
        release.wait()
        return "sc://localhost:1"

    attempt = bench.prepare("spark", spark_url=slow_url)

    def cancel() -> None:
        asked.wait()
        attempt.python.cancel()

    _start(cancel)
    with pytest.raises(CellCancelled):
        attempt.run()
    release.set()


@pytest.mark.parametrize(
    ("code", "limits", "kind", "message"),
    [
        ("while True: pass", Limits(1000, seconds=0.5), "cell_too_slow", "The cell took longer than 0.5 seconds"),
        (
            "import time\nwhile True:\n  try: time.sleep(9)\n  except BaseException: pass",
            Limits(1000, seconds=0.5),
            "cell_too_slow",
            "The cell took longer than 0.5 seconds",
        ),
        ("while True: pass", Limits(1000, cpu_seconds=1), "python_process_ended", "The cell used 1 seconds of the"),
        (
            "x = bytearray(2**31)",
            Limits(1000, memory=2**30),
            "python_exception",
            "MemoryError. A cell may use 1,024 MiB",
        ),
        (
            "import numpy as np\nnp.ones(2**28)",
            Limits(1000, memory=2**30),
            "python_exception",
            "numpy._core._exceptions._ArrayMemoryError: Unable to allocate 2.00 GiB",
        ),
    ],
)
def test_a_cell_that_wants_too_much_ends_with_an_error(
    bench: Bench, code: str, limits: Limits, kind: str, message: str
) -> None:
    error = bench.run(code, limits=limits).error
    assert error.code == kind
    assert error.message.startswith(message)
    assert "(setting cell_" in error.message
    assert bench.run("print('on')").text() == "on\n"


def test_a_cell_within_its_limits_is_left_alone(bench: Bench) -> None:
    limits = Limits(1000, seconds=60, cpu_seconds=60, memory=2**32)
    assert bench.run("import pyarrow as pa\nt = pa.table({'a': [1]})", limits=limits).writes["t"].num_rows == 1


def test_a_child_dies_with_its_server(tmp_path: Path) -> None:
    server = os.fork()
    if server == 0:
        attempt = Bench(tmp_path, Zygote()).prepare("import os, time\nprint(os.getpid())\ntime.sleep(600)")
        _start(_die_after_text, attempt, tmp_path / "pid")
        attempt.run()
        os._exit(1)
    os.waitpid(server, 0)
    _wait_for_end(int((tmp_path / "pid").read_text()))


def test_processes_left_behind_end_with_the_run(bench: Bench) -> None:
    run = bench.run("import subprocess; print(subprocess.Popen(['sleep', '600']).pid)")
    _wait_for_end(int(run.text()))


def test_an_error_of_the_listener_ends_the_run(bench: Bench) -> None:
    attempt = bench.prepare("import os\ndisplay(os.getpid())\nwhile True: pass")
    seen: list[Any] = []

    def fail(message: object) -> None:
        seen.append(message)
        raise OSError("disk full")

    attempt.python._on_message = fail
    with pytest.raises(OSError, match="disk full"):
        attempt.run()
    _wait_for_end(int(seen[0].data["text/plain"]))


SEND = (
    "import gc, json\n"
    "from trailbook.kernels.child.channel import Channel\n"
    "_channel = next(o for o in gc.get_objects() if type(o) is Channel)\n"
)


def test_a_result_outside_the_scratch_directory_is_refused_and_left_alone(bench: Bench, tmp_path: Path) -> None:
    treasure = bench.dataset(SALES)
    for way in (f"_path = {str(treasure)!r}", f"import os; _path = 'link'; os.symlink({str(treasure)!r}, _path)"):
        made = "{'x': {'kind': 'dataset', 'path': __import__('os').path.abspath(_path)}}"
        done = f"_channel.send('done', writes={{}}, made={made}, deletes=[], error=None)\nwhile True: pass"
        run = bench.run(f"sales\n{SEND}{way}\n{done}", {"sales": treasure})
        assert "which is not in the directory it has for results" in run.error.message
        assert "sales" in run.reads
        assert [part.name for part in treasure.iterdir()] == ["part-00000.parquet"]


def test_a_shown_file_outside_the_scratch_directory_is_refused(bench: Bench) -> None:
    shown = "text={}, files={'image/png': '/etc/hostname'}, display_id=None, update=False"
    run = bench.run(f"{SEND}_channel.ask('display', {shown})")
    assert run.error.message.startswith("The cell gave /etc/hostname as its result")


@pytest.mark.parametrize(
    "flood",
    [
        "while True: _channel.send('read', name='x')",
        "while True: _channel.send('note', id=1, text='x' * 100)",
        "while True: _channel.send('progress', done=1, total=1, label='x' * 10_000)",
    ],
)
def test_a_cell_that_floods_its_host_can_be_cancelled(bench: Bench, flood: str) -> None:
    attempt = bench.prepare(f"{SEND}print('now')\n{flood}")
    _start(_cancel_after_text, attempt)
    with pytest.raises(CellCancelled):
        attempt.run()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("b'[1, 2]' + b'\\n'", "The cell sent Trailbook something other than a message: b'[1, 2]'."),
        ("b'[' * 100_000 + b'\\n'", "The cell sent Trailbook something other than a message: b'[[["),
        ("b'x' * 10_000_000", "The cell sent Trailbook a message of more than 4,194,304 bytes."),
    ],
)
def test_what_is_no_message_ends_the_cell(bench: Bench, line: str, message: str) -> None:
    run = bench.run(f"{SEND}_rest = memoryview({line})\nwhile True: _rest = _rest[_channel._sink.write(_rest):]")
    assert run.error.message.startswith(message)


def test_of_all_too_many_things_shown_the_first_are_kept(bench: Bench) -> None:
    run = bench.run("for i in range(1234): display(i)")
    assert len(run.shown) == 1000
    assert run.notes == ["The first 1,000 things shown are kept, 234 are not."]


def test_an_endless_error_message_is_cut(bench: Bench) -> None:
    error = bench.run("raise ValueError('x' * 10_000_000)").error
    assert error.message.endswith("more characters)")
    assert error.line == 1
    assert len(error.message) + len(error.traceback or "") < 300_000


def test_a_signal_without_a_name_is_told_by_its_number(bench: Bench) -> None:
    assert bench.run("import os\nos.kill(os.getpid(), 40)").error.message == "The process ended with signal 40."


def test_a_failure_to_find_spark_is_told_whatever_it_is(bench: Bench) -> None:
    def broken() -> str:
        raise OSError("disk full")

    assert bench.run("spark", spark_url=broken).error.message == "Spark can't be used: OSError: disk full"


def _start(function: Callable[..., None], *arguments: Any) -> None:
    threading.Thread(target=function, args=arguments).start()


def _cancel_after_text(attempt: Attempt) -> None:
    _wait_for_text(attempt)
    attempt.python.cancel()


def _die_after_text(attempt: Attempt, path: Path) -> None:
    _wait_for_text(attempt)
    path.write_text(attempt.text())
    os.kill(os.getpid(), 9)


def _wait_for_text(attempt: Attempt) -> None:
    while not attempt.messages:
        time.sleep(0.01)


def _wait_for_end(pid: int) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        while psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.01)


def test_notes_are_messages_of_trailbook(bench: Bench) -> None:
    assert bench.run("import sys; sys.exit(0)").messages == [NoteMessage(text="sys.exit() ended the cell in line 1.")]
