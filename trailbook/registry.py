"""How a new cell kind, source or other part joins in: one new file that registers itself."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from contextlib import suppress
from typing import Generic, TypeVar

from trailbook.errors import NotFound

Part = TypeVar("Part")


class Registry(Generic[Part]):
    """The parts of one sort by name; the modules of `package` are imported on first use."""

    def __init__(self, noun: str, package: str) -> None:
        self.noun = noun
        self._package = package
        self._parts: dict[str, Part] = {}
        self._complete = False

    def add(self, name: str, part: Part) -> None:
        if name in self._parts:
            raise ValueError(f"two {self.noun}s are called {name!r}")
        self._parts[name] = part

    def get(self, name: str) -> Part:
        """The part of that name, or an error that lists the names there are."""
        if name not in self._parts:
            self._import_named(name)
        if name not in self._parts:
            self._import_all()
        try:
            return self._parts[name]
        except KeyError:
            known = ", ".join(sorted(self._parts))
            raise NotFound(f"There is no {self.noun} {name!r}. Known: {known}.", known=sorted(self._parts)) from None

    def __iter__(self) -> Iterator[tuple[str, Part]]:
        self._import_all()
        return iter(sorted(self._parts.items()))

    def _import_named(self, name: str) -> None:
        """Most parts are in the file of their name: the others, and what those import, need not be loaded for it."""
        with suppress(ModuleNotFoundError):
            if name.isidentifier():
                importlib.import_module(f"{self._package}.{name}")

    def _import_all(self) -> None:
        if self._complete:
            return
        package = importlib.import_module(self._package)
        for module in pkgutil.iter_modules(package.__path__, f"{self._package}."):
            importlib.import_module(module.name)
        self._complete = True
