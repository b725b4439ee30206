"""The global names of a cell: what it assigned, and behind that what the cells above left, loaded when looked up."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from trailbook.kernels.child.errors import UnavailableValue
from trailbook.kernels.child.scope import STATE, Scope
from trailbook.kernels.child.values.above import Values

OWN_NAMES = ("display", "spark", "tb")
"""Names that Trailbook gives a meaning in every cell."""

PYTHON_NAMES = frozenset(dir(builtins))

_STAYS = re.compile(r"__.*__|_{1,3}|_\d+")
"""Names that never pass from cell to cell: Python's own, and those of interactive sessions for results."""


def flows(name: Any) -> bool:
    """Whether what a cell leaves under that name is there in the cells below."""
    if not isinstance(name, str) or name in OWN_NAMES or name.startswith(STATE):
        return False
    return _STAYS.fullmatch(name) is None


class Namespace(dict[str, Any]):
    """Python asks `__missing__` for every global that was not assigned, from inside functions, too."""

    def __init__(self, scope: Scope, session: Callable[[], Any]) -> None:
        super().__init__(__name__="__main__", __builtins__=builtins)
        self.values_above = Values(self, scope)
        self._scope = scope
        self._session = session
        self._deleted: set[str] = set()
        self._lent: dict[str, Any] = {}

    def __missing__(self, name: str) -> Any:
        if not self._offers(name):
            return self._lend(name)
        if name == "spark":
            self[name] = self._session()
        else:
            self.values_above.bring_in(name)
        return super().__getitem__(name)

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        if flows(name):
            self._deleted.add(name)
        super().pop(name, None)

    def __contains__(self, name: object) -> bool:
        return self.holds(name) or (isinstance(name, str) and self._offers(name))

    def get(self, name: str, default: Any = None) -> Any:
        # The lookup loads a value, which dict.get would not.
        if name in self:
            return self[name]
        return default

    def setdefault(self, name: str, default: Any = None) -> Any:
        if name not in self:
            self[name] = default
        return self[name]

    def pop(self, name: str, *default: Any) -> Any:
        if name not in self:
            return super().pop(name, *default)
        value = self[name]
        del self[name]
        return value

    def clear(self) -> None:
        for name in list(self):
            del self[name]

    def copy(self) -> dict[str, Any]:
        return {name: self[name] for name in self}

    def __iter__(self) -> Any:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.keys())

    def keys(self) -> Any:
        """All names, so that dir() lists those of the cells above as well."""
        here = [name for name, _ in super().items() if self.holds(name)]
        above = [name for name in self._scope.every_name() if name not in here]
        return dict.fromkeys([*here, *(name for name in above if self._offers(name))]).keys()

    def values(self) -> Any:
        return self.copy().values()

    def items(self) -> Any:
        return self.copy().items()

    def own_items(self) -> list[tuple[str, Any]]:
        """What is here by now, of the names that flow on."""
        return [(name, value) for name, value in super().items() if flows(name) and self.holds(name)]

    def load(self, names: Iterable[str]) -> None:
        """Bring in values before they are looked up; those that can't be read are left to be missed."""
        for name in names:
            with suppress(UnavailableValue):
                self.get(name)

    def deleted(self) -> list[str]:
        """Names of the cells above that the cell did away with."""
        gone = self._deleted | self.values_above.brought_in
        return sorted(name for name in gone if not self.holds(name))

    def forget(self, name: str) -> None:
        """Look it up anew the next time, as if it had never been here."""
        super().pop(name, None)
        self._deleted.discard(name)
        self.values_above.forget(name)

    def still_offers(self, name: str) -> bool:
        """Whether a name would be brought in if it were looked up, provided that there is such a one above."""
        # In functions, `global` and `del` take names away without a word to this class.
        is_gone = name in self._deleted or name in self.values_above.brought_in
        return not is_gone and not self.holds(name)

    def holds(self, name: Any) -> bool:
        """Whether a name is here, assigned or brought in, and not only lent."""
        return super().__contains__(name) and not (name in self._lent and super().get(name) is self._lent[name])

    def _lend(self, name: str) -> Any:
        """Put a function of Python's own here: code in a loop would miss it each time, which takes long."""
        if name not in PYTHON_NAMES or not hasattr(builtins, name):
            raise KeyError(name)
        self._lent[name] = getattr(builtins, name)
        super().__setitem__(name, self._lent[name])
        return self._lent[name]

    def take_back(self, name: str) -> None:
        """To be told before another function is put in the place of one of Python's own."""
        if super().__contains__(name) and not self.holds(name):
            super().__delitem__(name)
        self._lent.pop(name, None)

    def _offers(self, name: str) -> bool:
        """Whether a name that is not here can be brought in."""
        if not flows(name):
            return name == "spark"
        if not self.still_offers(name):
            return False
        self._scope.record_read(name)
        return name in self._scope
