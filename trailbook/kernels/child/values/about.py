"""A value in a few words, for people."""

from __future__ import annotations

from itertools import islice
from types import FunctionType, ModuleType
from typing import Any

LONGEST = 200
FEW = 5
"""Elements of a container that are shown."""

_BRACKETS: dict[type, tuple[str, str]] = {
    **dict.fromkeys((set, frozenset, dict), ("{", "}")),
    list: ("[", "]"),
    tuple: ("(", ")"),
}
_PLAIN = (bool, bytes, complex, float, int, str, type(None))


CLASS_STATE = "@class:"
"""What the state of a class goes by: this, the name of the class, and what tells it from others of that name."""


def label(name: str) -> str:
    """What people call a name, which for the state of a class is the name of the class."""
    return name.split(":")[1] if name.startswith(CLASS_STATE) else name


def type_name(value: Any) -> str:
    kind = type(value)
    if kind.__module__ in ("builtins", "__main__"):
        return kind.__qualname__
    return f"{kind.__module__.partition('.')[0]}.{kind.__qualname__}"


def describe(value: Any) -> str:
    """One line of at most so many characters, without looking at more of a value than they show."""
    line = " ".join(_text(value).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def _text(value: Any, depth: int = 0) -> str:
    kind = type(value)
    if kind in (str, bytes):
        return repr(value[:LONGEST])
    if kind is int and value.bit_length() > LONGEST * 3:
        return f"a whole number of {value.bit_length():,} bits"
    if kind in _PLAIN:
        return repr(value)
    if kind in _BRACKETS:
        return _container(value, depth)
    return _object(value, depth)


def _container(value: Any, depth: int) -> str:
    opening, closing = _BRACKETS[type(value)]
    if depth > 1:
        return f"{opening}…{closing}"
    if isinstance(value, dict):
        shown = [f"{_text(k, depth + 1)}: {_text(v, depth + 1)}" for k, v in islice(value.items(), FEW)]
    else:
        shown = [_text(element, depth + 1) for element in islice(value, FEW)]
    more = [f"… {len(value):,} in all"] if len(value) > FEW else []
    return f"{opening}{', '.join([*shown, *more])}{closing}"


def _object(value: Any, depth: int) -> str:
    if isinstance(value, ModuleType | FunctionType | type):
        return f"{type(value).__name__} {value.__name__}"
    # Code of the notebook is not run behind its back, nor are large things put into words to be cut.
    if type(value).__module__ == "__main__" or depth or _is_long(value):
        return f"<{type_name(value)}{_extent(value)}>"
    try:
        return repr(value)
    except Exception:
        return f"<{type_name(value)}>"


def _extent(value: Any) -> str:
    shape = getattr(value, "shape", None) if type(value).__module__ == "numpy" else None
    return f" of {'×'.join(map(str, shape))}" if isinstance(shape, tuple) else ""


def _is_long(value: Any) -> bool:
    try:
        return len(value) > 1000
    except Exception:
        return False
