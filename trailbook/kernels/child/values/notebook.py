"""What values mean by "here": where functions find their globals, and instances their classes."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from types import CodeType
from typing import IO, Any, Protocol

from trailbook.kernels.child.values.classes import Classes, ClassState


class Above(Protocol):
    """What the cells above left of classes."""

    def load_class_state(self, state: ClassState) -> None:
        """Bring a class up to date."""

    def has_class_state(self, name: str) -> bool:
        """Whether there is a class of that state."""


class Notebook:
    """The global names of this process, and its classes. Nothing is `above` what is only loaded to be compared."""

    def __init__(self, namespace: dict[str, Any], above: Above | None = None) -> None:
        self.namespace = namespace
        self.classes = Classes(lambda name: above is not None and above.has_class_state(name))
        self.made_code: list[CodeType] = []
        self._above = above

    def load_class_state(self, state: ClassState) -> None:
        if self._above:
            self._above.load_class_state(state)

    def take_code(self) -> list[CodeType]:
        """The code of the functions that were loaded since this was asked last."""
        taken, self.made_code = self.made_code, []
        return taken

    def unpickler(self, file: IO[bytes], buffers: Iterable[memoryview]) -> ValueUnpickler:
        return ValueUnpickler(self, file, buffers)

    def for_comparison(self) -> Notebook:
        """Another one with the same names, and classes of its own."""
        return Notebook(self.namespace)


class ValueUnpickler(pickle.Unpickler):
    """Gives functions the names of this notebook as globals, and instances its classes."""

    def __init__(self, notebook: Notebook, file: IO[bytes], buffers: Iterable[memoryview]) -> None:
        super().__init__(file, buffers=buffers)
        self._notebook = notebook

    def persistent_load(self, pid: Any) -> Any:
        match pid:
            case "notebook":
                return self._notebook
            case "namespace":
                return self._notebook.namespace
        return pid

    def find_class(self, module: str, name: str) -> Any:
        return self._notebook.namespace[name] if module == "__main__" else super().find_class(module, name)
