"""Which objects must stay one: those that can change in place, and arrays over the same memory."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from enum import Enum
from itertools import combinations
from typing import TYPE_CHECKING, Any

from trailbook.kernels.child.values.packed import SMALLEST_BUFFER

if TYPE_CHECKING:
    import numpy as np

MOST_COMPARED = 50
"""Arrays over one memory beyond which they count as overlapping without a look."""
MOST_WORK = 10_000
"""Effort to find out whether two arrays with steps overlap."""


def is_mutable(value: Any) -> bool:
    """Whether an instance may change in place, apart from what it refers to. When in doubt, it may."""
    kind = type(value)
    if isinstance(value, Enum | tuple | frozenset):
        return False
    parameters = getattr(kind, "__dataclass_params__", None)
    if parameters is not None and parameters.frozen:
        return False
    own_hash: Any = kind.__hash__
    has_own_hash = own_hash not in (None, object.__hash__)
    return not has_own_hash or hasattr(value, "__dict__") or kind.__module__ == "__main__"


class Arrays:
    """The NumPy arrays that a pickler came across, by the array that owns their memory.

    Those over memory of one of the `bases` are to be packed as views of it.
    """

    def __init__(self, bases: frozenset[int] = frozenset()) -> None:
        self._bases = bases
        self.by_owner: dict[int, list[Any]] = {}

    def add(self, array: np.ndarray[Any, Any]) -> None:
        self.by_owner.setdefault(id(owner_of(array)), []).append(array)

    def reduce(self, array: np.ndarray[Any, Any]) -> Any:
        """As a view, if that is asked for; if it is small, as one that owns its memory; else as NumPy does it."""
        owner = owner_of(array)
        if owner is not array and id(owner) in self._bases:
            offset = _address(array) - _address(owner)
            return make_view, (owner, offset, array.shape, array.strides, array.dtype, array.flags.writeable)
        if array.nbytes >= SMALLEST_BUFFER or array.dtype.hasobject or not array.flags.writeable:
            return NotImplemented
        order: Any = "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"
        return make_array, (array.tobytes(order), array.shape, array.dtype, order)


def owner_of(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    plain = sys.modules["numpy"].ndarray
    while (base := array.base) is not None and type(base) is plain:
        array = base
    return array


def make_array(data: bytes, shape: Any, dtype: Any, order: Any) -> Any:
    import numpy as np

    return np.ndarray(shape, dtype, data, order=order).copy(order)


def make_view(owner: Any, offset: int, shape: Any, strides: Any, dtype: Any, is_writeable: bool) -> Any:
    import numpy as np

    if dtype.hasobject:
        # NumPy makes no arrays of objects over plain memory.
        start = owner.reshape(-1)[offset // owner.itemsize :]
        view = np.lib.stride_tricks.as_strided(start, shape, strides)
    else:
        view = np.ndarray(shape, dtype, owner, offset, strides)
    if not is_writeable:
        view.flags.writeable = False
    return view


def overlapping(found: Iterable[Arrays]) -> frozenset[int]:
    """The owners of memory that more than one array can change."""
    by_owner: dict[int, dict[int, Any]] = defaultdict(dict)
    for arrays in found:
        for owner, members in arrays.by_owner.items():
            by_owner[owner].update({id(one): one for one in members})
    return frozenset(owner for owner, members in by_owner.items() if _overlap(list(members.values())))


def _overlap(arrays: list[Any]) -> bool:
    if not 1 < len(arrays) <= MOST_COMPARED:
        return len(arrays) > 1
    return any(_share_memory(one, other) for one, other in combinations(arrays, 2))


def _share_memory(one: Any, other: Any) -> bool:
    import numpy as np

    try:
        return bool(np.shares_memory(one, other, max_work=MOST_WORK))  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True


def _address(array: np.ndarray[Any, Any]) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


def groups(members: Mapping[str, Iterable[Hashable]]) -> list[list[str]]:
    """The names that have something in common, directly or through others; each name once, in order."""
    group_of: dict[str, list[str]] = {}
    seen: dict[Hashable, str] = {}
    for name, things in members.items():
        group_of[name] = [name]
        for thing in things:
            other = group_of[seen.setdefault(thing, name)]
            own = group_of[name]
            if other is not own:
                other.extend(own)
                for moved in own:
                    group_of[moved] = other
    unique = {id(group): group for group in group_of.values()}
    return [sorted(group) for group in unique.values()]
