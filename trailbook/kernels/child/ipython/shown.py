"""`IPython.display` in cells: what it shows is what the cell shows, whether IPython is installed or not."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import spec_from_loader
from types import ModuleType
from typing import Any

from trailbook.kernels.child.ipython import stub
from trailbook.kernels.child.shown.display import Handle

REAL = "IPython.core.display_functions"
"""Where IPython has the functions that `IPython.display` offers."""


def install() -> None:
    """From now on, whoever imports it gets functions that work here. Nobody may have imported it before."""
    sys.meta_path.insert(0, Finder())


class Finder(MetaPathFinder):
    """Finds the module with the functions, and stand-ins where IPython is not installed."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name == REAL:
            spec = PathFinder.find_spec(name, path)
            if spec and spec.loader:
                spec.loader = ReplacingLoader(spec.loader)
            return spec
        stubs = {"IPython": stub.PACKAGE, "IPython.display": {**stub.DISPLAY, **FUNCTIONS}}
        if name in stubs and PathFinder.find_spec(name, path) is None:
            return spec_from_loader(name, StubLoader(stubs[name]), is_package=name == "IPython")
        return None


class ReplacingLoader(Loader):
    """Loads the module, and puts our functions in place of its own."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        vars(module).update(FUNCTIONS)


class StubLoader(Loader):
    def __init__(self, names: dict[str, Any]) -> None:
        self._names = names

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        vars(module).update(self._names)


def display(*values: Any, **options: Any) -> Handle | None:
    # Looked up each time: what is captured is shown elsewhere.
    shown: Handle | None = builtins.display(*values, **options)  # type: ignore[attr-defined]
    return shown


def update_display(value: Any, *, display_id: str, **options: Any) -> None:
    display(value, display_id=display_id, update=True, **options)


def publish_display_data(
    data: dict[str, Any], metadata: object = None, *, transient: dict[str, Any] | None = None, **options: Any
) -> None:
    """Show one thing, of which `data` has the media types."""
    display(data, raw=True, display_id=(transient or {}).get("display_id"), **options)


def clear_output(wait: bool = False) -> None:
    builtins.display.clear(wait)  # type: ignore[attr-defined]


FUNCTIONS: dict[str, Any] = {
    "DisplayHandle": Handle,
    "clear_output": clear_output,
    "display": display,
    "publish_display_data": publish_display_data,
    "update_display": update_display,
}
