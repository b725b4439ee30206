"""`%%capture`: what a cell prints and shows is kept instead."""

from __future__ import annotations

import builtins
import io
import sys
from typing import Any

from trailbook.kernels.child.ipython.stub import Bundle
from trailbook.kernels.child.shown.display import Handle, handle_of


class Captured:
    """Takes everything from when it is made until it is stopped."""

    def __init__(self) -> None:
        self.stdout = self.stderr = ""
        self.outputs: list[Any] = []
        self._before = (sys.stdout, sys.stderr, builtins.display)  # type: ignore[attr-defined]
        self._taken = (io.StringIO(), io.StringIO())
        sys.stdout, sys.stderr = self._taken
        builtins.display = _Taker(self.outputs)  # type: ignore[attr-defined]

    def stop(self) -> None:
        sys.stdout, sys.stderr, builtins.display = self._before  # type: ignore[attr-defined]
        self.stdout, self.stderr = (text.getvalue() for text in self._taken)
        # Neither can be stored, and the captured text is a value that later cells read.
        del self._before, self._taken
        if pyplot := sys.modules.get("matplotlib.pyplot"):
            pyplot.close("all")

    def show(self) -> None:
        """Print and show it after all."""
        sys.stdout.write(self.stdout)
        sys.stderr.write(self.stderr)
        builtins.display(*self.outputs)  # type: ignore[attr-defined]

    __call__ = show

    def __str__(self) -> str:
        return self.stdout


class _Taker:
    """Stands in for `display`."""

    def __init__(self, outputs: list[Any]) -> None:
        self._outputs = outputs
        self._places: dict[str, int] = {}

    def __call__(
        self, *values: Any, raw: bool = False, display_id: object = None, update: bool = False, **_: Any
    ) -> Handle | None:
        handle = handle_of(display_id)
        for value in map(Bundle, values) if raw else values:
            self._take(value, handle.display_id if handle else None, update)
        return handle

    def clear(self, wait: bool = False) -> None:
        self._outputs.clear()
        self._places.clear()

    def _take(self, value: Any, id: str | None, update: bool) -> None:
        if update and id in self._places:
            self._outputs[self._places[id]] = value
            return
        if id is not None:
            self._places[id] = len(self._outputs)
        self._outputs.append(value)
