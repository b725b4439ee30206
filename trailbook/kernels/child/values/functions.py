"""Functions of the notebook as values: their code travels, and their globals are those of the cell that reads them.

Lines count from the start of the function, so that its digest stays when it only moves.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import linecache
import sys
from collections.abc import Callable
from types import CellType, CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trailbook.kernels.child.values.notebook import Notebook
    from trailbook.kernels.child.values.pickler import ValuePickler

Reduced = tuple[Any, ...]

_CODE_FIELDS = (
    *("argcount", "posonlyargcount", "kwonlyargcount", "nlocals", "stacksize", "flags", "code", "consts", "names"),
    *("varnames", "name", "qualname", "firstlineno", "linetable", "exceptiontable", "freevars", "cellvars"),
)


def reduce_function(pickler: ValuePickler, function: FunctionType) -> Any:
    """By its code, unless it can be imported."""
    if is_importable(function):
        return NotImplemented
    has_state = bool(function.__dict__)
    if has_state:
        pickler.tie(function)
    source = _source(function.__code__)
    made = (pickler.notebook, reduce_code(function.__code__), source, function.__closure__, _globals(pickler, function))
    state = (
        function.__name__,
        function.__qualname__,
        function.__module__,
        function.__doc__,
        function.__defaults__,
        function.__kwdefaults__,
        function.__annotations__ or None,
        function.__dict__ if has_state else None,
    )
    return make_function, made, state, None, None, fill_function


def make_function(
    notebook: Notebook,
    fields: Reduced,
    source: str | None,
    closure: tuple[CellType, ...] | None,
    outside: str | dict[str, Any] | None,
) -> FunctionType:
    code = make_code(fields, _file_of(fields[_CODE_FIELDS.index("qualname")], source))
    match outside:
        case None:
            names: dict[str, Any] = notebook.namespace
            notebook.made_code.append(code)
        case str():
            names = vars(importlib.import_module(outside))
        case _:
            names = {sys.intern(name): intern_text(value) for name, value in outside.items()}
    return FunctionType(code, names, None, None, closure)


def fill_function(function: FunctionType, state: Reduced) -> None:
    name, qualname, module, doc, defaults, kwdefaults, annotations, attributes = state
    function.__name__, function.__qualname__, function.__module__ = map(intern_text, (name, qualname, module))
    # It has the text from its code already, as one and the same object.
    if function.__doc__ != doc:
        function.__doc__ = doc
    function.__defaults__ = defaults
    function.__kwdefaults__ = kwdefaults and {sys.intern(key): value for key, value in kwdefaults.items()}
    if annotations is not None:
        function.__annotations__ = annotations
    if attributes is not None:
        function.__dict__.update(attributes)


def reduce_cell(pickler: ValuePickler, cell: CellType) -> Reduced:
    """A variable that functions share. It is made empty, so that it may hold the function itself."""
    try:
        content = cell.cell_contents
    except ValueError:
        return CellType, ()
    # `__class__`, which super() needs, is never set to anything else.
    if not isinstance(content, type):
        pickler.tie(cell)
    # In a tuple, since None as state means none.
    return CellType, (), (content,), None, None, fill_cell


def fill_cell(cell: CellType, state: tuple[Any]) -> None:
    (cell.cell_contents,) = state


def reduce_code(code: CodeType) -> Reduced:
    """The fields of a code object, with lines counted from its own start."""

    def fields(part: CodeType) -> Reduced:
        consts = tuple(InnerCode(fields(one)) if isinstance(one, CodeType) else one for one in part.co_consts)
        moved = {"firstlineno": part.co_firstlineno - code.co_firstlineno + 1, "consts": consts}
        return tuple(moved.get(name, getattr(part, f"co_{name}")) for name in _CODE_FIELDS)

    return fields(code)


class InnerCode(tuple[Any, ...]):
    """The fields of a function inside another, to tell them from a constant that is a tuple."""

    def __new__(cls, fields: Reduced) -> InnerCode:
        return super().__new__(cls, fields)

    def __reduce__(self) -> Reduced:
        return InnerCode, (tuple(self),)


def make_code(fields: Reduced, file: str) -> CodeType:
    parts = {f"co_{name}": value for name, value in zip(_CODE_FIELDS, fields, strict=True)}
    inner = tuple(make_code(one, file) if isinstance(one, InnerCode) else one for one in parts["co_consts"])
    names = {key: sys.intern(parts[key]) for key in ("co_name", "co_qualname")}
    return _some_code.replace(**{**parts, **names, "co_consts": inner, "co_filename": file})


_some_code = make_function.__code__


def reduce_cached(pickler: ValuePickler, function: Any) -> Any:
    """A function with `functools.cache`. What it has cached is computed again."""
    if is_importable(function):
        return function.__qualname__
    return make_cached, (function.__wrapped__, function.cache_parameters()), vars(function)


def make_cached(function: Callable[..., Any], parameters: dict[str, Any]) -> Any:
    return functools.lru_cache(**parameters)(function)


def intern_text(text: Any) -> Any:
    """As the compiler does with names. A name that is one object here and two there would be packed otherwise."""
    return sys.intern(text) if type(text) is str else text


def is_importable(value: Any) -> bool:
    """Whether a function or class is found in its module, and so in any process, under its name."""
    module = sys.modules.get(getattr(value, "__module__", None) or "")
    if module is None or module.__name__ == "__main__" or not is_importable_module(module):
        return False
    found: Any = module
    for part in value.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is value


def is_importable_module(module: ModuleType) -> bool:
    """Not one that the notebook put together itself."""
    return getattr(module, "__spec__", None) is not None


def _globals(pickler: ValuePickler, function: FunctionType) -> str | dict[str, Any] | None:
    """None for those of the notebook, a module's name, or else the few that the function mentions."""
    names = function.__globals__
    if names is pickler.notebook.namespace:
        return None
    module = sys.modules.get(names.get("__name__", ""))
    if module is not None and vars(module) is names and is_importable_module(module):
        return module.__name__
    return {name: names[name] for name in sorted(_mentioned(function.__code__)) if name in names}


def _mentioned(code: CodeType) -> set[str]:
    inner = (one for one in code.co_consts if isinstance(one, CodeType))
    return {"__builtins__", "__name__", *code.co_names}.union(*map(_mentioned, inner))


def _source(code: CodeType) -> str | None:
    """The lines of a function, where they are known."""
    lines = linecache.getlines(code.co_filename) if code.co_filename.startswith("<cell") else []
    if not 0 < code.co_firstlineno <= len(lines):
        return None
    try:
        return "".join(inspect.getblock(lines[code.co_firstlineno - 1 :]))
    except (SyntaxError, IndentationError):
        return None


def _file_of(qualname: str, source: str | None) -> str:
    """A name for tracebacks, under which Python finds the lines."""
    name = f"<cell {qualname}>"
    number = 1
    while source is not None and linecache.cache.setdefault(name, _entry(source, name)) != _entry(source, name):
        number += 1
        name = f"<cell {qualname} {number}>"
    return name


def _entry(source: str, name: str) -> tuple[int, None, list[str], str]:
    return len(source), None, source.splitlines(keepends=True), name
