"""Two promises of the whole test run: nothing is skipped unnoticed, and no process outlives it."""

from __future__ import annotations

import os
import uuid
from collections.abc import Generator
from pathlib import Path
from typing import TypeVar

import psutil
import pytest

ALLOWED_SKIPS = Path(__file__).parent / "allowed_skips.txt"

# Every process that a test starts inherits this, however far it strays from its parents.
BADGE = "TEST_RUN_BADGE"
SECONDS_TO_END = 5

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


def allowed_skips() -> set[str]:
    lines = (line.strip() for line in ALLOWED_SKIPS.read_text("utf-8").splitlines())
    return {line for line in lines if line and not line.startswith("#")}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return refuse_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return refuse_skip((yield))


def refuse_skip(report: Report) -> Report:
    """Turn a skip, or an expected failure, into a failure unless its reason is on the list."""
    if report.outcome == "skipped" and (reason := reason_of(report)) not in allowed_skips():
        # pytest counts no failure of a test that was expected to fail.
        vars(report).pop("wasxfail", None)
        report.outcome = "failed"
        report.longrepr = f"skipped for a reason that is not in tests/{ALLOWED_SKIPS.name}: {reason}"
    return report


def reason_of(report: pytest.TestReport | pytest.CollectReport) -> str:
    expected_failure = getattr(report, "wasxfail", None)
    if expected_failure is not None:
        return str(expected_failure)
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return reason.removeprefix("Skipped: ")


def pytest_configure(config: pytest.Config) -> None:
    # Processes that run tests side by side inherit the badge of the one that started them.
    if not runs_a_part(config):
        os.environ[BADGE] = uuid.uuid4().hex


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """End what tests left running, and fail the run for it."""
    if runs_a_part(session.config):
        return
    _, left = psutil.wait_procs(started_by_tests(), timeout=SECONDS_TO_END)
    for process in left:
        print(f"\nLEFT RUNNING by a test: {describe(process)}")
        process.kill()
    if left and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def runs_a_part(config: pytest.Config) -> bool:
    """Whether this process runs a part of the tests for another one, which sees to the whole."""
    return hasattr(config, "workerinput")


def started_by_tests() -> list[psutil.Process]:
    own = psutil.Process()
    family = {*own.children(recursive=True), *filter(wears_badge, psutil.process_iter())}
    return [process for process in family - {own} if "multiprocessing.resource_tracker" not in describe(process)]


def wears_badge(process: psutil.Process) -> bool:
    try:
        return process.environ().get(BADGE) == os.environ[BADGE]
    except (psutil.Error, OSError):
        return False


def describe(process: psutil.Process) -> str:
    try:
        return f"{process.pid} {' '.join(process.cmdline())[:500]}"
    except psutil.Error:
        return f"{process.pid} (already gone)"
