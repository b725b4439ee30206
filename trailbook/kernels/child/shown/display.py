"""Shows values under the cell: `display(value)`, and what `IPython.display` offers beside it."""

from __future__ import annotations

import base64
import itertools
import json
import os
from collections.abc import Collection
from typing import Any

from trailbook.kernels.child.channel import Channel
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
        **_: Any,
    ) -> Handle | None:
        """Show values one below the other; with `raw`, each is a dictionary of data by media type already."""
        for value in values:
            if raw:
                self.publish(value)
            elif not self._bundles.shows_itself(value):
                self.publish(self._bundles.of(value, Wanted(include, exclude)))
        return Handle(self) if display_id else None

    def publish(self, data: Bundle, metadata: object = None, **_: Any) -> None:
        """Show one thing, of which `data` has the media types."""
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
        self._channel.ask("display", text=text, files=files)

    def _keep(self, content: bytes) -> str:
        path = os.path.join(self._folder, str(next(self._numbers)))
        with open(path, "wb") as file:
            file.write(content)
        return path


class Handle:
    """What `display(…, display_id=…)` gives: an update is shown below what was there."""

    def __init__(self, display: Display) -> None:
        self._display = display

    def update(self, value: Any, **options: Any) -> None:
        self._display(value, **options)

    display = update


def _bytes_of(media_type: str, data: Any) -> bytes:
    if isinstance(data, bytes):
        return data
    if media_type in BINARY:
        return base64.b64decode(data)
    return data.encode("utf-8", "replace") if isinstance(data, str) else json.dumps(data, default=str).encode()


def _strict(content: bytes) -> Any:
    """JSON as others know it: without NaN and infinities."""
    return json.loads(content, parse_constant=lambda name: None)


def _has_scripts(media_type: str, content: bytes) -> bool:
    """Scripts only run in a page of their own, cut off from the app."""
    return media_type == "text/html" and b"<script" in content.lower()
