"""Random programs, and global names that record what a program does with them."""

from __future__ import annotations

import builtins
import random
from collections.abc import Iterator
from contextlib import suppress
from textwrap import indent
from types import FunctionType
from typing import Any


class Enough(BaseException):
    """A program ran long enough."""


class Thing(int):
    """A value that goes anywhere, and calls whatever it is given."""

    def __call__(self, *given: Any) -> Thing:
        for each in given:
            if isinstance(each, list):
                self(*each)
            elif isinstance(each, FunctionType):
                each()
            elif hasattr(each, "method"):
                each.method()
        return Thing(1)


class Recorder(dict[str, Any]):
    """Global names that are all there, and tell which were looked up before the cell bound them itself."""

    def start_cell(self) -> None:
        self.before = dict(self)
        self.read: set[str] = set()
        self.written: set[str] = set()
        self.deleted: set[str] = set()
        self.look_ups = 0

    def __getitem__(self, name: str) -> Any:
        self.look_ups += 1
        if self.look_ups > 300:
            raise Enough
        # Functions store globals past __setitem__.
        if name in self.keys() and self.before.get(name) is not self.get(name):
            self.written.add(name)
        if hasattr(builtins, name):
            raise KeyError(name)
        if name not in self.written:
            self.read.add(name)
        return self.get(name, Thing(1))

    def __setitem__(self, name: str, value: Any) -> None:
        self.written.add(name)
        super().__setitem__(name, value)

    def __delitem__(self, name: str) -> None:
        if name not in self.written:
            self.read.add(name)
        self.written.add(name)
        self.deleted.add(name)
        self.pop(name, None)

    def run_cell(self, code: str) -> bool:
        """Whether the cell ran to its end."""
        self.start_cell()
        ended = False
        with suppress(Exception, Enough):
            exec(compile(code, "<cell>", "exec"), self)
            ended = True
        self.written |= {name for name in self if self.before.get(name) is not self.get(name)} - {"__builtins__"}
        return ended


GLOBAL = "abcd"
"""Names that functions may declare, or comprehensions bind, as global: Python then stores and deletes them past the
recorder throughout the cell."""
LOCAL = "fgh"
"""Names that parameters may have, and that are deleted."""


class Programs:
    """Random small programs in which much depends on the order of things."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def cell(self) -> str:
        return self.block(2, loop=False, function=False)

    def name(self) -> str:
        return self.random.choice(GLOBAL + LOCAL)

    def block(self, level: int, *, loop: bool, function: bool) -> str:
        statements = [self.statement(level, loop, function) for _ in range(self.random.randint(1, 3 if level else 2))]
        return "\n".join(statements)

    def inner(self, level: int, *, loop: bool, function: bool) -> str:
        return indent(self.block(level - 1, loop=loop, function=function), "  ")

    def statement(self, level: int, loop: bool, function: bool) -> str:
        kinds = [self.assign] * 3 + [self.use] * 3 + ([self.delete] if not function else [self.leave])
        if loop:
            kinds.append(lambda: self.random.choice([f"if {self.value()}: break", "continue", "break"]))
        if level and self.random.random() < 0.6:
            compound = [self.branch, self.loop, self.attempt, self.match, self.define, self.define, self.define_class]
            return self.random.choice(compound)(level, loop, function)
        return self.random.choice(kinds)()

    def value(self) -> str:
        one, other = self.name(), self.name()
        return self.random.choice(
            [
                f"use({one}, {other})",
                f"use({one})",
                f"use({one}) and use({other})",
                f"use() - 1 and use({one} := use({other}))",
                f"(use({one}) if use({other}) - 1 else use())",
                f"[use({one}) for {other} in [use({other})]]",
                f"[{self.random.choice(GLOBAL)} := use({other}) for _ in range({self.random.randint(0, 1)})]",
                f"use({one} := use({other}))",
                f"use(lambda {other}=use(): use({one}, {other}))",
            ]
        )

    def assign(self) -> str:
        name, other = self.name(), self.name()
        return self.random.choice(
            [
                f"{name} = {self.value()}",
                f"{name}, {other} = use(), {self.value()}",
                f"{name} = [{other}, use()]",
                f"{name} = lambda: use({other})",
                f"{name} = {other}()",
                f"{name} += use({other})",
                f"from math import pi as {name}",
            ]
        )

    def use(self) -> str:
        return self.random.choice([self.value(), f"{self.name()}()"])

    def delete(self) -> str:
        return f"del {self.random.choice(LOCAL)}"

    def leave(self) -> str:
        return self.random.choice([f"if {self.value()}: return {self.name()}", f"return {self.name()}"])

    def branch(self, level: int, loop: bool, function: bool) -> str:
        test = self.random.choice(["", "not "]) + self.value()
        code = f"if {test}:\n{self.inner(level, loop=loop, function=function)}"
        if self.random.random() < 0.5:
            code += f"\nelse:\n{self.inner(level, loop=loop, function=function)}"
        return code

    def loop(self, level: int, loop: bool, function: bool) -> str:
        times = self.random.randint(0, 2)
        head = self.random.choice([f"for {self.name()} in [use()] * {times}", f"while {self.value()}", "while True"])
        # A loop without look-ups would run for ever.
        forever = head == "while True"
        start = f"  if {self.random.choice(['', 'not '])}{self.value()}: break\n" if forever else ""
        code = f"{head}:\n{start}{self.inner(level, loop=not forever, function=function)}"
        if head.startswith("while"):
            code += "\n  break"
        if self.random.random() < 0.3:
            code += f"\nelse:\n{self.inner(level, loop=loop, function=function)}"
        return code

    def attempt(self, level: int, loop: bool, function: bool) -> str:
        parts = [self.inner(level, loop=loop, function=function) for _ in range(4)]
        failure = self.random.choice(["\n  raise ValueError", "\n  if use() - 1: raise ValueError", ""])
        code = f"try:\n{parts[0]}{failure}\nexcept Exception as {self.random.choice(LOCAL)}:\n{parts[1]}"
        code += self.random.choice(["", f"\nelse:\n{parts[2]}"])
        return code + self.random.choice(["", f"\nfinally:\n{parts[3]}"])

    def match(self, level: int, loop: bool, function: bool) -> str:
        body, other = (indent(self.inner(level, loop=loop, function=function), "  ") for _ in range(2))
        pattern = self.random.choice(
            [f"[{self.name()}, _]", f"{self.name()} if {self.value()}", f"[1 as {self.name()}]"]
        )
        return f"match {self.value()}:\n  case {pattern}:\n{body}\n  case _:\n{other}"

    def define(self, level: int, _loop: bool, function: bool) -> str:
        names = self.random.sample(GLOBAL, self.random.randint(0, 2))
        declared = f"  global {', '.join(names)}\n" if names else ""
        parameter = self.random.choice([f"{name}=use()" for name in LOCAL] + [""])
        body = self.inner(level, loop=False, function=True)
        decorator = self.random.choice(["", "", "@use\n"])
        return f"{decorator}def {self.name()}({parameter}):\n{declared}{body}\n  return {self.name()}"

    def define_class(self, level: int, _loop: bool, _function: bool) -> str:
        return (
            f"class {self.name()}:\n  def method(self=1):\n{indent(self.inner(level, loop=False, function=True), '  ')}"
        )


def programs(seeds: int) -> Iterator[tuple[int, list[str]]]:
    for seed in range(seeds):
        source = Programs(seed)
        yield seed, [source.cell() for _ in range(2)]
