"""Shows values under the cell: `display(value)`, and what `IPython.display` offers beside it."""

from __future__ import annotations

import base64
import builtins
import itertools
import linecache
import os
import zlib
from collections.abc import Collection
from json import dumps, loads
from typing import Any

from trailbook.kernels.child.channel import Channel
from trailbook.kernels.child.report import CELL_FILE
from trailbook.kernels.child.shown.bundles import BINARY, Bundle, Bundles, Wanted

INLINE_BYTES = 65_536


class Display:
    """Callable as `display(value, …)`."""

    def __init__(self, channel: Channel, folder: str) -> None:
        self._channel = channel
        self._folder = folder
        self._numbers = itertools.count()
        self._bundles = Bundles(channel.note)

    def __call__(
        self,
        *values: Any,
        include: Collection[str] | None = None,
        exclude: Collection[str] | None = None,
        raw: bool = False,
        display_id: object = None,
        update: bool = False,
        clear: bool = False,
        **_: Any,
    ) -> Handle | None:
        """Show values one below the other; with `raw`, each is a dictionary of data by media type already.

        With `update`, in place of what has the display_id.
        """
        handle = handle_of(display_id)
        if clear:
            self.clear(wait=True)
        for value in values:
            if raw or not self._bundles.shows_itself(value):
                data = value if raw else self._bundles.of(value, Wanted(include, exclude))
                self._publish(data, handle.display_id if handle else None, update)
        return handle

    def clear(self, wait: bool = False) -> None:
        """Take back what the cell showed and printed; with `wait`, once there is something else."""
        self._channel.ask("clear", wait=wait)

    def _publish(self, data: Bundle, id: str | None, update: bool) -> None:
        text: dict[str, Any] = {}
        files: dict[str, str] = {}
        for media_type, part in data.items():
            content = _bytes_of(media_type, part)
            if media_type in BINARY or len(content) > INLINE_BYTES or _has_scripts(media_type, content):
                files[media_type] = self._keep(content)
            elif isinstance(part, str | bytes):
                text[media_type] = content.decode("utf-8", "replace")
            else:
                text[media_type] = _strict(content)
        self._channel.ask("display", text=text, files=files, display_id=id, update=update)

    def _keep(self, content: bytes) -> str:
        path = os.path.join(self._folder, str(next(self._numbers)))
        with open(path, "wb") as file:
            file.write(content)
        return path


class Handle:
    """What `display(…, display_id=…)` gives: changes what is shown under its id."""

    def __init__(self, display_id: str | None = None) -> None:
        self.display_id = display_id or _new_id()

    def display(self, value: Any, **options: Any) -> None:
        """Show something more under this id."""
        builtins.display(value, display_id=self.display_id, **options)  # type: ignore[attr-defined]

    def update(self, value: Any, **options: Any) -> None:
        builtins.display(value, display_id=self.display_id, update=True, **options)  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        return f"<DisplayHandle display_id={self.display_id}>"


def handle_of(display_id: object) -> Handle | None:
    """What `display` gives for its argument: True is any id, None is none."""
    if not display_id:
        return None
    return Handle(None if display_id is True else str(display_id))


_ids = itertools.count(1)


def _new_id() -> str:
    """One that this cell's next run makes as well, and no other cell: handles flow on to those."""
    code = "".join(linecache.getlines(CELL_FILE))
    return f"{zlib.crc32(code.encode('utf-8', 'replace')):08x}-{next(_ids)}"


def _bytes_of(media_type: str, data: Any) -> bytes:
    if isinstance(data, bytes):
        return data
    if media_type in BINARY:
        return base64.b64decode(data)
    return data.encode("utf-8", "replace") if isinstance(data, str) else dumps(data, default=str).encode()


def _strict(content: bytes) -> Any:
    """JSON as others know it: without NaN and infinities."""
    return loads(content, parse_constant=lambda name: None)


def _has_scripts(media_type: str, content: bytes) -> bool:
    """Scripts only run in a page of their own, cut off from the app."""
    return media_type == "text/html" and b"<script" in content.lower()
