"""Pickles the values of the notebook, so that equal values have equal bytes, and finds out what they share.

Functions and classes of the notebook go by value, all that can be imported by name. Sets are ordered, so that the
seed of Python's hashes does not matter.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import IO, Any

from trailbook.kernels.child.values.classes import ClassState, reduce_class, reduce_class_state
from trailbook.kernels.child.values.functions import reduce_function
from trailbook.kernels.child.values.notebook import Notebook
from trailbook.kernels.child.values.reducers import REDUCERS, reduce_other
from trailbook.kernels.child.values.sharing import Arrays, is_mutable
from trailbook.kernels.child.values.stand_ins import SetStandIn, in_order

_ATOMS = frozenset({bool, bytes, complex, float, int, str, tuple, type(None), range, slice, type(...)})
_CONTAINERS = frozenset({bytearray, dict, list})
_ALIKE = frozenset({bytes, int, str})
"""Types whose values have one order among themselves."""


class ValuePickler(pickle.Pickler):
    """Packs names of the notebook; `ties` are the objects that must not be stored twice.

    Arrays over memory that belongs to one of `bases` are packed as views of it.
    """

    def __init__(
        self,
        notebook: Notebook,
        file: IO[bytes],
        buffer_callback: Callable[[pickle.PickleBuffer], object] | None = None,
        *,
        values: Mapping[str, Any] | None = None,
        bases: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__(file, 5, buffer_callback=buffer_callback)
        self.notebook = notebook
        self.ties: set[int] = set()
        self.arrays = Arrays(bases)
        self.frames: dict[int, Any] = {}
        self.defines: list[type] = []
        self.is_defining = False
        self.values = values or {}
        self._stand_ins: dict[int, SetStandIn] = {}
        self._ordering: frozenset[int] = frozenset()

    def for_definition(self, file: IO[bytes]) -> ValuePickler:
        """One that defines a class together with those that it refers to."""
        inner = ValuePickler(self.notebook, file)
        inner.is_defining = True
        return inner

    def number_of(self, cls: type) -> int:
        if cls not in self.defines:
            self.defines.append(cls)
        return self.defines.index(cls)

    def tie(self, value: Any) -> None:
        self.ties.add(id(value))

    def persistent_id(self, value: Any) -> Any:
        kind = type(value)
        if kind in _ATOMS:
            return None
        if kind in _CONTAINERS:
            self.ties.add(id(value))
        elif kind is set or kind is frozenset:
            return self._stand_in(value)
        elif value is self.notebook:
            return "notebook"
        elif value is self.notebook.namespace:
            return "namespace"
        return None

    def reducer_override(self, value: Any) -> Any:
        kind = type(value)
        if isinstance(value, type):
            return reduce_class(self, value)
        if kind is FunctionType:
            return reduce_function(self, value)
        if kind is SetStandIn:
            return value.reduced()
        if kind is ClassState:
            return reduce_class_state(self, value)
        if reduce := REDUCERS.get(kind):
            return reduce(self, value)
        return self._reduce_instance(value)

    def _reduce_instance(self, value: Any) -> Any:
        other = reduce_other(self, value)
        is_reference = other is not NotImplemented and other[0] is getattr
        if not is_reference and is_mutable(value):
            self.tie(value)
        if isinstance(value, set | frozenset) and other is NotImplemented:
            reduced: Any = value.__reduce_ex__(5)
            function, (elements, *more), *rest = reduced
            return function, (self.ordered(elements), *more), *rest
        return other

    def _stand_in(self, value: set[Any] | frozenset[Any]) -> Any:
        if type(value) is set:
            self.ties.add(id(value))
        if id(value) in self._ordering:
            return "this set"
        if id(value) not in self._stand_ins:
            self._stand_ins[id(value)] = SetStandIn(value, self.ordered(value))
        return self._stand_ins[id(value)]

    def ordered(self, elements: Iterable[Any]) -> list[Any]:
        """Elements in an order that depends on nothing but them."""
        listed = list(elements)
        # Sets of one object each that lead to each other, as Bokeh's models have them, would else be packed for ever.
        if len(listed) < 2:
            return listed
        kinds = set(map(type, listed))
        if len(kinds) == 1 and kinds <= _ALIKE:
            return sorted(listed)
        return in_order(listed, lambda one: self._key(one, elements))

    def _key(self, element: Any, elements: Iterable[Any]) -> bytes:
        stream = io.BytesIO()
        inner = ValuePickler(self.notebook, stream, values=self.values)
        # An element may refer to its set.
        inner._ordering = self._ordering | {id(elements)}
        inner.dump(element)
        return stream.getvalue()
