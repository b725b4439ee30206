"""Cells that await something at their top level."""

from __future__ import annotations

import threading

import pytest

from tests.kernels.conftest import Bench
from trailbook.errors import CellCancelled
from trailbook.model.runs import DisplayMessage


def test_a_cell_awaits_at_its_top_level_on_one_loop(bench: Bench) -> None:
    code = """
import asyncio
from contextlib import asynccontextmanager
async def count(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i
@asynccontextmanager
async def door():
    yield 'open'
first = asyncio.get_running_loop()
async for each in count(2):
    print(each)
async with door() as state:
    print(state)
evens = [i async for i in count(5) if i % 2 == 0]
await asyncio.sleep(0, (evens, first is asyncio.get_running_loop()))"""
    run = bench.run(code)
    assert run.text() == "0\n1\nopen\n"
    assert [m.data for m in run.shown if isinstance(m, DisplayMessage)] == [{"text/plain": "([0, 2, 4], True)"}]
    assert {"each", "state", "evens"} <= run.made.keys()


def test_a_cell_that_awaits_nothing_may_start_a_loop_itself(bench: Bench) -> None:
    assert bench.run("import asyncio\nprint(asyncio.run(asyncio.sleep(0, 'ran')))").text() == "ran\n"


def test_tasks_that_are_left_end_with_the_cell(bench: Bench) -> None:
    code = """
import asyncio
async def endless():
    try:
        await asyncio.sleep(600)
    finally:
        print('ended')
_task = asyncio.create_task(endless())
await asyncio.sleep(0)
print('last')"""
    assert bench.run(code).text() == "last\nended\n"


def test_an_error_in_what_is_awaited_names_the_lines_of_the_cell(bench: Bench) -> None:
    error = bench.run("async def fail():\n    1 / 0\n\nawait fail()").error
    assert error.message == "ZeroDivisionError: division by zero"
    assert error.line == 2
    assert error.traceback
    assert "asyncio" not in error.traceback


def test_a_cell_that_awaits_can_be_cancelled(bench: Bench) -> None:
    attempt = bench.prepare("import asyncio\ndisplay('waits')\nawait asyncio.sleep(600)")
    attempt.python._on_message = lambda message: threading.Thread(target=attempt.python.cancel).start()
    with pytest.raises(CellCancelled):
        attempt.run()
