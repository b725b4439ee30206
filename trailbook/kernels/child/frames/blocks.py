"""A pandas frame as plain parts that pickle well, and back: the same index, labels, types and values.

pandas pickles frames by blocks, too, but the blocks of two equal frames may differ, by what was done to them before.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from pandas.core.internals import BlockManager  # type: ignore[import-not-found]
from pandas.core.internals.api import make_block  # type: ignore[import-not-found]

from trailbook.kernels.child.frames.arrow_types import fitted
from trailbook.kernels.child.frames.texts import Text, Texts, text_of


def take_apart(frame: pd.DataFrame, names: list[str], texts: Texts | None = None) -> tuple[Any, ...]:
    """All there is to a frame, but for text, which is in the columns of these names, its own after those of its index.

    Given the texts that it was put together with, those that are still there need not be looked at.
    """
    kind: Any = type(frame)
    if _pickles_in_its_own_way(kind):
        return (frame,)
    names = names[len(names) - len(frame.columns) :]
    state: dict[str, Any] = dict(frame.__getstate__())  # type: ignore[call-overload]
    manager = state.pop("_mgr")
    if not manager.is_consolidated():
        manager = manager.consolidate()
    parts = [part for block in manager.blocks for part in _parts(block, names, texts)]
    return kind, state, manager.axes, sorted(parts, key=lambda part: part[0][0])


def put_together(parts: tuple[Any, ...], texts: Texts) -> pd.DataFrame:
    """The frame that was taken apart."""
    if len(parts) == 1:
        frame: pd.DataFrame = parts[0]
        return frame
    kind, state, axes, columns = parts
    blocks = []
    objects = []
    for places, values in columns:
        values = texts.read(values) if isinstance(values, Text) else values
        if isinstance(values, np.ndarray) and values.dtype == object:
            objects.append((places, values))
        else:
            blocks.append(make_block(values, places, ndim=2))
    if objects:
        blocks.append(_object_block(objects, len(axes[1])))
    made: pd.DataFrame = kind.__new__(kind)
    made.__setstate__({**state, "_mgr": BlockManager(tuple(blocks), axes)})  # type: ignore[operator]
    return made


def same_text(frame: pd.DataFrame, parts: tuple[Any, ...], texts: Texts) -> bool:
    """Whether the text that was left out when the frame was taken apart is that of the Parquet files."""
    if len(parts) == 1:
        return True
    left_out = [(places[0], values) for places, values in parts[-1] if isinstance(values, Text)]
    return all(texts.hold(text, frame.iloc[:, place]) for place, text in left_out)


def _pickles_in_its_own_way(kind: type) -> bool:
    hooks = ("__reduce__", "__reduce_ex__", "__getstate__", "__setstate__")
    return any(getattr(kind, hook) is not getattr(pd.DataFrame, hook) for hook in hooks)


def _parts(block: Any, names: list[str], texts: Texts | None) -> list[tuple[list[int], Any]]:
    """The columns of a block: those of objects one by one, others together."""
    places = block.mgr_locs.as_array.tolist()
    values = block.values
    if block.dtype == object:
        columns = zip(places, values, strict=True)
        return [([place], _text(row, names[place], texts) or row) for place, row in columns]
    if isinstance(values.dtype, pd.StringDtype):
        return [(places, text_of(values, names[places[0]]) or values)]
    return [(places, _in_one_piece(values))]


def _text(values: Any, column: str, texts: Texts | None) -> Text | None:
    return (texts and texts.recognise(column, values)) or text_of(values, column)


def _in_one_piece(values: Any) -> Any:
    """The values, copied if they are parts of an array that is larger."""
    if isinstance(values.dtype, pd.ArrowDtype):
        return type(values)(fitted(values._pa_array))
    array = getattr(values, "_ndarray", values)
    return values.copy() if isinstance(array, np.ndarray) and not array.flags.forc else values


def _object_block(columns: list[tuple[list[int], Any]], rows: int) -> Any:
    """One block for all of them, as pandas would have it."""
    values = np.empty((len(columns), rows), dtype=object)
    for i, (_, column) in enumerate(columns):
        values[i] = column
    return make_block(values, [places[0] for places, _ in columns], ndim=2)
