"""Shows values: each in all the media types it offers, by Jupyter's protocol."""

from __future__ import annotations

import base64
import itertools
import json
import os
from typing import Any

from trailbook.kernels.child import figures
from trailbook.kernels.child.channel import Channel
from trailbook.kernels.child.kinds import Kind, kind_of

INLINE_BYTES = 65_536
PREVIEW_ROWS = 20

_METHODS = {
    "_repr_html_": "text/html",
    "_repr_markdown_": "text/markdown",
    "_repr_latex_": "text/latex",
    "_repr_json_": "application/json",
    "_repr_svg_": "image/svg+xml",
    "_repr_png_": "image/png",
    "_repr_jpeg_": "image/jpeg",
}
_BINARY = ("image/png", "image/jpeg", "application/pdf")


class Display:
    """Callable as `display(value, …)`."""

    def __init__(self, channel: Channel, folder: str) -> None:
        self._channel = channel
        self._folder = folder
        self._numbers = itertools.count()

    def __call__(self, *values: Any) -> None:
        for value in values:
            self._send(self._bundle(value))

    def _bundle(self, value: Any) -> dict[str, Any]:
        if figures.is_figure(value):
            return {"image/png": figures.take_png(value), "text/plain": repr(value)}
        preview = _preview(value)
        bundle = {"text/plain": repr(value), **self._offers(preview)}
        return {media_type: data for media_type, data in bundle.items() if data is not None}

    def _offers(self, value: Any) -> dict[str, Any]:
        # A class has the methods of its instances, and none to call them on.
        if isinstance(value, type):
            return {}
        offers = {media_type: self._ask(value, method) for method, media_type in _METHODS.items()}
        return {**offers, **(self._ask(value, "_repr_mimebundle_", include=None, exclude=None) or {})}

    def _ask(self, value: Any, method: str, **arguments: Any) -> Any:
        function = getattr(value, method, None)
        if not callable(function):
            return None
        try:
            answer = function(**arguments)
        except Exception as error:
            self._channel.note(f"{type(value).__name__}.{method} failed: {type(error).__name__}: {error}")
            return None
        # The protocol allows (data, metadata).
        return answer[0] if isinstance(answer, tuple) else answer

    def _send(self, bundle: dict[str, Any]) -> None:
        text: dict[str, Any] = {}
        files: dict[str, str] = {}
        for media_type, data in bundle.items():
            content = _bytes_of(media_type, data)
            if media_type in _BINARY or len(content) > INLINE_BYTES or _has_scripts(media_type, content):
                files[media_type] = self._keep(content)
            elif isinstance(data, str | bytes):
                text[media_type] = content.decode("utf-8", "replace")
            else:
                text[media_type] = _strict(content)
        self._channel.ask("display", text=text, files=files)

    def _keep(self, content: bytes) -> str:
        path = os.path.join(self._folder, str(next(self._numbers)))
        with open(path, "wb") as file:
            file.write(content)
        return path


def _bytes_of(media_type: str, data: Any) -> bytes:
    if isinstance(data, bytes):
        return data
    if media_type in _BINARY:
        return base64.b64decode(data)
    return data.encode("utf-8", "replace") if isinstance(data, str) else json.dumps(data, default=str).encode()


def _strict(content: bytes) -> Any:
    """JSON as others know it: without NaN and infinities."""
    return json.loads(content, parse_constant=lambda name: None)


def _preview(value: Any) -> Any:
    """The first rows as pandas, where a frame has no table of its own to show."""
    match kind_of(value):
        case Kind.ARROW:
            return value.slice(0, PREVIEW_ROWS).to_pandas()
        case Kind.SPARK:
            return value.limit(PREVIEW_ROWS).toPandas()
    return value


def _has_scripts(media_type: str, content: bytes) -> bool:
    """Scripts only run in a page of their own, cut off from the app."""
    return media_type == "text/html" and b"<script" in content.lower()
