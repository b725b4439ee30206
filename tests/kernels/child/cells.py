"""Processes of cells, played by one: each has names and classes of its own."""

from __future__ import annotations

import builtins
import linecache
import sys
from typing import Any

import pytest

from trailbook.kernels.child.execute import CellModule
from trailbook.kernels.child.values import keeping, packed
from trailbook.kernels.child.values.notebook import Notebook
from trailbook.kernels.child.values.packed import Packed


class Names(dict[str, Any]):
    """The globals of a cell that nothing stands above."""


class Cell:
    """Runs code, and packs and loads names."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names = Names(__name__="__main__", __builtins__=builtins)
        self.notebook = Notebook(self.names)
        self._monkeypatch = monkeypatch

    def run(self, code: str, file: str = "<cell>") -> Cell:
        self._monkeypatch.setitem(sys.modules, "__main__", CellModule(self.names))  # type: ignore[arg-type]
        self._monkeypatch.setitem(linecache.cache, file, (len(code), None, code.splitlines(keepends=True), file))
        exec(compile(code, file, "exec", dont_inherit=True), self.names)
        return self

    def pack(self, *names: str) -> Packed:
        return keeping.pack(self.notebook, {name: self.names[name] for name in names})

    def load(self, content: Packed) -> Cell:
        self.names.update(packed.unpack(packed.content(content), self.notebook.unpickler))
        return self
