"""How far a cell is, by the bars of tqdm."""

from __future__ import annotations

import pytest

from tests.kernels.conftest import Bench


@pytest.mark.parametrize("module", ["tqdm", "tqdm.auto", "tqdm.std"])
def test_a_bar_tells_how_far_the_cell_is_besides_its_text(bench: Bench, module: str) -> None:
    run = bench.run(f"from {module} import tqdm\nfor _ in tqdm(range(3), desc='files'):\n    pass")
    last = run.progress[-1]
    assert (last.label, last.done, last.total) == ("files", 3, 3)
    assert "files: 100%" in run.text("stderr")


def test_of_bars_within_bars_the_outermost_is_told_of(bench: Bench) -> None:
    code = (
        "from tqdm import tqdm\nfor _ in tqdm(range(2), desc='outer'):\n"
        "    for _ in tqdm(range(5), desc='inner', disable=False):\n        pass\n"
        "for _ in tqdm(range(4), desc='later'):\n    pass"
    )
    told = [(one.label, one.done) for one in bench.run(code).progress]
    assert {label for label, _ in told} == {"outer", "later"}
    assert told[-1] == ("later", 4)
