"""What calls of `tb` do with the names of the notebook."""

from __future__ import annotations

import ast
from dataclasses import dataclass

NAME = "tb"


@dataclass(frozen=True)
class Use:
    """The positions of the arguments that name what is read, written and deleted, and how they may be called."""

    names: tuple[str, ...] = ()
    reads: tuple[int, ...] = ()
    writes: tuple[int, ...] = ()
    deletes: tuple[int, ...] = ()


USES = {
    "dataset": Use(("name",), reads=(0,)),
    "create": Use(("name",), writes=(0,)),
    "save": Use(("name",), writes=(0,)),
    "drop": Use(("name",), reads=(0,), deletes=(0,)),
    "rename": Use(("old", "new"), reads=(0, 1), writes=(1,), deletes=(0,)),
}
HARMLESS = frozenset({"Caveat", "datasets", "progress", "show"})
"""What does nothing to names, whoever calls it."""


def named(call: ast.Call, use: Use) -> list[str] | None:
    """The names that a call is about; None if they are not written out."""
    keywords = {each.arg: each.value for each in call.keywords}
    given = [*call.args[: len(use.names)], *(keywords.get(name) for name in use.names[len(call.args) :])]
    found = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return found if len(found) == len(use.names) else None
