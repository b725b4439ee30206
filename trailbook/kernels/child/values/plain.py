"""Pickles and unpickles what belongs to no notebook, such as most data frames."""

from __future__ import annotations

import copyreg
import pickle
import sys
from collections.abc import Callable, Iterable
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trailbook.kernels.child.values.packed import MakePickler


def plain_pickler(stream: IO[bytes], buffer_callback: Callable[[pickle.PickleBuffer], object]) -> pickle.Pickler:
    return pickle.Pickler(stream, 5, buffer_callback=buffer_callback)


def plain_unpickler(stream: IO[bytes], buffers: Iterable[memoryview]) -> pickle.Unpickler:
    return pickle.Unpickler(stream, buffers=buffers)


def forgetful(make_pickler: MakePickler) -> MakePickler:
    """Picklers that give the same bytes for pandas' arrays and types, whatever was asked of them before."""

    def make(stream: IO[bytes], buffer_callback: Callable[[pickle.PickleBuffer], object]) -> pickle.Pickler:
        pickler = make_pickler(stream, buffer_callback)
        known = getattr(pickler, "dispatch_table", copyreg.dispatch_table)
        pickler.dispatch_table = _Reducers(known)
        return pickler

    return make


class _Reducers(dict[type, Callable[[Any], Any]]):
    """A pickler asks it by type, and does as usual if it has no answer."""

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        extensions: Any = getattr(sys.modules.get("pandas.api"), "extensions", None)
        if extensions and issubclass(kind, (extensions.ExtensionArray, extensions.ExtensionDtype)):
            return _reduce
        raise KeyError(kind)


def _reduce(value: Any) -> Any:
    """What it notes in itself when it is asked is left out."""
    function, arguments, *rest = value.__reduce_ex__(5)
    state = rest[0] if rest else None
    if isinstance(state, tuple):
        state = tuple(_without_cache(part) for part in state)
    return function, arguments, _without_cache(state) or None, *rest[1:]


def _without_cache(state: Any) -> Any:
    return {name: part for name, part in state.items() if name != "_cache"} if isinstance(state, dict) else state
