"""What cells that come from Jupyter call in place of magics; `trailbook.formats.magics` writes the calls."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from trailbook.kernels.child.errors import CellProblem

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_EXPANSION = re.compile(r"\$\$|\{(?P<braced>[^{}]+)\}|\$(?P<name>[A-Za-z_]\w*)")

Names = dict[str, Any]


class MagicRefused(CellProblem):
    """A magic that has no meaning here, or is not allowed."""

    code = "magic_refused"


def refuse(reason: str) -> NoReturn:
    """Stand in for what is not done: the cell fails when it gets there."""
    raise MagicRefused(reason)


class Clock:
    """`%time`: runs from when it is made."""

    def __init__(self) -> None:
        self._before = os.times()
        self._start = time.perf_counter()

    def stop(self) -> None:
        wall = time.perf_counter() - self._start
        user, system = (b - a for a, b in zip(self._before[:2], os.times()[:2], strict=True))
        if user + system > 0:
            total = _duration(user + system)
            print(f"CPU times: user {_duration(user)}, sys: {_duration(system)}, total: {total}")
        print(f"Wall time: {_duration(wall)}")


@dataclass(frozen=True)
class TimeitResult:
    """What `%timeit -o` gives: seconds for each of the runs."""

    loops: int
    repeat: int
    timings: list[float]

    @property
    def average(self) -> float:
        return sum(self.timings) / len(self.timings)

    @property
    def stdev(self) -> float:
        return math.sqrt(sum((each - self.average) ** 2 for each in self.timings) / len(self.timings))

    @property
    def best(self) -> float:
        return min(self.timings)

    @property
    def worst(self) -> float:
        return max(self.timings)

    def __str__(self) -> str:
        runs = f"{self.repeat} run{'s' * (self.repeat != 1)}, {self.loops:,} loop{'s' * (self.loops != 1)} each"
        return f"{_duration(self.average)} ± {_duration(self.stdev)} per loop (mean ± std. dev. of {runs})"


def time_it(
    statement: str | Callable[[], Any],
    names: Names,
    *,
    setup: str = "pass",
    number: int = 0,
    repeat: int = 7,
    quiet: bool = False,
    output: bool = False,
) -> TimeitResult | None:
    """`%timeit`: run it again and again, and print how long it takes."""
    import timeit

    timer = timeit.Timer(statement, setup, globals=names)
    loops = number or timer.autorange()[0]
    result = TimeitResult(loops, repeat, [total / loops for total in timer.repeat(repeat, loops)])
    if not quiet:
        print(result)
    return result if output else None


def _duration(seconds: float) -> str:
    if seconds >= 60:
        minutes, rest = divmod(round(seconds), 60)
        return f"{minutes}min {rest}s"
    scale, unit = next(((scale, unit) for scale, unit in _UNITS if seconds >= scale), _UNITS[-1])
    return f"{seconds / scale:.3g} {unit}"


class Shown:
    """`%%html` and the like: a text to show as a media type."""

    def __init__(self, media_type: str, text: str) -> None:
        self._media_type = media_type
        self._text = text

    def __repr__(self) -> str:
        return self._text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {self._media_type: self._text}


def write_file(path: str, text: str, *, append: bool = False) -> None:
    """`%%writefile`"""
    path = os.path.expanduser(path)
    print(f"{'Appending to' if append else 'Overwriting' if os.path.exists(path) else 'Writing'} {path}")
    with open(path, "a" if append else "w", encoding="utf-8") as file:
        file.write(text)


def run_script(path: str, arguments: list[str], names: Names) -> None:
    """`%run`: the script's names are the cell's afterwards."""
    import runpy

    before, sys.argv = sys.argv, [path, *arguments]
    try:
        made = runpy.run_path(os.path.expanduser(path), run_name="__main__")
    finally:
        sys.argv = before
    names.update({name: value for name, value in made.items() if not name.startswith("__")})


def run_apart(code: str) -> None:
    """`%%python`: code that sees none of the cell's names, and leaves none."""
    exec(compile(code, "<cell>", "exec"), {"__name__": "__main__"})


def change_directory(path: str) -> None:
    """`%cd`"""
    os.chdir(os.path.expanduser(path or "~"))
    print(os.getcwd())


def print_names(names: Names) -> None:
    """`%who`"""
    own = sorted(name for name in names if not name.startswith("_") and name != "tb")
    print("\t ".join(own) or "Interactive namespace is empty.")


def shell(command: str, names: Names) -> None:
    """`!command`: what it prints, the cell prints."""
    sys.stdout.flush()
    subprocess.run(_expanded(command, names), shell=True, stdin=subprocess.DEVNULL)


def shell_lines(command: str, names: Names) -> list[str]:
    """`lines = !command`"""
    ended = subprocess.run(_expanded(command, names), shell=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    return ended.stdout.decode("utf-8", "replace").splitlines()


def run_program(program: list[str], text: str) -> None:
    """`%%bash` and the like: the cell fails if the program does."""
    sys.stdout.flush()
    subprocess.run(program, input=text.encode(), check=True)


def _expanded(command: str, names: Names) -> str:
    """With `$name` and `{expression}` as they are in the cell; what means nothing there is left to the shell."""

    def replaced(found: re.Match[str]) -> str:
        if found[0] == "$$":
            return "$"
        try:
            return str(eval(found["braced"] or found["name"], names))
        except Exception:
            return found[0]

    return _EXPANSION.sub(replaced, command)
