"""The modules that cells need, as far as it pays to have them loaded before."""

from __future__ import annotations

import ast
import pickle
import sys
from collections.abc import Iterable, Iterator, Mapping

from trailbook.kernels.names import Given, GivenValue
from trailbook.kernels.syntax import parsed

MOST_LEARNED = 30
UNFIT = frozenset({"polars"})
"""Packages that must not be loaded in a process that is forked: they start threads when they are imported."""

_REACHES_ANY_NAME = ("eval", "exec", "globals", "locals", "spark", "tb", "vars")


def needed_modules(code: str, names: Mapping[str, Given]) -> frozenset[str]:
    """The modules of other packages that the code imports, wherever; pandas, too, if it may use a name that needs it.

    >>> sorted(needed_modules("import os, scipy.stats as s\\ndef f():\\n    from sklearn import metrics", {}))
    ['scipy.stats', 'sklearn', 'sklearn.metrics']
    """
    try:
        nodes = list(ast.walk(parsed(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    imported = {name for node in nodes for name in _imported_by(node)}
    aliases = [node for node in nodes if isinstance(node, ast.alias)]
    bound = {(alias.asname or alias.name).partition(".")[0] for alias in aliases}
    used = {node.id for node in nodes if isinstance(node, ast.Name)} - bound
    laden = {name for name, given in names.items() if not _is_plain(given)}
    values = set() if used.isdisjoint((*laden, *_REACHES_ANY_NAME)) else {"pandas"}
    return frozenset(name for name in imported if package_of(name) not in sys.stdlib_module_names) | values


def _is_plain(given: Given) -> bool:
    """Whether no module is needed to unpack it, as for numbers and texts. What is large is not looked at."""
    return isinstance(given, GivenValue) and isinstance(given.source, bytes) and pickle.STACK_GLOBAL not in given.source


def package_of(module: str) -> str:
    return module.partition(".")[0]


def _imported_by(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=aliases):
            yield from (alias.name for alias in aliases)
        case ast.ImportFrom(module=str(module), names=aliases, level=0):
            yield module
            # Modules have small letters, classes seldom.
            yield from (f"{module}.{alias.name}" for alias in aliases if alias.name.islower())


class Learned:
    """The modules that cells imported of late, without those that were found to be unfit."""

    def __init__(self) -> None:
        self._recent: dict[str, None] = {}
        self._unfit = set(UNFIT)

    def learn(self, modules: Iterable[str]) -> None:
        for module in sorted(modules):
            if package_of(module) not in self._unfit:
                self._recent.pop(module, None)
                self._recent[module] = None
        for module in list(self._recent)[:-MOST_LEARNED]:
            del self._recent[module]

    def forget(self, module: str) -> None:
        """Never load it before it is needed, nor anything else of its package."""
        self._unfit.add(package_of(module))
        self._recent = {one: None for one in self._recent if package_of(one) != package_of(module)}

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._recent))
