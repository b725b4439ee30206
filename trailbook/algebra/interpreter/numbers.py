"""Spark's functions of numbers and arrays in plain Python. None of them sees NULL, but some elements may be."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from trailbook.algebra.interpreter.arithmetic import remainder, whole_over
from trailbook.algebra.interpreter.casts import EXACT, to_text
from trailbook.algebra.interpreter.values import distinct, equal, number_like, sortable
from trailbook.errors import InterpreterError


def rounded(value: Any, scale: int = 0, rounding: str = "ROUND_HALF_UP") -> Any:
    value = number_like(value)
    if isinstance(value, float) and not math.isfinite(value):
        return value
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    if int(number.as_tuple().exponent) >= -scale:
        return value
    return type(value)(number.quantize(Decimal(1).scaleb(-scale), rounding=rounding, context=EXACT))


def half_even(value: Any, scale: int = 0) -> Any:
    return rounded(value, scale, "ROUND_HALF_EVEN")


def ceiling(value: Any) -> Any:
    result = math.ceil(number_like(value))
    return Decimal(result) if isinstance(value, Decimal) else result


def floor(value: Any) -> Any:
    result = math.floor(number_like(value))
    return Decimal(result) if isinstance(value, Decimal) else result


def sign(value: Any) -> float:
    return math.copysign(1.0, value) if value else 0.0


def logarithm(*arguments: Any) -> float | None:
    """NULL where there is none, as in Hive. The base comes first."""
    return math.log(*map(float, reversed(arguments))) if all(argument > 0 for argument in arguments) else None


def square_root(value: Any) -> float:
    return math.sqrt(value) if value >= 0 else math.nan


def power(base: Any, exponent: Any) -> float:
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return math.inf


def pmod(left: Any, right: Any) -> Any:
    rest = remainder(left, right)
    return remainder(rest + right, right) if rest < 0 else rest


def hexadecimal(value: Any) -> str:
    return f"{value & (1 << 64) - 1:X}" if isinstance(value, int) else value.encode().hex().upper()


def item(items: Any, key: Any) -> Any:
    """`items[key]`."""
    if isinstance(items, dict):
        return items.get(key)
    if not 0 <= key < len(items):
        raise InterpreterError(f"An array of {len(items)} elements has no element {key} (counted from 0).")
    return items[key]


def element_at(items: Any, position: Any) -> Any:
    """Counted from 1, or from the end."""
    if isinstance(items, dict):
        return items.get(position)
    if position == 0 or abs(position) > len(items):
        raise InterpreterError(f"An array of {len(items)} elements has no element {position} (counted from 1).")
    return items[position - 1 if position > 0 else position]


def array_contains(items: list[Any], value: Any) -> bool | None:
    if any(one is not None and equal(one, value) for one in items):
        return True
    return None if None in items else False


def sequence(start: int, stop: int, step: int | None = None) -> list[int]:
    step = step or (1 if start <= stop else -1)
    return list(range(start, stop + (1 if step > 0 else -1), step))


def sliced(items: list[Any], start: int, count: int) -> list[Any]:
    first = start - 1 if start > 0 else len(items) + start
    return items[first : first + count] if first >= 0 else []


def sorted_array(items: list[Any], ascending: bool = True) -> list[Any]:
    return sorted(items, key=lambda one: (one is not None, sortable(one)), reverse=not ascending)


def greatest(*values: Any) -> Any:
    return max((value for value in values if value is not None), key=sortable, default=None)


def least(*values: Any) -> Any:
    return min((value for value in values if value is not None), key=sortable, default=None)


def concatenated(*parts: Any) -> Any:
    if isinstance(parts[0], list):
        return [one for part in parts for one in part]
    return "".join(map(to_text, parts))


def raise_error(message: str) -> Any:
    raise InterpreterError(message)


NUMBERS: dict[str, Callable[..., Any]] = {
    "abs": lambda value: abs(number_like(value)),
    "array_contains": array_contains,
    "array_distinct": distinct,
    "array_join": lambda items, separator: separator.join(to_text(one) for one in items if one is not None),
    "array_max": lambda items: greatest(*items),
    "array_min": lambda items: least(*items),
    "array_size": len,
    "bit_count": lambda value: (int(value) & (1 << 64) - 1).bit_count(),
    "bround": half_even,
    "cardinality": len,
    "cbrt": math.cbrt,
    "ceil": ceiling,
    "ceiling": ceiling,
    "concat": concatenated,
    "cos": math.cos,
    "degrees": math.degrees,
    "div": whole_over,
    "element_at": element_at,
    "exp": math.exp,
    "flatten": lambda items: None if None in items else [one for inner in items for one in inner],
    "floor": floor,
    "get": lambda items, index: items[index] if 0 <= index < len(items) else None,
    "hex": hexadecimal,
    "ln": logarithm,
    "log": logarithm,
    "log10": lambda value: logarithm(10, value),
    "log2": lambda value: logarithm(2, value),
    "map_keys": list,
    "map_values": lambda entries: list(entries.values()),
    "mod": remainder,
    "negative": lambda value: -value,
    "pi": lambda: math.pi,
    "pmod": pmod,
    "positive": lambda value: value,
    "pow": power,
    "power": power,
    "radians": math.radians,
    "raise_error": raise_error,
    "reverse": lambda value: value[::-1],
    "rint": lambda value: float(round(value)),
    "round": rounded,
    "sequence": sequence,
    "sign": sign,
    "signum": sign,
    "sin": math.sin,
    "size": len,
    "slice": sliced,
    "sort_array": sorted_array,
    "sqrt": square_root,
    "tan": math.tan,
    "try_element_at": lambda items, position: element_at(items, position) if abs(position) <= len(items) else None,
}
