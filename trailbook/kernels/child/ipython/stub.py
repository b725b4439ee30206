"""What notebooks most often import from IPython, for where it is not installed."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any


class Bundle:
    """Something that knows what it looks like, by media type."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return self._data


class Text(Bundle):
    """Text of one media type: given, or in a file."""

    media_type = "text/plain"

    def __init__(self, data: Any = None, url: str | None = None, filename: str | None = None, **_: Any) -> None:
        self.data = Path(filename).read_text("utf-8") if filename else url if data is None else data
        super().__init__({self.media_type: self.data})

    def __repr__(self) -> str:
        return f"<IPython.core.display.{type(self).__name__} object>"


class HTML(Text):
    media_type = "text/html"


class Markdown(Text):
    media_type = "text/markdown"


class Latex(Text):
    media_type = "text/latex"


class Math(Latex):
    """A formula."""

    def __init__(self, data: Any = None, **more: Any) -> None:
        super().__init__(f"$\\displaystyle {data}$", **more)


class SVG(Text):
    media_type = "image/svg+xml"


class JSON(Text):
    media_type = "application/json"


class Javascript(Text):
    media_type = "application/javascript"


class Image(Bundle):
    """A picture: bytes, or a file."""

    def __init__(self, data: Any = None, filename: str | None = None, format: str | None = None, **_: Any) -> None:
        path = filename or (data if isinstance(data, str) else None)
        self.data = Path(path).read_bytes() if path else data
        kind = (format or (Path(path).suffix[1:] if path else "") or "png").lower().replace("jpg", "jpeg")
        super().__init__({f"image/{kind}": base64.b64encode(self.data).decode("ascii")})


DISPLAY: dict[str, Any] = {kind.__name__: kind for kind in (HTML, Image, JSON, Javascript, Latex, Markdown, Math, SVG)}
# Libraries that look whether they are in IPython find that they are not.
PACKAGE: dict[str, Any] = {"get_ipython": lambda: None, "version_info": (0, 0), "__version__": "0"}
