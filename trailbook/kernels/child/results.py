"""What a cell leaves behind: frames as datasets, directories of Parquet files, and all else as packed values."""

from __future__ import annotations

import base64
import os
from collections import defaultdict
from collections.abc import Callable, Mapping
from keyword import iskeyword
from typing import Any

from trailbook.kernels.child.errors import BadDataset
from trailbook.kernels.child.frames.kinds import kind_of
from trailbook.kernels.child.frames.storing import store
from trailbook.kernels.child.namespace import OWN_NAMES, Namespace
from trailbook.kernels.child.said import Said
from trailbook.kernels.child.scope import Scope
from trailbook.kernels.child.values import packed
from trailbook.kernels.child.values.about import describe, label, type_name
from trailbook.kernels.child.values.keeping import Kept, keep, write
from trailbook.kernels.child.values.packed import Packed
from trailbook.kernels.child.values.refusals import refusal

INLINE_BYTES = 4096
"""Up to this size a value is part of the message that tells of it."""
MOST_INLINE = 1024 * 1024
"""The size of all such values together."""


class Results:
    """What the host is told at the end: names with the keys of what they hold, and by key what was made."""

    def __init__(self, folder: str, scope: Scope, note: Callable[[str], None]) -> None:
        self.writes: dict[str, dict[str, Any]] = {}
        self.made: dict[str, dict[str, Any]] = {}
        self._inline = MOST_INLINE
        self._folder = folder
        self._scope = scope
        self._note = note

    def save(self, name: str, frame: Any, said: Said = Said()) -> None:  # noqa: B008 - never changed
        """Write a frame as the dataset `name`, in place of what this cell wrote under that name before."""
        check_name(name)
        directory = os.path.join(self._folder, f"{len(os.listdir(self._folder))}-{name}")
        said.check(name, frame, self._scope.names_read)
        try:
            store(frame, directory, lambda text: self._note(f"{name}: {text}"), self._scope.make_pickler)
        except BadDataset as error:
            raise BadDataset(f"{name} can't be stored as a dataset: {error}.") from None
        said.write(name, directory)
        self._tell(name, {"kind": "dataset", "path": directory}, type_name(frame))
        self._scope.saved(name, directory)

    def created(self, name: str, number: int, directory: str) -> None:
        """A dataset that the host made for this cell."""
        self._tell(name, {"kind": "created", "number": number}, "dataset")
        self._scope.saved(name, directory)

    def rename(self, old: str, new: str, looked: bool) -> None:
        """Let a dataset of this cell, or of the cells above, go by another name."""
        made = self.made.get(old) if self._scope.is_saved(old) else None
        if made and made["kind"] == "renamed":
            made["looked"] |= looked
        self.drop(old)
        self._tell(new, made or {"kind": "renamed", "of": old, "looked": looked}, "dataset")
        self._scope.rename(old, new)

    def drop(self, name: str) -> None:
        """Forget what was to be told of a name."""
        self.made.pop(name, None)
        self.writes.pop(name, None)

    def _tell(self, name: str, made: dict[str, Any], type: str) -> None:
        self.made[name] = made
        self.writes[name] = {"key": name, "type": type, "text": ""}

    def keep_globals(self, namespace: Namespace, states: Mapping[str, Any]) -> None:
        """Keep what the cell's names hold, unless it came from above and is as it was, or was saved already."""
        for name, made in self.made.items():
            if made["kind"] == "renamed":
                made["looked"] |= self._scope.has_looked_up(name)
        left = {name: value for name, value in namespace.own_items() if not self._stands(namespace, name, value)}
        frames = {name: value for name, value in left.items() if not name.startswith("_") and kind_of(value)}
        tables = {name for name, frame in frames.items() if self._keep_frame(namespace, name, frame)}
        values = {**states, **{name: value for name, value in left.items() if name not in tables}}
        kept = keep(namespace.values_above, values)
        if kept.groups:
            namespace.values_above.record_sharing()
        for group, content in kept.groups:
            self._keep_value(group, content)
        self._refuse(kept.refused)
        self._tell_apart({name: frames[name] for name in tables}, kept)

    def _stands(self, namespace: Namespace, name: str, value: Any) -> bool:
        """Whether what was saved is to be kept: the name does not hold it by now, or holds it as it was."""
        if not self._scope.is_saved(name):
            return False
        dataset = self._scope.looked_at(name)
        return not (dataset and namespace.values_above.came_as(name, value)) or dataset.holds(value)

    def _keep_frame(self, namespace: Namespace, name: str, frame: Any) -> bool:
        """Whether the frame is a dataset now."""
        dataset = self._scope.looked_at(name)
        if dataset and not self._scope.is_saved(name) and dataset.holds(frame):
            return True
        if namespace.values_above.packet_of(name, frame):
            return False
        try:
            self.save(name, frame)
        except BadDataset as error:
            self._note(f"{error} It is kept as a value of Python's, which SQL can't read.")
            return False
        return True

    def _keep_value(self, group: Mapping[str, Any], content: Packed) -> None:
        key = min(group)
        made: dict[str, Any] = {"kind": "value", "size": content.size}
        if content.size <= min(INLINE_BYTES, self._inline):
            self._inline -= content.size
            made["content"] = base64.b64encode(packed.content(content)).decode()
        else:
            made["path"] = write(content, self._folder)
        self.made[key] = made
        for name, value in group.items():
            self._tell_of(name, key, value)

    def _refuse(self, refused: Mapping[str, tuple[Any, Exception]]) -> None:
        for name, (value, error) in refused.items():
            self.made[name] = {"kind": "unavailable", "reason": refusal(value, error), "size": 0}
            self._tell_of(name, name, value)
        # A file that `with` has closed was never meant to be kept.
        told = {name: value for name, (value, _) in refused.items() if not getattr(value, "closed", False)}
        if told:
            listed = ", ".join(f"{label(name)} ({type_name(value)})" for name, value in sorted(told.items()))
            self._note(f"Not kept for other cells, which fail if they read it: {listed}.")

    def _tell_of(self, name: str, key: str, value: Any) -> None:
        self.writes[name] = {"key": key, "type": type_name(value), "text": describe(value)}

    def _tell_apart(self, tables: Mapping[str, Any], kept: Kept) -> None:
        """Say which frames are one object here, and won't be in the next cell."""
        holders = defaultdict(list)
        for name, frame in tables.items():
            holders[id(frame)].append(name)
        for name, frames in kept.frames.items():
            for one in frames.keys() & holders.keys():
                holders[one].append(label(name))
        for names in holders.values():
            if len(names) > 1:
                listed = f"{', '.join(names[:-1])} and {names[-1]}"
                self._note(
                    f"{listed} hold one and the same data frame. From the next cell on each has its own:"
                    " a change through one name is not seen through another."
                )


def check_name(name: str) -> None:
    """Refuse a name that code could not use."""
    if not isinstance(name, str) or not name.isidentifier() or iskeyword(name) or name.startswith("_"):
        raise BadDataset(
            f"{name!r} can't name a dataset. A name is made of letters, digits and _, starts with a letter,"
            " and is no word of Python's."
        )
    if name in OWN_NAMES:
        raise BadDataset(f"{name!r} has a meaning of its own in every cell and can't name a dataset.")
