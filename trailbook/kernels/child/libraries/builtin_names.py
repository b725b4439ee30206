"""Tells when one of Python's own names gets another meaning, as tests of code like to do."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import ModuleType
from typing import Any


class _Watched(ModuleType):
    """The module `builtins`, which is otherwise as it was."""

    on_change: Callable[[str], None]

    def __setattr__(self, name: str, value: Any) -> None:
        type(self).on_change(name)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        type(self).on_change(name)
        super().__delattr__(name)


def watch_builtins(on_change: Callable[[str], None]) -> None:
    """Call with each name before its meaning changes."""
    watched = type("builtins", (_Watched,), {"on_change": staticmethod(on_change)})
    builtins.__class__ = watched
