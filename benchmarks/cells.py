"""How fast cells are, beside nbclient, papermill and marimo in the same run.

`cold`: a notebook of 16 cells from the command line, in seconds; one of trivial cells, one of pandas, and four cells
that sleep 2 s each. `warm`: the same on a server that is up, where the others have a kernel that has run before.
`edit`: from the request that changes a cell until its client knows that all is done, in milliseconds: one trivial
cell, and the first of a chain of 16. `frames`: how long a fresh cell takes to have a table as pandas, beside
unpickling it, in milliseconds.

All are medians of rounds in which each has its turn; ROUNDS=n does more or fewer. The last line is JSON.
"""

from __future__ import annotations

import json
import os
import pickle
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks import _notebooks as notebooks
from benchmarks._notebooks import Codes
from benchmarks._peers import Jupyter, Marimo, commands, live
from benchmarks._trailbook import Bench, Book, seconds, served

ROUNDS = int(os.environ.get("ROUNDS", "5"))
EDITS = 10 * ROUNDS
TWO_WORKERS = {"TRAILBOOK_WORKERS": "2"}
NOTEBOOKS: Mapping[str, Callable[[], Codes]] = {
    "trivial": notebooks.trivial,
    "pandas": notebooks.pandas,
    "sleepers": notebooks.sleepers,
}
FRAMES = {
    "100k numbers": "pd.DataFrame(np.random.default_rng(1).random((100_000, 4)), columns=list('abcd'))",
    "5M numbers": "pd.DataFrame(np.random.default_rng(1).random((5_000_000, 4)), columns=list('abcd'))",
    "100k texts": "pd.DataFrame({'id': range(100_000), 'name': [f'name-{i % 5000}' for i in range(100_000)]})",
    "1M texts": "pd.DataFrame({'id': range(1_000_000), 'name': [f'name-{i}' for i in range(1_000_000)]})",
}
LOOK = (
    "begin = __import__('time').perf_counter()\nlen(frame)\nprint(1000 * (__import__('time').perf_counter() - begin))"
)

Figures = dict[str, dict[str, float]]


def in_turn(actions: Mapping[str, Callable[[], float]], rounds: int, digits: int) -> dict[str, float]:
    """The median of what each action measures."""
    found = [{name: action() for name, action in actions.items()} for _ in range(rounds)]
    return {name: round(statistics.median(one[name] for one in found), digits) for name in actions}


def cold(codes: Codes, folder: Path) -> dict[str, float]:
    folder.mkdir()
    ours = [sys.executable, "-m", "trailbook.cli.main", "run", str(folder / "notebook.ipynb")]
    asked = {"trailbook": ours, **commands(codes, folder)}

    for command in asked.values():
        _run(command)  # What is written at the first time, such as compiled modules, is there from then on.
    return in_turn({name: partial(_run, command) for name, command in asked.items()}, ROUNDS, 2)


def _run(command: Sequence[str]) -> float:
    env = {**os.environ, **TWO_WORKERS}
    return seconds(lambda: subprocess.run(command, check=True, env=env, capture_output=True))


def warm(bench: Bench, jupyter: Jupyter, marimo: Marimo, codes: Codes) -> dict[str, float]:
    """A notebook that has not run, where another one ran before."""
    number = count()

    def anew() -> Codes:
        """Text that was not run yet, so that no results are there to be used again."""
        return [f"{code}\n# {next(number)}" for code in codes]

    def ours() -> float:
        with bench.book(anew()) as book:
            return book.run()

    actions: Mapping[str, Callable[[], float]] = {
        "trailbook": ours,
        "jupyter": lambda: seconds(lambda: jupyter.run(anew())),
        "marimo": lambda: seconds(lambda: marimo.run(dict(enumerate(anew())))),
    }
    in_turn(actions, 1, 3)
    return in_turn(actions, ROUNDS, 3)


def edits(bench: Bench, jupyter: Jupyter, marimo: Marimo, codes: Callable[[int], Codes]) -> dict[str, float]:
    """The first cell is changed, and with it all that depend on it. In Jupyter these are run by hand."""
    number = count(1000)
    with bench.book(codes(0)) as book:
        book.run()
        place = {i: i + 100 for i in range(len(codes(0)))}
        marimo.run({place[i]: code for i, code in enumerate(codes(0))})
        actions = {
            "trailbook": lambda: 1000 * book.edit(0, codes(next(number))[0]),
            "jupyter": lambda: 1000 * seconds(lambda: jupyter.run(codes(next(number)))),
            "marimo": lambda: 1000 * seconds(lambda: marimo.run({place[0]: codes(next(number))[0]})),
        }
        return in_turn(actions, EDITS, 1)


def frames(bench: Bench, folder: Path) -> Figures:
    found = {}
    for name, made in FRAMES.items():
        path = folder / "frame.pickle"
        frame: pd.DataFrame = eval(made, {"pd": pd, "np": np})
        path.write_bytes(pickle.dumps(frame, protocol=pickle.HIGHEST_PROTOCOL))
        del frame
        number = count()
        with bench.book([f"import numpy as np\nimport pandas as pd\nframe = {made}", LOOK]) as book:
            book.run()

            actions = {"trailbook": partial(_looked, book, number), "pickle": partial(_unpickled, path)}
            found[name] = in_turn(actions, ROUNDS, 1)
    return found


def _looked(book: Book, number: Iterator[int]) -> float:
    book.edit(1, f"{LOOK}\n# {next(number)}")
    return float(book.printed(1))


def _unpickled(path: Path) -> float:
    return 1000 * seconds(lambda: pickle.loads(path.read_bytes()))


def main() -> None:
    figures: dict[str, Figures] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures["cold_seconds"] = _told({kind: cold(codes(), folder / kind) for kind, codes in NOTEBOOKS.items()})
        with served(folder, env=TWO_WORKERS) as bench, live(folder) as (jupyter, marimo):
            figures["warm_seconds"] = _told(
                {kind: warm(bench, jupyter, marimo, codes()) for kind, codes in NOTEBOOKS.items()}
            )
            one = edits(bench, jupyter, marimo, lambda number: [f"a = {number}"])
            figures["edit_ms"] = _told({"one": one, "cascade": edits(bench, jupyter, marimo, notebooks.chain)})
            figures["frame_ms"] = _told(frames(bench, folder))
    print(json.dumps({"benchmark": "cells", **figures}))


def _told(figures: Figures) -> Figures:
    """The figures, which are shown as soon as they are there."""
    for kind, found in figures.items():
        print(f"{kind}: {json.dumps(found)}", flush=True)
    return figures


if __name__ == "__main__":
    main()
