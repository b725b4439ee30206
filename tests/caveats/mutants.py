"""Rule bugs, seeded one at a time: tests that don't catch these would not catch one made in earnest."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import trailbook.caveats

RULES = Path(trailbook.caveats.__file__).parent
RELOADED = ("trailbook.caveats", "tests.caveats.cases", "tests.caveats.worlds")


@dataclass(frozen=True)
class Mutant:
    """A change in the text of a rule, and the forms of queries that show it."""

    name: str
    module: str
    right: str
    wrong: str
    forms: tuple[str, ...]

    @property
    def source(self) -> str:
        """The module's text with the bug in it."""
        text = RULES.joinpath(*self.module.split(".")).with_suffix(".py").read_text()
        if text.count(self.right) != 1:
            raise ValueError(f"{self.name}: {self.right!r} is {text.count(self.right)} times in {self.module}")
        return text.replace(self.right, self.wrong)


@contextmanager
def alive(mutant: Mutant) -> Iterator[ModuleType]:
    """The module `tests.caveats.cases` over rules with this bug."""
    finder = _Finder(f"trailbook.caveats.{mutant.module}", mutant.source)
    saved = {name: module for name, module in sys.modules.items() if name.startswith(RELOADED)}
    for name in saved:
        del sys.modules[name]
    sys.meta_path.insert(0, finder)
    try:
        yield importlib.import_module("tests.caveats.cases")
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name.startswith(RELOADED)]:
            del sys.modules[name]
        sys.modules.update(saved)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds one module, in another text than its file's."""

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        return importlib.util.spec_from_loader(fullname, self) if fullname == self.name else None

    def get_source(self, fullname: str) -> str:
        return self.source


def read_mutants() -> list[Mutant]:
    """Those in the file beside this one: a name, the module and the forms, lines with - that become lines with +."""
    blocks = Path(__file__).with_suffix(".txt").read_text().split("\n\n")
    return [_read(block.strip("\n").split("\n")) for block in blocks if block.strip()]


def _read(lines: list[str]) -> Mutant:
    module, _, forms = lines[1].partition(": ")
    right, wrong = ("\n".join(line[1:] for line in lines[2:] if line[0] == sign) for sign in "-+")
    return Mutant(lines[0].removeprefix("# "), module, right, wrong, tuple(forms.split(", ")))
