"""Finds out whether a cell's code seeds a generator, or only draws from it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

_SEEDING = ("seed", "setstate", "set_state")


class Seeds:
    """Whether seeds were set, and whether that was before anything was drawn."""

    def __init__(self) -> None:
        self.were_set = False
        self.came_first = False

    def watch(self, module: ModuleType, is_untouched: Callable[[], bool]) -> None:
        """Wrap the functions that seed a module's own generator."""
        for name in _SEEDING:
            if (plain := getattr(module, name, None)) is not None:
                setattr(module, name, self._watched(plain, is_untouched))

    def _watched(self, plain: Callable[..., Any], is_untouched: Callable[[], bool]) -> Callable[..., Any]:
        @functools.wraps(plain)
        def seed(*args: Any, **kwargs: Any) -> Any:
            # A seed from the system is none that a later cell could rely on.
            has_seed = (args[0] if args else next(iter(kwargs.values()), None)) is not None
            if has_seed and not self.were_set:
                self.came_first = is_untouched()
            self.were_set = has_seed
            return plain(*args, **kwargs)

        return seed
