"""What a value can be shown as: by Jupyter's protocol, in all the media types it offers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from trailbook.kernels.child.frames.kinds import Kind, kind_of
from trailbook.kernels.child.shown import figures
from trailbook.kernels.child.shown.pretty import pretty

PREVIEW_ROWS = 20

Bundle = dict[str, Any]
"""Data by media type."""

_METHODS = {
    "_repr_html_": "text/html",
    "_repr_markdown_": "text/markdown",
    "_repr_latex_": "text/latex",
    "_repr_json_": "application/json",
    "_repr_javascript_": "application/javascript",
    "_repr_svg_": "image/svg+xml",
    "_repr_png_": "image/png",
    "_repr_jpeg_": "image/jpeg",
    "_repr_pdf_": "application/pdf",
}
BINARY = frozenset({"image/png", "image/jpeg", "image/gif", "application/pdf"})


@dataclass(frozen=True)
class Wanted:
    """Which media types are asked for; None is all, or none."""

    include: Collection[str] | None = None
    exclude: Collection[str] | None = None

    def __contains__(self, media_type: str) -> bool:
        if self.include is not None and media_type not in self.include:
            return False
        return self.exclude is None or media_type not in self.exclude


@dataclass(frozen=True)
class Bundles:
    """Asks values for their representations; those that fail are told to `note`, and the others are shown."""

    note: Callable[[str], None]

    def shows_itself(self, value: Any) -> bool:
        """Whether the value did so when it was told to."""
        function = _method(value, "_ipython_display_")
        if function is None:
            return False
        try:
            function()
        except NotImplementedError:
            return False
        except Exception as error:
            self._tell(value, "_ipython_display_", error)
        return True

    def of(self, value: Any, wanted: Wanted = Wanted()) -> Bundle:  # noqa: B008 - never changed
        preview = _preview(value)
        bundle: Bundle = {media_type: self._ask(preview, method, media_type) for method, media_type in _METHODS.items()}
        if figures.is_figure(value):
            bundle["image/png"] = figures.take_png(value)
        bundle |= {"text/plain": self._text(value), **self._own_bundle(preview, wanted)}
        return {media_type: data for media_type, data in bundle.items() if data is not None and media_type in wanted}

    def _text(self, value: Any) -> str:
        try:
            return pretty(value)
        except Exception as error:
            self._tell(value, "__repr__", error)
            return f"<{type(value).__qualname__} at 0x{id(value):x}>"

    def _own_bundle(self, value: Any, wanted: Wanted) -> Bundle:
        function = _method(value, "_repr_mimebundle_")
        if function is None:
            return {}
        try:
            bundle: Bundle = _data(function(include=wanted.include, exclude=wanted.exclude)) or {}
        except Exception as error:
            self._tell(value, "_repr_mimebundle_", error)
            return {}
        return bundle

    def _ask(self, value: Any, method: str, media_type: str) -> Any:
        function = _method(value, method)
        if function is None:
            return None
        try:
            return _checked(_data(function()), media_type)
        except Exception as error:
            self._tell(value, method, error)
            return None

    def _tell(self, value: Any, method: str, error: Exception) -> None:
        self.note(f"{type(value).__name__}.{method} failed: {type(error).__name__}: {error}")


def _method(value: Any, name: str) -> Callable[..., Any] | None:
    # A class has the methods of its instances, and none to call them on; some objects answer to any name.
    if isinstance(value, type) or callable(getattr(value, "_has_methods_of_any_name_", None)):
        return None
    function = getattr(value, name, None)
    return function if callable(function) else None


def _data(answer: Any) -> Any:
    """The protocol allows (data, metadata)."""
    return answer[0] if isinstance(answer, tuple) else answer


def _checked(data: Any, media_type: str) -> Any:
    kinds: tuple[type, ...] = (str, bytes) if media_type in BINARY else (str,)
    if data is None or media_type == "application/json" or isinstance(data, kinds):
        return data
    raise TypeError(f"{media_type} is {' or '.join(kind.__name__ for kind in kinds)}, not {type(data).__name__}")


def _preview(value: Any) -> Any:
    """The first rows as pandas, where a frame has no table of its own to show."""
    match kind_of(value):
        case Kind.ARROW:
            return value.slice(0, PREVIEW_ROWS).to_pandas()
        case Kind.SPARK:
            return value.limit(PREVIEW_ROWS).toPandas()
    return value
