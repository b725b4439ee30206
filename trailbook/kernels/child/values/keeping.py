"""Packs the values that a cell leaves behind: names that share objects together, and what is as it was not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import BuiltinFunctionType, ModuleType
from typing import IO, TYPE_CHECKING, Any

from trailbook.kernels.child.values import packed
from trailbook.kernels.child.values.notebook import Notebook
from trailbook.kernels.child.values.packed import Packed
from trailbook.kernels.child.values.pickler import ValuePickler
from trailbook.kernels.child.values.plain import forgetful
from trailbook.kernels.child.values.sharing import groups, overlapping

if TYPE_CHECKING:
    from trailbook.kernels.child.scope import Packet
    from trailbook.kernels.child.values.above import Values

DEEPEST = 10_000
"""Levels of nesting that can be packed; Python's own limit is meant for code."""

_UNCHANGING = (bool, bytes, complex, float, int, str, type(None), ModuleType, BuiltinFunctionType)


@dataclass(frozen=True)
class Survey:
    """What one name holds, packed by itself. The pickler keeps its objects alive, so that no two have one id."""

    packed: Packed
    pickler: ValuePickler


@dataclass(frozen=True)
class Kept:
    """Values to store by name, values that can't be stored with the reason, and the data frames inside values."""

    groups: list[tuple[dict[str, Any], Packed]]
    refused: dict[str, tuple[Any, Exception]]
    frames: dict[str, dict[int, Any]]


def keep(values: Values, named: Mapping[str, Any]) -> Kept:
    """What has to be stored of these names, of those that share objects with them, and of classes."""
    held = {name: value for name, value in named.items() if not _is_unchanging(values, name, value)}
    surveys, refused = _survey(values.notebook, {**values.companions(), **held})
    # Whatever is packed may define classes.
    while states := _class_states(values.notebook, surveys.keys() | refused.keys()):
        more, not_kept = _survey(values.notebook, states)
        surveys |= more
        refused |= not_kept
    frames = {name: survey.pickler.frames for name, survey in surveys.items() if survey.pickler.frames}
    bases = overlapping(survey.pickler.arrays for survey in surveys.values())
    found: list[tuple[dict[str, Any], Packed]] = []
    for names in groups({name: _ties(survey.pickler, bases) for name, survey in surveys.items()}):
        group = {name: surveys[name].pickler.values[name] for name in names}
        is_alone = len(names) == 1 and bases.isdisjoint(surveys[names[0]].pickler.arrays.by_owner)
        content = surveys[names[0]].packed if is_alone else pack(values.notebook, group, bases)
        if not _is_as_it_came(values, group, content):
            found.append((group, content))
    return Kept(found, refused, frames)


def pack(notebook: Notebook, named: Mapping[str, Any], bases: frozenset[int] = frozenset()) -> Packed:
    return _packed(notebook, named, bases).packed


def _survey(notebook: Notebook, named: Mapping[str, Any]) -> tuple[dict[str, Survey], dict[str, tuple[Any, Exception]]]:
    surveys: dict[str, Survey] = {}
    refused: dict[str, tuple[Any, Exception]] = {}
    for name, value in named.items():
        try:
            surveys[name] = _packed(notebook, {name: value}, frozenset())
        except Exception as error:
            refused[name] = (value, error)
    return surveys, refused


def _class_states(notebook: Notebook, known: Container[str]) -> dict[str, Any]:
    return {state.name: state for state in notebook.classes.states() if state.name not in known}


def _packed(notebook: Notebook, named: Mapping[str, Any], bases: frozenset[int]) -> Survey:
    picklers: list[ValuePickler] = []
    interned = {sys.intern(name): value for name, value in named.items()}

    def make_pickler(file: IO[bytes], callback: Any) -> ValuePickler:
        picklers.append(ValuePickler(notebook, file, callback, values=interned, bases=bases))
        return picklers[0]

    with _deep():
        content = packed.pack(interned, forgetful(make_pickler))
    return Survey(content, picklers[0])


def _ties(pickler: ValuePickler, bases: frozenset[int]) -> set[int]:
    return pickler.ties | (bases & pickler.arrays.by_owner.keys())


def _is_unchanging(values: Values, name: str, value: Any) -> bool:
    return type(value) in _UNCHANGING and values.came_as(name, value)


def _is_as_it_came(values: Values, group: Mapping[str, Any], content: Packed) -> bool:
    """When in doubt, it is not."""
    packets = {values.packet_of(name, value) for name, value in group.items()}
    packet = packets.pop()
    if packet is None or packets:
        return False
    return _holds(packet, content) or _loads_as(values, packet, group.keys(), content)


def _holds(packet: Packet, content: Packed) -> bool:
    if isinstance(packet.source, bytes):
        return packed.content(content) == packet.source
    return packed.same(content, packet.source)


def _loads_as(values: Values, packet: Packet, names: Any, content: Packed) -> bool:
    """Some values are packed otherwise once they were loaded; those that nobody changed all in the same way."""
    notebook, fresh = values.load_for_comparison(packet)
    group = {name: fresh[name] for name in names}
    survey = _packed(notebook, group, frozenset())
    bases = overlapping([survey.pickler.arrays])
    again = pack(notebook, group, bases) if bases else survey.packed
    return packed.alike(again, content)


def write(content: Packed, folder: str) -> str:
    path = os.path.join(folder, str(len(os.listdir(folder))))
    packed.write(content, path)
    return path


@contextmanager
def _deep() -> Iterator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
