"""How kinds of objects are pickled that pickle alone would refuse, copy or leave to chance."""

from __future__ import annotations

import functools
import importlib
import io
import sys
import typing
import weakref
from collections.abc import Callable
from types import CellType, CodeType, ModuleType
from typing import TYPE_CHECKING, Any

from trailbook.kernels.child.frames.kinds import kind_of
from trailbook.kernels.child.values.functions import (
    Reduced,
    is_importable_module,
    make_code,
    reduce_cached,
    reduce_cell,
    reduce_code,
)

if TYPE_CHECKING:
    from trailbook.kernels.child.values.notebook import Notebook
    from trailbook.kernels.child.values.pickler import ValuePickler

OWN_OBJECTS = {"Library": "tb", "Display": "display", "CellSession": "spark"}
"""Classes of what Trailbook gives each cell, with the names for it."""

_named: dict[type, dict[int, str]] = {}


def reduce_other(pickler: ValuePickler, value: Any) -> Any:
    """An instance of any class."""
    kind = type(value)
    if kind.__module__.startswith("trailbook.kernels.child.") and kind.__name__ in OWN_OBJECTS:
        return own_object, (pickler.notebook, OWN_OBJECTS[kind.__name__])
    if isinstance(value, ModuleType):
        return _reduce_module(value)
    if isinstance(value, io.TextIOWrapper):
        return _reduce_text_file(value)
    if name := _name_in_module(value):
        return getattr, (sys.modules[kind.__module__], name)
    if (numpy := sys.modules.get("numpy")) and isinstance(value, numpy.ndarray):
        pickler.arrays.add(value)
        return pickler.arrays.reduce(value) if kind is numpy.ndarray else NotImplemented
    if (logging := sys.modules.get("logging")) and isinstance(value, logging.Handler):
        return _reduce_handler(value)
    if kind_of(value):
        pickler.frames[id(value)] = value
    reduce = _cloudpickle_reducers().get(kind)
    return reduce(value) if reduce else NotImplemented


def own_object(notebook: Notebook, name: str) -> Any:
    return notebook.namespace[name]


def _reduce_module(module: ModuleType) -> Any:
    if is_importable_module(module):
        return importlib.import_module, (module.__name__,)
    return _cloudpickle_reducers()[ModuleType](module)


def _name_in_module(value: Any) -> str | None:
    """What a library calls one of its own objects, such as the generator behind `random.random`."""
    kind = type(value)
    module = sys.modules.get(kind.__module__)
    if module is None or kind.__module__ in ("__main__", "builtins") or not is_importable_module(module):
        return None
    if kind not in _named:
        _named[kind] = {id(one): name for name, one in vars(module).items() if type(one) is kind}
    name = _named[kind].get(id(value))
    return name if name is not None and vars(module).get(name) is value else None


@functools.cache
def _cloudpickle_reducers() -> dict[type, Callable[[Any], Any]]:
    from cloudpickle import Pickler  # type: ignore[import-untyped]

    table: dict[type, Callable[[Any], Any]] = dict(Pickler.dispatch_table)
    return table


def _reduce_code(pickler: ValuePickler, code: CodeType) -> Reduced:
    return make_code, (reduce_code(code), f"<cell {code.co_qualname}>")


def _reduce_cached_property(pickler: ValuePickler, value: Any) -> Reduced:
    return make_cached_property, (value.func, value.attrname)


def make_cached_property(function: Callable[[Any], Any], name: str | None) -> Any:
    made = functools.cached_property(function)
    made.attrname = name
    return made


def _reduce_type_variable(pickler: ValuePickler, value: Any) -> Reduced:
    module, name = sys.modules.get(value.__module__), value.__name__
    traits = (value.__constraints__, value.__bound__, value.__covariant__, value.__contravariant__)
    if module and value.__module__ != "__main__" and getattr(module, name, None) is value:
        return getattr, (module, name)
    return make_type_variable, (name, *traits)


@functools.cache
def make_type_variable(name: str, constraints: Any, bound: Any, covariant: bool, contravariant: bool) -> Any:
    """One for all that have the same name and traits."""
    return typing.TypeVar(name, *constraints, bound=bound, covariant=covariant, contravariant=contravariant)


def _reduce_new_type(pickler: ValuePickler, value: Any) -> Reduced:
    return typing.NewType, (value.__name__, value.__supertype__)


def _reduce_reference(pickler: ValuePickler, reference: Any) -> Reduced:
    if reference.__callback__ is not None:
        raise TypeError("cannot pickle a weak reference with a callback")
    return make_reference, (reference(),)


def make_reference(target: Any) -> Any:
    """To something that is nowhere else, it is dead at once, as it would be without the store."""
    return weakref.ref(set() if target is None else target)


def _reduce_weak_mapping(pickler: ValuePickler, mapping: Any) -> Reduced:
    return type(mapping), (dict(mapping),)


def _reduce_handler(handler: Any) -> Reduced:
    """A handler of log messages, without the lock that guards it in this process."""
    state = {name: value for name, value in vars(handler).items() if name != "lock"}
    if "baseFilename" in state:
        # It opens its file again for the next message.
        state |= {"stream": None, "mode": "a"}
    return object.__new__, (type(handler),), state, None, None, fill_handler


def fill_handler(handler: Any, state: dict[str, Any]) -> None:
    vars(handler).update(state)
    handler.createLock()


def _reduce_text_file(file: io.TextIOWrapper) -> Reduced:
    for name in ("stdout", "stderr"):
        if file is getattr(sys, name):
            return getattr, (sys, name)
    raise TypeError("cannot pickle an open file")


REDUCERS: dict[type, Callable[[ValuePickler, Any], Any]] = {
    CellType: reduce_cell,
    CodeType: _reduce_code,
    functools._lru_cache_wrapper: reduce_cached,
    functools.cached_property: _reduce_cached_property,
    typing.NewType: _reduce_new_type,
    typing.TypeVar: _reduce_type_variable,
    weakref.ReferenceType: _reduce_reference,
    weakref.WeakKeyDictionary: _reduce_weak_mapping,
    weakref.WeakValueDictionary: _reduce_weak_mapping,
}
