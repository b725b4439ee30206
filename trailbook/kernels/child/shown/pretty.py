"""Values as text that people can read, laid out as Jupyter does it."""

from __future__ import annotations

import os
import re
import types
from collections import Counter, OrderedDict, UserList, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from typing import Any

from trailbook.kernels.child.shown.layout import Layout

MOST_ELEMENTS = 1000
_NAMELESS_MODULES = (None, "builtins")
_FLAGS = ("IGNORECASE", "LOCALE", "MULTILINE", "DOTALL", "UNICODE", "VERBOSE", "DEBUG")


def pretty(value: Any) -> str:
    """The text of a value.

    >>> pretty({"b": {3, 1}, "a": int})
    "{'b': {1, 3}, 'a': int}"
    """
    printer = Printer()
    printer.pretty(value)
    return printer.finished()


class Printer(Layout):
    """Lays values out. It is what `_repr_pretty_` gets, with whether the value is one of those it is inside of."""

    verbose = False
    max_seq_length = MOST_ELEMENTS

    def __init__(self) -> None:
        super().__init__()
        self._around: list[int] = []

    def pretty(self, value: Any) -> None:
        is_cycle = id(value) in self._around
        self._around.append(id(value))
        try:
            with self.group():
                _way_to_print(value)(self, value, is_cycle)
        finally:
            self._around.pop()

    def elements(self, values: Iterable[Any], write: Callable[[Any], None]) -> None:
        """Write values with commas between them, and dots for those that are too many."""
        for number, value in enumerate(values):
            if number:
                self.text(",")
                self.breakable()
            if number == MOST_ELEMENTS:
                self.text("...")
                return
            write(value)

    def call(self, name: str, *values: Any, **named: Any) -> None:
        """Write a value as the call that makes it."""

        def argument(item: tuple[str, Any]) -> None:
            prefix, value = item
            with self.group(len(prefix), prefix):
                self.pretty(value)

        arguments = [*(("", value) for value in values), *((f"{key}=", value) for key, value in named.items())]
        with self.group(), self.group(len(name) + 1, f"{name}(", ")"):
            self.elements(arguments, argument)


Print = Callable[[Printer, Any, bool], None]


class _Raw:
    """Text that stands for a value."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


_DOTS = _Raw("...")


def _way_to_print(value: Any) -> Print:
    """That of the first class, from the value's own upwards, for which there is one."""
    if value is None or value is NotImplemented or isinstance(value, bool):
        return _print_repr
    for cls in getattr(value, "__class__", type(value)).__mro__:
        if cls in _WAYS:
            return _WAYS[cls]
        if callable(own := vars(cls).get("_repr_pretty_")):
            return lambda printer, value, is_cycle: own(value, printer, is_cycle)
        if cls is not object and "__repr__" in vars(cls):
            return _print_repr
    return _print_object


def _print_repr(printer: Printer, value: Any, is_cycle: bool) -> None:
    with printer.group():
        for number, line in enumerate(repr(value).splitlines()):
            if number:
                printer.break_()
            printer.text(line)


def _print_object(printer: Printer, value: Any, is_cycle: bool) -> None:
    with printer.group(1, "<", ">"):
        printer.pretty(type(value))
        printer.text(f" at 0x{id(value):x}{' ...' if is_cycle else ''}")


def _between(opening: str, closing: str) -> Print:
    def print_sequence(printer: Printer, value: Collection[Any], is_cycle: bool) -> None:
        if is_cycle:
            printer.text(f"{opening}...{closing}")
            return
        with printer.group(len(opening), opening, closing):
            printer.elements(value, printer.pretty)
            if len(value) == 1 and isinstance(value, tuple):
                printer.text(",")

    return print_sequence


def _set_between(opening: str, closing: str) -> Print:
    print_elements = _between(opening, closing)

    def print_set(printer: Printer, value: Collection[Any], is_cycle: bool) -> None:
        if not value:
            printer.text(f"{type(value).__name__}()")
        else:
            print_elements(printer, _in_order(value), is_cycle)

    return print_set


def _in_order(values: Collection[Any]) -> Collection[Any]:
    if len(values) >= MOST_ELEMENTS:
        return values
    for key in (None, str):
        # Whatever their comparison may raise.
        with suppress(Exception):
            return sorted(values, key=key)
    return values


def _mapping_between(opening: str, closing: str) -> Print:
    def print_mapping(printer: Printer, value: Mapping[Any, Any], is_cycle: bool) -> None:
        def item(key: Any) -> None:
            printer.pretty(key)
            printer.text(": ")
            printer.pretty(value[key])

        if is_cycle:
            printer.text("{...}")
            return
        with printer.group(len(opening), opening, closing):
            printer.elements(value.keys(), item)

    return print_mapping


def _made_of(parts: Callable[[Any], tuple[list[Any], dict[str, Any]]], name: str | None = None) -> Print:
    """The print of a value that is made by a call, with these as its arguments."""

    def print_call(printer: Printer, value: Any, is_cycle: bool) -> None:
        values, named = ([_DOTS], {}) if is_cycle else parts(value)
        printer.call(name or type(value).__name__, *values, **named)

    return print_call


def _print_super(printer: Printer, value: Any, is_cycle: bool) -> None:
    with printer.group(8, "<super: ", ">"):
        printer.elements([value.__thisclass__, value.__self__], printer.pretty)


def _print_pattern(printer: Printer, value: re.Pattern[Any], is_cycle: bool) -> None:
    literal = repr(value.pattern).replace("\\\\", "\\")
    flags = "|".join(f"re.{name}" for name in _FLAGS if value.flags & getattr(re, name))
    printer.call("re.compile", _Raw(f"r{literal}"), *([_Raw(flags)] if flags else []))


def _print_class(printer: Printer, value: type, is_cycle: bool) -> None:
    if type(value).__repr__ is not type.__repr__:
        _print_repr(printer, value, is_cycle)
    else:
        printer.text(_full_name(value))


def _print_function(printer: Printer, value: Any, is_cycle: bool) -> None:
    import inspect

    signature = ""
    # Some functions of C have none.
    with suppress(ValueError):
        signature = str(inspect.signature(value))
    printer.text(f"<function {_full_name(value)}{signature}>")


def _print_exception(printer: Printer, value: BaseException, is_cycle: bool) -> None:
    printer.call(_full_name(type(value)), *value.args)


def _full_name(value: Any) -> str:
    module = getattr(value, "__module__", None)
    return str(value.__qualname__) if module in _NAMELESS_MODULES else f"{module}.{value.__qualname__}"


_WAYS: dict[type, Print] = {
    **dict.fromkeys((int, float, str, bytes, range, slice, types.MethodType), _print_repr),
    tuple: _between("(", ")"),
    list: _between("[", "]"),
    set: _set_between("{", "}"),
    frozenset: _set_between("frozenset({", "})"),
    dict: _mapping_between("{", "}"),
    types.MappingProxyType: _mapping_between("mappingproxy({", "})"),
    type(os.environ): _mapping_between("environ{", "}"),
    defaultdict: _made_of(lambda value: ([value.default_factory, dict(value)], {})),
    OrderedDict: _made_of(lambda value: ([list(value.items())] if value else [], {})),
    Counter: _made_of(lambda value: ([dict(value.most_common())] if value else [], {})),
    deque: _made_of(lambda value: ([list(value)], {} if value.maxlen is None else {"maxlen": value.maxlen})),
    UserList: _made_of(lambda value: ([value.data], {})),
    types.SimpleNamespace: _made_of(lambda value: ([], vars(value)), "namespace"),
    super: _print_super,
    re.Pattern: _print_pattern,
    type: _print_class,
    types.FunctionType: _print_function,
    types.BuiltinFunctionType: _print_function,
    BaseException: _print_exception,
}
