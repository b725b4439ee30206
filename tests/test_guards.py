"""The run as a whole fails for skips that nobody agreed to, and for processes that outlive it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parent.parent

SKIPS = """
import pytest

def test_that_skips():
    pytest.skip("not today")

@pytest.mark.skip(reason="not ever")
def test_that_is_marked():
    pass

@pytest.mark.xfail(reason="not yet")
def test_that_is_expected_to_fail():
    assert False

def test_that_passes():
    pass
"""

SKIPPED_MODULE = "import pytest; pytest.skip('not here', allow_module_level=True)"

LEFT_RUNNING = """
import subprocess

def test_that_leaves_a_process_behind():
    orphan = "sleep 1000 & echo $! > pid"
    subprocess.run(["sh", "-c", orphan], stdout=subprocess.DEVNULL, start_new_session=True)
"""


SIDE_BY_SIDE = ("-p", "xdist", "-n", "2")


def run(pytester: pytest.Pytester, *modules: str, options: Sequence[str] = ()) -> pytest.RunResult:
    pytester.makeconftest(f"import sys; sys.path.insert(0, {str(ROOT)!r}); pytest_plugins = ['tests.guards']")
    pytester.makepyfile(**{f"test_{number}": code for number, code in enumerate(modules)})
    return pytester.runpytest_subprocess("--disable-plugin-autoload", "--continue-on-collection-errors", *options)


def test_a_skip_without_a_listed_reason_fails_the_run(pytester: pytest.Pytester) -> None:
    result = run(pytester, SKIPS, SKIPPED_MODULE)
    result.assert_outcomes(passed=1, failed=2, errors=2)
    for reason in ("not today", "not ever", "not yet", "not here"):
        result.stdout.fnmatch_lines_random([f"*not in tests/allowed_skips.txt: {reason}*"])


@pytest.mark.parametrize("options", [(), SIDE_BY_SIDE], ids=["one after the other", "side by side"])
def test_a_process_that_outlives_the_run_is_ended_and_fails_it(
    pytester: pytest.Pytester, options: Sequence[str]
) -> None:
    result = run(pytester, LEFT_RUNNING, options=options)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["LEFT RUNNING by a test: * sleep 1000"])
    assert is_over(int((pytester.path / "pid").read_text()))


def is_over(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
