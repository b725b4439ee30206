"""Tells how far a cell is by the bars of tqdm, if it imports tqdm."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from trailbook.kernels.child.libraries.importing import when_imported


class Bars:
    """The bars that are open. Of bars within bars, the outermost is told of."""

    def __init__(self, tell: Callable[[int, int | None, str], None]) -> None:
        self._tell = tell
        self._open: list[Any] = []

    def follow(self) -> None:
        when_imported("tqdm.std", self._follow)

    def _follow(self) -> None:
        bar = sys.modules["tqdm.std"].tqdm
        bar.refresh = _followed(bar.refresh, self._moved)
        bar.close = _followed(bar.close, self._closed)

    def _moved(self, bar: Any) -> None:
        if not self._is_open(bar):
            self._open.append(bar)
        if bar is self._open[0]:
            self._tell(bar.n, bar.total, (bar.desc or "").removesuffix(": "))

    def _closed(self, bar: Any) -> None:
        # A bar that is disabled never moved.
        if self._is_open(bar):
            self._moved(bar)
            self._open = [one for one in self._open if one is not bar]

    def _is_open(self, bar: Any) -> bool:
        # Bars compare by their place on the screen.
        return any(one is bar for one in self._open)


def _followed(plain: Callable[..., Any], then: Callable[[Any], None]) -> Callable[..., Any]:
    @functools.wraps(plain)
    def method(bar: Any, *args: Any, **kwargs: Any) -> Any:
        done = plain(bar, *args, **kwargs)
        then(bar)
        return done

    return method
