"""The global names of a cell: what it assigned, and behind that the datasets, loaded when first looked up."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from typing import Any

from trailbook.kernels.child.scope import Scope

OWN_NAMES = ("display", "spark", "tb")
"""Names that Trailbook gives a meaning in every cell."""


class Namespace(dict[str, Any]):
    """Python asks `__missing__` for every global that was not assigned, from inside functions, too."""

    def __init__(self, scope: Scope, session: Callable[[], Any], **given: Any) -> None:
        super().__init__(given, __name__="__main__", __builtins__=builtins)
        self._scope = scope
        self._session = session
        self._deleted: set[str] = set()

    def __missing__(self, name: str) -> Any:
        if not self._offers(name):
            raise KeyError(name)
        self[name] = self._session() if name == "spark" else self._scope.dataset(name).pandas()
        return self[name]

    def __delitem__(self, name: str) -> None:
        if name in self._scope:
            self._deleted.add(name)
            self.pop(name, None)
        else:
            super().__delitem__(name)

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (isinstance(name, str) and self._offers(name))

    def get(self, name: str, default: Any = None) -> Any:
        # The lookup loads a dataset, which dict.get would not.
        if name in self:
            return self[name]
        return default

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def keys(self) -> Any:
        """All names, so that dir() lists the datasets as well."""
        return dict.fromkeys([*super().keys(), *(name for name in self._scope if name not in self._deleted)]).keys()

    def load(self, names: set[str]) -> None:
        """Bring in datasets before they are looked up; those that can't be read are left to be missed."""
        for name in names:
            if name in self._scope.unavailable:
                self._scope.record_read(name)
            else:
                self.get(name)

    def _offers(self, name: str) -> bool:
        if name in OWN_NAMES:
            return name == "spark"
        if name in self._deleted or name.startswith("__"):
            return False
        self._scope.record_read(name)
        return name in self._scope
