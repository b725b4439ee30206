"""The user's own code that values lead to: functions, what they close over, methods of classes and of their objects."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from types import CodeType, FunctionType, ModuleType
from typing import Any

MOST_ELEMENTS = 100
"""Of a list or dict so many are looked at: functions are few, and data is long."""
_CACHED = type(functools.lru_cache(lambda: None))


def own_codes(values: Iterable[Any], installed: tuple[str, ...]) -> Iterator[CodeType]:
    """`installed` is what the paths of files begin with whose code is not the user's own."""
    known: set[int] = set()
    left = list(values)
    while left:
        value = left.pop()
        if id(value) not in known:
            known.add(id(value))
            if type(value) is FunctionType and _is_own_file(value.__code__.co_filename, installed):
                yield value.__code__
            left += _leads_to(value, installed)


def _leads_to(value: Any, installed: tuple[str, ...]) -> list[Any]:
    # Not isinstance, which asks the value itself, and that may answer with anything.
    kind = type(value)
    if kind is FunctionType:
        return [*(_held(cell) for cell in value.__closure__ or ()), _own_module(value.__module__, installed)]
    if kind is functools.partial:
        return [value.func, *value.args]
    if kind in (_CACHED, staticmethod, classmethod):
        return [value.__wrapped__]
    if kind is property:
        return [value.fget, value.fset]
    if kind in (list, tuple, set, frozenset):
        return list(islice(value, MOST_ELEMENTS))
    if kind is dict:
        return list(islice(value.values(), MOST_ELEMENTS))
    if issubclass(kind, ModuleType):
        return list(vars(value).values()) if _is_own_module(value, installed) else []
    if issubclass(kind, type):
        bases = type.__getattribute__(value, "__bases__")
        return [*vars(value).values(), *bases] if _is_own_class(value, installed) else []
    return [kind] if _is_own_class(kind, installed) else []


def _held(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        # Nothing was assigned yet.
        return None


def _is_own_class(kind: type, installed: tuple[str, ...]) -> bool:
    module = vars(kind).get("__module__")
    return module == "__main__" or _own_module(module, installed) is not None


def _own_module(name: Any, installed: tuple[str, ...]) -> ModuleType | None:
    """The module of that name, if it is the user's own. Not the notebook itself: of that, only what is used counts."""
    module = sys.modules.get(name) if type(name) is str and name != "__main__" else None
    return module if module is not None and _is_own_module(module, installed) else None


def _is_own_module(module: ModuleType, installed: tuple[str, ...]) -> bool:
    file = vars(module).get("__file__")
    return type(file) is str and _is_own_file(file, installed)


def _is_own_file(path: str, installed: tuple[str, ...]) -> bool:
    return not path.startswith(("<frozen", *installed))
