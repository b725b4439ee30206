"""Columns that others determine: what a key of a table says of its other columns stays true in a join."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Dependency:
    """Slots that agree on the `key`, which has no marks, agree on the `columns`; so do the rows of any one world."""

    key: frozenset[str]
    columns: frozenset[str]


def determined(names: Iterable[str], known: Sequence[Dependency]) -> frozenset[str]:
    """Everything that is the same wherever these columns are."""
    found = frozenset(names)
    more = True
    while more:
        wider = found.union(*(dependency.columns for dependency in known if dependency.key <= found))
        more, found = wider != found, wider
    return found


def closed(known: Iterable[Dependency]) -> tuple[Dependency, ...]:
    """One for each key, with all that follows from the others."""
    known = tuple(known)
    keys = dict.fromkeys(dependency.key for dependency in known)
    return tuple(Dependency(key, determined(key, known)) for key in keys)


def renamed(known: Iterable[Dependency], names: Mapping[str, str]) -> tuple[Dependency, ...]:
    """What is left of them over columns under other names."""
    return tuple(
        Dependency(frozenset(names[name] for name in dependency.key), frozenset(names[name] for name in kept))
        for dependency in known
        if dependency.key <= names.keys() and (kept := dependency.columns & names.keys()) - dependency.key
    )
