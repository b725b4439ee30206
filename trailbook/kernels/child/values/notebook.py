"""What values mean by "here": where functions find their globals, and instances their classes."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from types import CodeType
from typing import IO, Any

from trailbook.kernels.child.values.classes import Classes


class Notebook:
    """The global names of this process, and the classes that it has. `look_up` brings in a name from above.

    Values that are only loaded to be compared are in a notebook of their own, with the `original` to refer to.
    """

    def __init__(
        self, namespace: dict[str, Any], look_up: Callable[[str], object], original: Notebook | None = None
    ) -> None:
        self.namespace = namespace
        self.classes = Classes()
        self.made_code: list[CodeType] = []
        self._look_up = look_up
        self._original = original

    def look_up_owner(self, qualname: str) -> None:
        """Have the name looked up that may hold the class."""
        if "<locals>" not in qualname:
            self._look_up(qualname.partition(".")[0])

    def owner_of(self, cls: type) -> str | None:
        """The name through which the notebook reaches a class, and that thus holds its attributes."""
        if self._original is not None:
            key = self.classes.key(cls)
            live = self._original.classes.find(key) if key else None
            return self._original.owner_of(live) if live else None
        top, *path = cls.__qualname__.split(".")
        found = dict.get(self.namespace, top)
        for part in path:
            found = vars(found).get(part) if isinstance(found, type) else None
        return top if found is cls else None

    def take_code(self) -> list[CodeType]:
        """The code of the functions that were loaded since this was asked last."""
        taken, self.made_code = self.made_code, []
        return taken

    def unpickler(self, file: IO[bytes], buffers: Iterable[memoryview]) -> ValueUnpickler:
        return ValueUnpickler(self, file, buffers)

    def for_comparison(self) -> Notebook:
        """Another one with the same names, and classes of its own."""
        return Notebook(self.namespace, lambda _: None, self)


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
