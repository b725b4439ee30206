"""What libraries keep to themselves, and cells rely on: seeds, options, the environment. Its names begin with @.

| name | what |
| --- | --- |
| `@random`, `@numpy.random` | the generators behind the functions of these modules, once something was seeded |
| `@numpy`, `@pandas`, `@matplotlib` | options and rcParams that are not as they are at first |
| `@environ`, `@path` | variables of the environment that were changed, and sys.path |
| `@warnings`, `@logging` | filters that the cell's code set; loggers with their levels and handlers |
| `@decimal`, `@locale` | the context of decimals, the locale |
| `@future` | what was imported from `__future__` |

The working directory does not flow on: each cell has its own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

from trailbook.kernels.child.libraries import library_state
from trailbook.kernels.child.libraries.importing import when_imported
from trailbook.kernels.child.libraries.seeds import Seeds

if TYPE_CHECKING:
    from trailbook.kernels.child.namespace import Namespace
    from trailbook.kernels.child.scope import Scope


@dataclass(frozen=True)
class Kind:
    """One kind of state, which goes with a module: `take` returns it, and `put` sets it."""

    name: str
    module: str
    take: Callable[[], Any]
    put: Callable[[Any], object]


OPTIONS = (
    Kind("@future", "__future__", library_state.features, library_state.set_features),
    Kind("@numpy", "numpy", library_state.numpy_options, library_state.set_numpy_options),
    Kind("@pandas", "pandas", library_state.pandas_options, library_state.set_pandas_options),
    Kind("@matplotlib", "matplotlib", library_state.rc_params, library_state.set_rc_params),
    Kind("@environ", "os", library_state.environment, library_state.set_environment),
    Kind("@path", "sys", library_state.module_path, library_state.set_module_path),
    Kind("@decimal", "decimal", library_state.decimal_context, library_state.set_decimal_context),
    Kind("@locale", "locale", library_state.locale_names, library_state.set_locale),
    Kind("@logging", "logging", library_state.loggers, library_state.set_loggers),
    Kind("@warnings", "warnings", library_state.own_filters, library_state.set_filters),
)
GENERATORS = (
    Kind("@random", "random", library_state.random_state, library_state.set_random_state),
    Kind("@numpy.random", "numpy.random", library_state.numpy_state, library_state.set_numpy_state),
)


OF_PYTHON = ("os", "sys", "warnings", "__future__", "logging", "decimal", "locale")
"""What code relies on without naming it."""


class LibraryState:
    """Restores at the start what the cells above left, and finds at the end what this cell changed."""

    def __init__(self, namespace: Namespace, scope: Scope, note: Callable[[str], None]) -> None:
        self._namespace = namespace
        self._scope = scope
        self._note = note
        self._before: dict[str, Any] = {}
        self._directory = os.getcwd()
        self._seeds = {kind.name: Seeds() for kind in GENERATORS}

    def restore(self) -> None:
        """As far as libraries are loaded: the rest is restored when they are."""
        library_state.note_start()
        for kind in (*OPTIONS, *GENERATORS):
            when_imported(kind.module, partial(self._restore, kind))

    def changed(self) -> dict[str, Any]:
        """The states that later cells need."""
        if os.getcwd() != self._directory:
            self._note("os.chdir holds for this cell only: each cell starts in a directory of its own.")
        now = {kind.name: kind.take() for kind in (*OPTIONS, *GENERATORS) if kind.name in self._before}
        return {name: state for name, state in now.items() if self._is_kept(name, state)}

    def record_reads(self, code: str) -> None:
        """What the cell relied on, or may have, however it ended: found as it is at first, too.

        A library may go by the options of another one, which the code never names.
        """
        uses_libraries = "import" in code or any(map(_is_library, self._used()))
        for kind in OPTIONS:
            if kind.module in OF_PYTHON or (uses_libraries and kind.module in sys.modules):
                self._scope.record_read(kind.name)
        for kind in self._drawn_from():
            self._scope.record_read(kind.name)

    def _used(self) -> Iterator[str]:
        """The packages of what the cell's names hold, and those that functions from above import."""
        for _, value in self._namespace.own_items():
            yield (value.__name__ if isinstance(value, ModuleType) else type(value).__module__).partition(".")[0]
            yield str(getattr(value, "__module__", None) or "").partition(".")[0]
        yield from (name.partition(".")[0] for name in self._namespace.values_above.mentioned if name in sys.modules)

    def drew_without_seed(self) -> bool:
        """Whether the code drew numbers that neither it nor a cell above had seeded."""
        return any(not self._scope.has_state(kind.name) for kind in self._drawn_from())

    def _drawn_from(self) -> list[Kind]:
        """The generators from which numbers were drawn before the code set a seed itself."""
        known = [kind for kind in GENERATORS if kind.name in self._before and not self._seeds[kind.name].came_first]
        return [kind for kind in known if kind.take() != self._before[kind.name]]

    def _restore(self, kind: Kind) -> None:
        if self._scope.has_state(kind.name):
            kind.put(self._namespace.values_above.load_state(kind.name))
            if kind in OPTIONS:
                self._scope.record_read(kind.name)
        before = self._before[kind.name] = kind.take()
        if kind in GENERATORS:
            self._seeds[kind.name].watch(sys.modules[kind.module], lambda: bool(kind.take() == before))

    def _is_kept(self, name: str, state: Any) -> bool:
        """Whether a state matters to later cells as it is now."""
        seeds = self._seeds.get(name)
        # A generator that was set to what it was has been set nevertheless: nobody asked what it was.
        if seeds and seeds.were_set:
            return True
        # Without a seed, numbers are drawn anew in each cell.
        return bool(state != self._before[name]) and (seeds is None or name in self._scope.packets)


def _is_library(package: str) -> bool:
    return package not in sys.stdlib_module_names and package not in ("", "__main__")
