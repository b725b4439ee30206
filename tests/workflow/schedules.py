"""Random notebooks, run side by side with wrong forecasts and edits meanwhile, held against a plain serial run."""

from __future__ import annotations

import contextlib
import io
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from unittest import mock

from trailbook.kernels.forecast import Forecast, combined, forecast
from trailbook.model.base import BranchId, CellHandle
from trailbook.model.edits import CellEdit, DeleteCell, InsertCell, MoveCell, UpdateCell
from trailbook.model.notebook import VersionRef
from trailbook.model.runs import CellState, TextMessage
from trailbook.workflow import resolve
from trailbook.workflow.workbench import Workbench

NAMES = ("a", "b", "c", "d")
STATEMENTS = (
    "{x} = {n}",
    "{x} = [{n}, {m}]",
    "{x} = {y}",
    "{x} = [{y}, {n}]",
    "{x} = dict(k={n})",
    "{x} = {{{n} % 8, {m} % 8}}",
    "print({x})",
    "print(size({x}), size({y}))",
    "if isinstance({x}, list): {x}.append({n})",
    "if isinstance({x}, dict): {x}['k'] = {n}",
    "if isinstance({x}, list) and len({x}) > 1: {y} = {m}",
    "exec('{x} = {n}')",
    "globals()['{x}'] = {n}",
    "print(globals().get('{x}'))",
    "print('{x}' in globals())",
    "print(sorted(name for name in list(globals()) if name in 'abcd'))",
    "globals().pop('{x}', None)",
    "del {x}",
    "grow({x}, {n})",
    "{x} = pair({y})",
    "put('{x}', {n})",
    "set_global({n})",
    "print(counter())",
    "print(show())",
    "{x} = Box({y}); print({x})",
    "Box.made += 1; print(Box.made)",
    "if hasattr({x}, 'value'): type({x}).made = {n}",
    "if hasattr({x}, 'value'): print(type({x}).made, type({x}) is type({y}), isinstance({x}, Box))",
    "Box.kept = {x}",
    "grow(Box.kept, {n})",
    "class Box(Shown): made = {e}",
    "del Box",
    "for {x} in range({n} % 3): print({x})",
    "try:\n    print({x})\nexcept Exception:\n    print('absent')",
    "if size({x}) > 2: 1 / 0",
    "raise ValueError({n})",
    "def show(): return size({x})",
    "import json as {x}",
    "{f} = pd.DataFrame({{'k': [{n}, {m}]}})",
    "{f}['z'] = {n}",
    "{f}.loc[0, 'k'] = {n}",
    "{f} = {g}[{g}['k'] > {n} % 4]",
    "{f}.drop(columns='z', inplace=True, errors='ignore')",
    "print({f}.to_dict('list'))",
    "if len({f}) > 1: {x} = {n}",
    "del {f}",
    "open('file{e}', 'a').write('{m}')",
    "print(open('file{e}').read())",
    "print(os.path.exists('file{e}'))",
    "print(sorted(os.listdir()))",
    "if os.path.exists('file{e}'): os.remove('file{e}')",
    "os.makedirs('sub', exist_ok=True)",
    "open('sub/file{e}', 'w').write('{m}')",
    "print(open('sub/file{e}').read())",
    "print(sorted(os.listdir('sub')))",
    "os.replace('file{e}', 'sub/file{e}')",
    "if os.path.exists('sub/file{e}'): os.replace('sub/file{e}', 'file{e}')",
    "if os.path.isdir('sub') and not os.path.exists('moved'): os.rename('sub', 'moved')",
    "shutil.rmtree('sub', ignore_errors=True)",
    "random.seed({n})",
    "{x} = random.randint(0, 99)",
    "os.environ['SEASON'] = '{n}'",
    "print(os.environ['SEASON'])",
    "pd.options.display.max_rows = {n}",
    "print(pd.options.display.max_rows)",
)
FRAMES = ("p", "q")
"""Frames have names of their own: two names for one frame are two frames for the next cell."""
PRELUDE = """
import os, random, shutil
import pandas as pd
random.seed(1)
os.environ['SEASON'] = 'none'
pd.options.display.max_rows = 60
p, q = pd.DataFrame({'k': [1, 2]}), pd.DataFrame({'k': [3], 'z': [4]})
def size(value): return len(value) if hasattr(value, '__len__') else 1
def grow(value, n):
    if isinstance(value, list): value.append(n)
def pair(value): return [value, value]
def put(name, n): globals()[name] = n
def set_global(n):
    global a
    a = n
def make_counter():
    n = 0
    def count():
        nonlocal n
        n += 1
        return n
    return count
counter = make_counter()
def show(): return 'nothing'
class Shown:
    kept = None
    def __init__(self, value): self.value = value
    def __repr__(self): return f'Box({self.value!r}, {self.made}, {self.kept})'
class Box(Shown): made = 0
a, b = [1], 2
"""
ENDING = "\n".join(f"try: print('{name}', {name})\nexcept Exception: print('{name} absent')" for name in NAMES)
ENDING += "\n" + "\n".join(
    f"try: print('{name}', {name}.to_dict('list'))\nexcept Exception: print('{name} absent')" for name in FRAMES
)


@dataclass(frozen=True)
class Outcome:
    """What a cell printed, and whether it failed."""

    printed: str
    failed: bool
    error: str = field(default="", compare=False)


class Case:
    """A random notebook, edits to it, and how to get its forecasts wrong."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.seed = seed
        count = self.random.randint(3, 8)
        self.codes = [self._marked(PRELUDE), *(self.code() for _ in range(count)), self._marked(ENDING)]

    def code(self) -> str:
        choose = self.random.choice
        lines = [f"import time; time.sleep({choose([0, 0, 0.01, 0.03])})"]
        for _ in range(self.random.randint(1, 3)):
            x, y = choose(NAMES), choose(NAMES)
            n, m = self.random.randint(0, 9), self.random.randint(0, 9)
            lines.append(choose(STATEMENTS).format(x=x, y=y, e=n % 2, f=choose(FRAMES), g=choose(FRAMES), n=n, m=m))
        return self._marked("\n".join(lines))

    def _marked(self, code: str) -> str:
        """Like no cell of another case, whose results would stand for it."""
        return f"{code}\n# case {self.seed}"

    def mistaken(self, told: Sequence[Forecast]) -> list[Forecast]:
        """The forecasts with reads and writes left out and others put in."""
        return [self._mistaken(each) for each in combined(told)]

    def _mistaken(self, told: Forecast) -> Forecast:
        if self.random.random() < 0.4:
            return told
        some = frozenset(name for name in (*NAMES, "Box", "counter") if self.random.random() < 0.3)
        fewer = frozenset(name for name in told.reads if self.random.random() < 0.5)
        return replace(told, reads=fewer | some, writes=(told.writes - some) | frozenset(some - told.writes))


class Failing(dict[str, Any]):
    """The names of a plain interpreter, some of which can't be read."""

    def __init__(self) -> None:
        super().__init__(__name__="__main__")
        self.failed: set[str] = set()
        self.folder = tempfile.TemporaryDirectory()

    def __missing__(self, name: str) -> Any:
        raise RuntimeError(name) if name in self.failed else KeyError(name)

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self.failed

    def get(self, name: str, default: Any = None) -> Any:
        if name in self:
            return self[name]
        return default

    def __delitem__(self, name: str) -> None:
        if super().__contains__(name) or name not in self.failed:
            super().__delitem__(name)
        self.failed.discard(name)

    def pop(self, name: str, *default: Any) -> Any:
        self.get(name)
        self.failed.discard(name)
        return super().pop(name, *default)

    def keys(self) -> Any:
        return dict.fromkeys([*super().keys(), *self.failed]).keys()

    def __iter__(self) -> Any:
        return iter(self.keys())

    def run(self, code: str) -> Outcome:
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed), contextlib.chdir(self.folder.name):
                exec(code, self)
        except Exception:
            return Outcome(printed.getvalue(), failed=True)
        self.failed = {name for name in self.failed if not super(Failing, self).__contains__(name)}
        return Outcome(printed.getvalue(), failed=False)

    def lose(self, names: frozenset[str]) -> None:
        """Names that can't be read any more."""
        self.failed |= names
        for name in names:
            super().pop(name, None)


def serially(codes: Sequence[str]) -> list[Outcome]:
    """What the cells do one after the other in one interpreter, where one that fails leaves nothing behind.

    To get rid of what a failed cell did, those before it are run again.
    """
    outcomes: list[Outcome] = []
    names = Failing()
    for number, code in enumerate(codes):
        outcomes.append(names.run(code))
        if outcomes[-1].failed:
            names = Failing()
            for earlier, outcome in zip(codes[:number], outcomes, strict=False):
                if outcome.failed:
                    names.lose(forecast(earlier).changes)
                else:
                    names.run(earlier)
            names.lose(forecast(code).changes)
    return outcomes


class Book:
    """A notebook of an open workbench."""

    def __init__(self, bench: Workbench, codes: Sequence[str]) -> None:
        self.bench = bench
        self.branch = BranchId(bench.create_project("Project", bench.person.id).branch)
        for number, code in enumerate(codes):
            after = self.handles[number - 1] if number else None
            self.edit(InsertCell(kind="python", after=after, parameters={"code": code}))

    @property
    def handles(self) -> list[CellHandle]:
        return [cell.handle for cell in self.bench.head(self.branch).cells]

    @property
    def codes(self) -> list[str]:
        return [str(cell.parameters["code"]) for cell in self.bench.head(self.branch).cells]

    def edit(self, change: CellEdit) -> None:
        ref = VersionRef(branch=self.branch, number=self.bench.branch(self.branch).head)
        self.bench.edit(ref, change, self.bench.person.id, branch_name=None, at_head=True)

    def undo(self) -> None:
        self.bench.step(self.branch, self.bench.branch(self.branch).head, "undo", self.bench.person.id)

    def outcomes(self) -> list[Outcome]:
        """How the cells stand once nothing runs any more."""
        live = self.bench._runner(self.branch).live
        until = time.monotonic() + 60
        while live().active:
            assert time.monotonic() < until, "the cells don't come to an end"
            time.sleep(0.005)
        found = []
        for cell in self.bench.head(self.branch).cells:
            assert cell.run, cell
            assert cell.state in (CellState.DONE, CellState.ERROR), cell
            texts = [message for message in cell.run.messages if isinstance(message, TextMessage)]
            printed = "".join(message.text for message in texts if message.stream == "stdout")
            error = cell.run.error.message if cell.run.error else ""
            found.append(Outcome(printed, failed=cell.state is CellState.ERROR, error=error))
        return found


def random_edit(case: Case, book: Book) -> CellEdit:
    handles, choose = book.handles, case.random.choice
    middle = handles[1:-1]
    match case.random.randrange(4):
        case 0 if middle:
            return UpdateCell(handle=choose(middle), parameters={"code": case.code()})
        case 1 if len(middle) > 1:
            return DeleteCell(handle=choose(middle))
        case 2 if len(middle) > 1:
            moved, after = case.random.sample(middle, 2)
            return MoveCell(handle=moved, after=after)
    return InsertCell(kind="python", after=choose(handles[:-1]), parameters={"code": case.code()})


def problem(bench: Workbench, seed: int) -> str | None:
    """How the outcome of a random notebook differs from that of a serial run, if it does.

    It is edited while its cells run, and when they are done: then most of their results are used again.
    """
    case = Case(seed)
    with mistaken_forecasts(case):
        book = Book(bench, case.codes)
        edits = 0
        for _ in range(case.random.randrange(5)):
            wait = case.random.choice([0, 0.01, 0.05, None])
            if wait is None and (found := difference(book)):
                return found
            time.sleep(wait or 0)
            if edits and case.random.random() < 0.2:
                book.undo()
                edits -= 1
            else:
                book.edit(random_edit(case, book))
                edits += 1
        return difference(book)


def difference(book: Book) -> str | None:
    found, codes = book.outcomes(), book.codes
    expected = serially([code.partition("\n# case")[0].replace("time.sleep", "float") for code in codes])
    if found == expected:
        return None
    return "\n".join(
        f"--- cell {number}{'' if mine == plain else ' DIFFERS'}\n{code}\n>>> {mine}\n=== {plain}"
        for number, (code, mine, plain) in enumerate(zip(codes, found, expected, strict=True), 1)
    )


@contextlib.contextmanager
def mistaken_forecasts(case: Case) -> Iterator[None]:
    with mock.patch.object(resolve, "combined", case.mistaken):
        yield
