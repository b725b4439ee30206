"""However cells are scheduled, they end as if they had run one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.support.seeds import FRESH
from tests.workflow.schedules import problem
from trailbook.settings import Settings
from trailbook.workflow.workbench import Workbench


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """No Spark: only Python."""
    bench = Workbench(replace(Settings(), data=tmp_path_factory.mktemp("data"), workers=4))
    yield bench
    bench.close()


@pytest.mark.parametrize("seed", [*range(180), *range(FRESH, FRESH + 20)])
def test_random_notebooks_end_as_in_a_serial_run(bench: Workbench, seed: int) -> None:
    assert (found := problem(bench, seed)) is None, f"seed {seed}\n{found}"
