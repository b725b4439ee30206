"""The forecasts of a notebook's cells, taken together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from trailbook.kernels.forecast.calls import carried, hands, held_together, without
from trailbook.kernels.forecast.effects import Forecast, Names, OnCall


def combined(forecasts: Sequence[Forecast]) -> list[Forecast]:
    """The forecasts of cells in their order, each with what it does through functions of the cells above.

    >>> from trailbook.kernels.forecast import forecast
    >>> cells = combined([forecast(code) for code in ("def area(): return w * h", "w = 2", "area()")])
    >>> sorted(cells[2].reads)
    ['area', 'h', 'w']
    """
    known: dict[str, OnCall] = {}
    result = []
    for each in forecasts:
        result.append(_with_calls_above(each, known))
        known = _known_after(each, known)
    return result


def _known_after(cell: Forecast, before: Mapping[str, OnCall]) -> dict[str, OnCall]:
    """The functions that names may hold after a cell."""
    known = {name: function for name, function in before.items() if name not in cell.surely_writes}
    for name, function in cell.functions.items():
        # What it calls may be a class of a cell above, so that its result may be an instance.
        hands_on = function.hands_on or any(hands(source, before) for source in function.returns)
        known[name] = held_together(known.get(name, OnCall()), replace(function, hands_on=hands_on))
    carried(known, cell.carries, before)
    return known


def _with_calls_above(cell: Forecast, known: Mapping[str, OnCall]) -> Forecast:
    for name, bound in cell.bound_before.items():
        if name in known:
            cell |= without(_all_called(name, cell, known, bound), bound)
    return cell


def _all_called(name: str, cell: Forecast, known: Mapping[str, OnCall], bound: Names) -> OnCall:
    """What a call of a function of the cells above does in a cell, which may define what it calls in turn."""
    total, seen, left = OnCall(), {name}, [known[name]]
    while left:
        function = left.pop()
        total |= function
        for each in function.looks_up - seen:
            seen.add(each)
            above = known.get(each) if each not in bound else None
            left += [found for found in (above, cell.functions.get(each)) if found]
    return total
